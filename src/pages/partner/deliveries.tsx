import { DELIVERY_STATES, type ShownDelivery, stateOf } from "../../db/deliveries.ts";
import { DELIVERY_KINDS } from "../../domain/holder-messages.ts";
import { partnerCaller } from "../../services/caller.ts";
import { listDeliveries } from "../../services/list-deliveries.ts";
import { LISTS } from "../../texts/console-find.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { outcomeName } from "../../texts/console-words.ts";
import { STATUS_WORDS } from "../../texts/status-words.ts";
import { deliveryQuery } from "../../wire/delivery.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { DeliveriesTable } from "../kit/deliveries-table.tsx";
import { Field, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { DayField, ListForm } from "../kit/list-form.tsx";
import { Nothing } from "../kit/nothing.tsx";
import { page, show } from "./console.ts";
import { type Query, readFilters } from "./filters.ts";
import { ListPager } from "./list-pager.tsx";
import { WebhookTest } from "./webhook.tsx";

const PATH = "/console/deliveries";
const LABELS = { state: T.status, event: T.event, p_code: T.code, since: T.since };

export const deliveriesPages = [
	page("/deliveries", { trips: 2 }, async (c) => {
		const { asked, sent, notice } = readFilters(c, deliveryQuery, LABELS);
		const { page, next } = await listDeliveries(partnerCaller(c), asked);
		return show(
			c,
			{ title: T.deliveries, notice },
			<>
				<Filters c={c} sent={sent} />
				<OwnDeliveries c={c} deliveries={page} clear={Object.keys(sent).length > 0 ? PATH : null} />
				<ListPager c={c} path={PATH} sent={sent} next={next} />
				<WebhookTest c={c} />
			</>,
		);
	}),
];

interface OwnDeliveriesProps {
	c: Call;
	deliveries: readonly ShownDelivery[];
	/** Address of the list without its filters; null where it has none. */
	clear?: string | null;
}

/** Deliveries as their partner sees them. */
export function OwnDeliveries({ c, deliveries, clear = null }: OwnDeliveriesProps) {
	const say = sayIn(c);
	return (
		<DeliveriesTable
			c={c}
			base="/console"
			deliveries={deliveries}
			caption={say(T.deliveriesOrder)}
			empty={<Nothing c={c} of="deliveries" clear={clear} />}
			event={({ id, event }) => <a href={`${PATH}/${id}`}>{event}</a>}
			own={[[T.status, (delivery) => <StatusBadge c={c} status={stateOf(delivery)} />]]}
			outcome={({ lastOutcome }) => outcomeName(lastOutcome, c.get("language"))}
		/>
	);
}

function Filters({ c, sent }: { c: Call; sent: Query }) {
	const say = sayIn(c);
	const any = { value: "", label: say(LISTS.any) };
	const states = DELIVERY_STATES.map((value) => ({ value, label: say(STATUS_WORDS[value].name) }));
	const events = DELIVERY_KINDS.map((value) => ({ value, label: value }));
	return (
		<ListForm c={c} path={PATH} limit={sent.limit}>
			<Select name="state" label={say(LABELS.state)} options={[any, ...states]} value={sent.state} />
			<Select name="event" label={say(LABELS.event)} options={[any, ...events]} value={sent.event} />
			<Field name="p_code" label={say(LABELS.p_code)} value={sent.p_code ?? ""} maxlength={64} />
			<DayField name="since" label={say(LABELS.since)} value={sent.since} />
		</ListForm>
	);
}
