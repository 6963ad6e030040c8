import type { Child } from "hono/jsx";
import type { ShownDelivery } from "../../db/deliveries.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { CHANNEL_NAMES } from "../../texts/console-words.ts";
import type { Text } from "../../texts/language.ts";
import type { Call } from "./call.ts";
import { Copyable } from "./copyable.tsx";
import { sayIn } from "./language.ts";
import { Table, Time } from "./parts.tsx";

type Cell<Row> = (row: Row) => Child;
type Column<Row> = readonly [heading: Text, cell: Cell<Row>];

interface DeliveriesTableProps<Row> {
	c: Call;
	/** Base of the viewer's pages. */
	base: "/console" | "/ops/console";
	caption: string;
	deliveries: readonly Row[];
	empty: Child;
	/** First cell, which names the delivery. */
	event: Cell<Row>;
	outcome: Cell<Row>;
	/** Columns that this viewer alone sees, after the event and at the end. */
	own: readonly Column<Row>[];
	more?: readonly Column<Row>[];
}

/** Deliveries as a partner and ops see them: never their payload. */
export function DeliveriesTable<Row extends Omit<ShownDelivery, "payloadKept">>(
	props: DeliveriesTableProps<Row>,
) {
	const { c, base, caption, deliveries, empty, event, outcome, own, more = [] } = props;
	const say = sayIn(c);
	const code = ({ code }: Row) =>
		code && <Copyable text={code} href={`${base}/codes/${code}`} language={c.get("language")} />;
	const columns: readonly Column<Row>[] = [
		[T.event, event],
		...own,
		[T.code, code],
		[T.created, ({ createdAt }) => <Time at={createdAt} locale={c.get("language")} />],
		[T.channel, ({ channel }) => say(CHANNEL_NAMES[channel])],
		[T.attempts, ({ attempts }) => attempts],
		[T.lastOutcome, outcome],
		...more,
	];
	return (
		<Table
			caption={caption}
			columns={columns.map(([heading]) => say(heading))}
			rows={deliveries.map((row) => columns.map(([, cell]) => cell(row)))}
			empty={empty}
		/>
	);
}
