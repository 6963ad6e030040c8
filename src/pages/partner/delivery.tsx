import { findOwnDelivery, stateOf } from "../../db/deliveries.ts";
import type { OutboxRow } from "../../db/outbox.ts";
import { errorAnswer } from "../../http/errors.ts";
import { partnerCaller } from "../../services/caller.ts";
import { resendDelivery } from "../../services/resend-delivery.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { CHANNEL_NAMES, outcomeName } from "../../texts/console-words.ts";
import type { Text } from "../../texts/language.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Nothing } from "../kit/nothing.tsx";
import { Facts, Table, Time } from "../kit/parts.tsx";
import { goBack, page, post, show } from "./console.ts";

export const deliveryPages = [
	page("/deliveries/:delivery", { trips: 2 }, async (c) => {
		const { db, partnerId } = c.get("owner");
		const found = await findOwnDelivery(db, {
			id: c.req.param("delivery") ?? "",
			partnerId,
		});
		if (!found) return errorAnswer(c, "not_found");
		const { row, attempts } = found;
		const say = sayIn(c);
		const locale = c.get("language");
		const isResent = c.req.query("done") === "resend" && row.resentAt !== null;
		return show(
			c,
			{ title: T.delivery, notice: isResent ? { kind: "done", text: T.resent } : undefined },
			<>
				<Facts facts={factsOf(c, row)} />
				<Resend c={c} row={row} />
				<h2>{say(T.attempts)}</h2>
				<Table
					caption={say(T.attemptsCounted)}
					columns={[T.when, T.channel, T.outcome, T.httpStatus, T.took].map(say)}
					rows={attempts.map(({ at, channel, outcome, httpStatus, durationMs }) => [
						<Time at={at} locale={locale} seconds />,
						say(CHANNEL_NAMES[channel]),
						outcomeName(outcome, locale),
						httpStatus ?? "",
						`${durationMs} ms`,
					])}
					empty={<Nothing c={c} of="attempts" />}
				/>
			</>,
		);
	}),

	post("/deliveries/:delivery/resend", {}, async (c) => {
		const resent = await resendDelivery(partnerCaller(c), c.req.param("delivery") ?? "");
		if (resent.kind === "refused") return errorAnswer(c, resent.reason);
		return goBack(`/deliveries/${resent.row.id}`, "resend");
	}),
];

function factsOf(c: Call, row: OutboxRow) {
	const say = sayIn(c);
	const times: [Text, number | null][] = [
		[T.created, row.createdAt],
		[T.nextAttempt, row.nextAttemptAt],
		[T.deliveredAt, row.deliveredAt],
		[T.deadAt, row.deadAt],
		[T.resentAt, row.resentAt],
	];
	const code = <Copyable text={row.code} href={`/console/codes/${row.code}`} language={c.get("language")} />;
	return [
		[say(T.event), row.event] as const,
		[say(T.status), <StatusBadge c={c} status={stateOf(row)} />] as const,
		["webhook-id", <Copyable text={row.id} language={c.get("language")} />] as const,
		...(row.code ? [[say(T.code), code] as const] : []),
		[say(T.channel), say(CHANNEL_NAMES[row.channel])] as const,
		[say(T.lastOutcome), outcomeName(row.lastOutcome, c.get("language"))] as const,
		...times.flatMap(([name, at]) =>
			at === null ? [] : [[say(name), <Time at={at} locale={c.get("language")} seconds />] as const],
		),
	];
}

function Resend({ c, row }: { c: Call; row: OutboxRow }) {
	const say = sayIn(c);
	if (row.payloadSealed === null) return <p>{say(T.payloadGone)}</p>;
	return (
		<PostForm action={`/console/deliveries/${row.id}/resend`} csrf={c.get("csrf")}>
			<button type="submit">{say(T.resend)}</button>
		</PostForm>
	);
}
