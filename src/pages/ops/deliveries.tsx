import { DELIVERY_STATES, type DeliveryState } from "../../db/deliveries.ts";
import type { OutboxRow } from "../../db/outbox.ts";
import type { PartnerRow } from "../../db/partners.ts";
import { PAGE_SIZE_DEFAULT } from "../../domain/limits.ts";
import { pageLimit } from "../../http/query-fields.ts";
import { listAllDeliveries } from "../../services/all-deliveries.ts";
import { listAllPartners } from "../../services/all-partners.ts";
import { opsCaller } from "../../services/caller.ts";
import { resendAnyDelivery } from "../../services/resend-delivery.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_UPKEEP as T } from "../../texts/ops-console-upkeep.ts";
import type { Call } from "../kit/call.ts";
import { DeliveriesTable } from "../kit/deliveries-table.tsx";
import { Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { ListForm } from "../kit/list-form.tsx";
import { Nothing } from "../kit/nothing.tsx";
import { goBack, may, page, post, show } from "./console.tsx";
import { ahead, when } from "./words.tsx";

/** Deliveries of every partner, dead ones first; never their payload. */
export const deliveryPages = [
	page("/deliveries", { trips: 2 }, async (c) => {
		const say = sayIn(c);
		const filter = filterOf((name) => c.req.query(name));
		const { state, partnerId, limit } = filter;
		const platform = c.get("platform");
		const [{ deliveries }, { partners }] = await Promise.all([
			listAllDeliveries(platform, filter),
			listAllPartners(platform),
		]);
		const named = new Map(partners.map((partner) => [partner.id, partner]));
		const text = partnerId ? T.latestOf : T.latest;
		return show(
			c,
			{ title: OPS_CONSOLE.deliveries },
			<>
				<ListForm c={c} path="/ops/console/deliveries" limit={c.req.query("limit")}>
					<Select
						name="state"
						label={say(OPS_CONSOLE.state)}
						options={DELIVERY_STATES.map((value) => ({ value, label: say(T[value]) }))}
						value={state}
					/>
					<Field name="partner_id" label={say(T.partnerId)} value={partnerId ?? ""} maxlength={64} />
				</ListForm>
				<p>{say(fill(text, { n: limit, partner: named.get(partnerId ?? "")?.name ?? "" }))}</p>
				<DeliveriesTable
					c={c}
					base="/ops/console"
					deliveries={deliveries}
					caption={`${say(OPS_CONSOLE.deliveries)}: ${say(T[state])}`}
					empty={<Nothing c={c} of="opsDeliveries" />}
					event={({ event }) => event}
					own={[[OPS_CONSOLE.partner, ({ partnerId }) => partnerNamed(c, partnerId, named.get(partnerId))]]}
					outcome={({ lastOutcome }) => lastOutcome ?? say(OPS_CONSOLE.nothing)}
					more={[
						[T.lastAttempt, ({ lastAttemptAt }) => when(c, lastAttemptAt, { seconds: true })],
						[T.nextAttempt, ({ nextAttemptAt }) => when(c, nextAttemptAt, { seconds: true })],
						[OPS_CONSOLE.action, (row) => resendOf(c, row, filter)],
					]}
				/>
			</>,
		);
	}),

	post("/deliveries/:id/resend", {}, async (c, form) => {
		const resent = await resendAnyDelivery(opsCaller(c), c.req.param("id") ?? "");
		const outcome = resent.kind === "refused" ? { problem: resent.reason } : undefined;
		return goBack(pathOf(filterOf((name) => form.text(name))), outcome);
	}),
];

interface Filter {
	state: DeliveryState;
	partnerId: string | undefined;
	limit: number;
}

/** Dead ones of every partner, unless the address says otherwise. */
function filterOf(sent: (name: string) => string | undefined): Filter {
	const partnerId = sent("partner_id");
	return {
		state: DELIVERY_STATES.find((one) => one === sent("state")) ?? "dead",
		partnerId: partnerId && /^\w{1,64}$/.test(partnerId) ? partnerId : undefined,
		limit: pageLimit.safeParse(sent("limit")).data ?? PAGE_SIZE_DEFAULT,
	};
}

function pathOf({ state, partnerId, limit }: Filter): string {
	const size = limit === PAGE_SIZE_DEFAULT ? "" : `&limit=${limit}`;
	return `/deliveries?state=${state}${partnerId ? `&partner_id=${partnerId}` : ""}${size}`;
}

function partnerNamed(c: Call, id: string, partner: PartnerRow | undefined) {
	return [<a href={`/ops/console/partners/${id}`}>{partner?.name ?? id}</a>, partner && ahead(c, partner)];
}

function resendOf(c: Call, { id, code, event, payloadSealed }: OutboxRow, filter: Filter) {
	const say = sayIn(c);
	if (payloadSealed === null) return say(T.erased);
	return (
		may(c, "operate") && (
			<PostForm action={`/ops/console/deliveries/${id}/resend`} csrf={c.get("csrf")}>
				<input type="hidden" name="state" value={filter.state} />
				<input type="hidden" name="partner_id" value={filter.partnerId ?? ""} />
				<input type="hidden" name="limit" value={String(filter.limit)} />
				<button class="plain" type="submit" aria-label={`${say(T.resend)}: ${event} ${code}`}>
					{say(T.resend)}
				</button>
			</PostForm>
		)
	);
}
