import { DELIVERY_STATES, type DeliveryState, listDeliveries } from "../../db/find-deliveries.ts";
import type { OutboxRow } from "../../db/outbox.ts";
import { listPartners } from "../../db/partners.ts";
import { PAGE_SIZE_DEFAULT } from "../../domain/limits.ts";
import { opsCaller } from "../../services/caller.ts";
import { resendDelivery } from "../../services/resend-delivery.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import type { Call } from "../kit/call.ts";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Table } from "../kit/parts.tsx";
import { goBack, may, page, post, show } from "./console.tsx";
import { when } from "./words.tsx";

/** Deliveries of every partner, the dead ones first of all; never what they carry. */
export const deliveryPages = [
	page("/deliveries", { trips: 2 }, async (c) => {
		const say = sayIn(c);
		const filter = filterOf(c.req.query("state"), c.req.query("partner_id"));
		const { state, partnerId } = filter;
		const { db } = c.get("platform");
		const [rows, partners] = await Promise.all([
			listDeliveries(db, { state, partnerId, limit: PAGE_SIZE_DEFAULT }),
			listPartners(db),
		]);
		const names = new Map(partners.map(({ id, name }) => [id, name]));
		const text = partnerId ? T.latestOf : T.latest;
		const columns = [
			...[OPS_CONSOLE.code, OPS_CONSOLE.partner, T.event, T.channel, T.attempts, T.lastOutcome],
			...[OPS_CONSOLE.created, T.lastAttempt, T.nextAttempt, OPS_CONSOLE.action],
		];
		return show(
			c,
			{ title: OPS_CONSOLE.deliveries },
			<>
				<ul class="filters">
					{DELIVERY_STATES.map((one) => (
						<li>
							<a
								href={`/ops/console${pathOf({ state: one, partnerId })}`}
								{...(one === state && { "aria-current": "true" })}
							>
								{say(T[one])}
							</a>
						</li>
					))}
				</ul>
				<p>{say(fill(text, { n: PAGE_SIZE_DEFAULT, partner: names.get(partnerId ?? "") ?? "" }))}</p>
				<Table
					caption={`${say(OPS_CONSOLE.deliveries)}: ${say(T[state])}`}
					columns={columns.map(say)}
					rows={rows.map((row) => cellsOf(c, row, names, filter))}
					empty={say(OPS_CONSOLE.none)}
				/>
			</>,
		);
	}),

	post("/deliveries/:id/resend", {}, async (c, form) => {
		const resent = await resendDelivery(opsCaller(c), c.req.param("id") ?? "");
		const outcome = resent.kind === "refused" ? { problem: resent.reason } : undefined;
		return goBack(c, pathOf(filterOf(form.text("state"), form.text("partner_id"))), outcome);
	}),
];

interface Filter {
	state: DeliveryState;
	partnerId: string | undefined;
}

/** Dead ones of every partner, unless the address says otherwise. */
function filterOf(state: string | undefined, partnerId: string | undefined): Filter {
	return {
		state: DELIVERY_STATES.find((one) => one === state) ?? "dead",
		partnerId: partnerId && /^\w{1,64}$/.test(partnerId) ? partnerId : undefined,
	};
}

function pathOf({ state, partnerId }: Filter): string {
	return `/deliveries?state=${state}${partnerId ? `&partner_id=${partnerId}` : ""}`;
}

function cellsOf(c: Call, row: OutboxRow, names: ReadonlyMap<string, string>, filter: Filter) {
	const say = sayIn(c);
	const { id, code, partnerId, event, channel, attempts, lastOutcome } = row;
	const resend = (
		<PostForm action={`/ops/console/deliveries/${id}/resend`} csrf={c.get("csrf")}>
			<input type="hidden" name="state" value={filter.state} />
			<input type="hidden" name="partner_id" value={filter.partnerId ?? ""} />
			<button class="plain" type="submit" aria-label={`${say(T.resend)}: ${event} ${code}`}>
				{say(T.resend)}
			</button>
		</PostForm>
	);
	return [
		code ? (
			<a class="whole" href={`/ops/console/codes/${code}`}>
				{code}
			</a>
		) : (
			say(OPS_CONSOLE.nothing)
		),
		<a href={`/ops/console/partners/${partnerId}`}>{names.get(partnerId) ?? partnerId}</a>,
		event,
		channel,
		String(attempts),
		lastOutcome ?? say(OPS_CONSOLE.nothing),
		when(c, row.createdAt),
		when(c, row.lastAttemptAt, { seconds: true }),
		when(c, row.nextAttemptAt, { seconds: true }),
		row.payloadSealed === null ? say(T.erased) : may(c, "operate") ? resend : "",
	];
}
