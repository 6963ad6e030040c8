import type { Statement } from "../db/query.ts";
import type { CodeRow } from "../db/read-code.ts";
import { createEventDelivery } from "../delivery/outbox.ts";
import { enqueue } from "../delivery/queue.ts";
import { type ChangedFacts, type CodeEvent, eventOf } from "../domain/code-event.ts";
import type { CodeContext } from "./code-context.ts";

export interface Announcement {
	/** Last of the rows that go with the change. */
	alongside: Statement[];
	/** Takes what those rows returned: what was created goes into the queue, beside the answer. */
	written: (results: readonly unknown[]) => void;
}

/**
 * What a change of a code owes its partner's webhook.
 * @param opsReason - what ops gave as the reason, or null when no one asked for the change.
 */
export async function announceChange(
	{ platform, later }: Pick<CodeContext, "platform" | "later">,
	{ facts }: CodeRow,
	set: ChangedFacts,
	{ now, opsReason }: { now: number; opsReason: string | null },
): Promise<Announcement> {
	const event = eventOf(facts, set);
	if (event === null) return { alongside: [], written: () => undefined };
	const { partnerId, code } = facts;
	const reference = set.externalReferenceId ?? facts.externalReferenceId;
	const data = dataOf(event, opsReason);
	const created = await createEventDelivery(platform, event.event, { partnerId, code, reference, data, now });
	return {
		alongside: [created.statement],
		written: (results) => {
			const rows = results.at(-1) as unknown[] | undefined;
			if (rows && rows.length > 0) later(enqueue(platform, [{ id: created.id, at: now }]));
		},
	};
}

function dataOf(event: CodeEvent, opsReason: string | null) {
	switch (event.event) {
		case "pcode.validated":
			return {};
		case "pcode.locked":
			return {
				reason: event.reason === "ops" ? (opsReason ?? "ops") : event.reason,
				locked_until: event.lockedUntil === null ? null : new Date(event.lockedUntil).toISOString(),
				permanent: event.permanent,
			};
		case "pcode.cancelled":
			return { reason: opsReason ?? "ops", serialNumber: event.serial };
	}
}
