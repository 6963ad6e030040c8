import type { WebhookEvent } from "../../../src/domain/webhook-events.ts";
import type { CodeRow } from "../invariants.ts";
import type { Journal, Partner } from "./journal.ts";
import type { OutboxRow, Snapshot } from "./snapshot.ts";

/** For the rate, or because the partner moved. */
const REFUSED = [429, 503];

/** Each delivery that a commit must create is there, once; what came twice came under one id. */
export function checkDeliveries(
	journal: Journal,
	{ codes, outbox, sessions }: Snapshot,
	partners: Partner[],
): string[] {
	const copied = new Set(
		journal.calls
			// One that was refused changed nothing; its code may be validated without a copy later.
			.filter(({ body, answer }) => body?.includes('"partnerCopy"') && !REFUSED.includes(answer?.status ?? 0))
			.map(({ code }) => code),
	);
	const due = new Map<string, string[]>();
	for (const { code, event, channel } of outbox)
		due.set(code, [...(due.get(code) ?? []), `${event} by ${channel}`]);
	const broken: string[] = [];
	for (const row of codes.values()) {
		const partner = partners.find(({ id }) => id === row.partner_id);
		const rows = due.get(row.code) ?? [];
		for (const expected of partner ? dueFor(row, partner, copied.has(row.code)) : [])
			if (!rows.includes(expected)) broken.push(`outbox: ${expected} of ${row.code} is not due`);
		if (rows.filter((what) => what === "certificate.emitted by webhook").length > 1)
			broken.push(`outbox: ${row.code}'s certificate is due twice to the webhook`);
	}
	return [...broken, ...miscounted(sessions, outbox, partners), ...differingRepeats(journal, outbox)];
}

/** One `onboarding.completed` of each session that succeeded, one `onboarding.expired` of each that did not in time. */
function miscounted(
	sessions: Snapshot["sessions"],
	outbox: readonly OutboxRow[],
	partners: readonly Partner[],
): string[] {
	const count = <Row>(rows: readonly Row[], isIt: (row: Row) => boolean) => rows.filter(isIt).length;
	const hearing = partners.filter(({ settings }) =>
		settings.webhook_events?.includes("onboarding.completed"),
	);
	return hearing.flatMap(({ id, kind }) => {
		const isOurs = ({ partner_id }: { partner_id: string }) => partner_id === id;
		const theirs = { sessions: sessions.filter(isOurs), outbox: outbox.filter(isOurs) };
		const expected: [WebhookEvent, number][] = [
			["onboarding.completed", count(theirs.sessions, ({ completed_at }) => completed_at !== null)],
			["onboarding.expired", count(theirs.sessions, ({ end_reason }) => end_reason === "expired")],
		];
		return expected.flatMap(([event, n]) => {
			const due = count(theirs.outbox, (row) => row.event === event);
			return due === n ? [] : [`outbox: ${due} ${event} of ${kind} are due, not ${n}`];
		});
	});
}

function dueFor(row: CodeRow, { settings }: Partner, isCopied: boolean): string[] {
	const hears = (event: WebhookEvent) =>
		settings.webhook_url !== undefined &&
		(settings.webhook_events ?? ["certificate.emitted"]).includes(event);
	const isIssued = row.issued_at !== null;
	const byEmail = isCopied || (settings.mode === "B2B" && settings.delivery_email !== undefined);
	return [
		...(isIssued && hears("certificate.emitted") ? ["certificate.emitted by webhook"] : []),
		...(isIssued && byEmail ? ["certificate.emitted by email"] : []),
		...(isIssued ? ["holder.issued by email"] : []),
		...(row.validated_at !== null && hears("pcode.validated") ? ["pcode.validated by webhook"] : []),
		...(row.cancelled_at !== null && hears("pcode.cancelled") ? ["pcode.cancelled by webhook"] : []),
		...(row.cancelled_at !== null && isIssued && hears("certificate.revoked")
			? ["certificate.revoked by webhook"]
			: []),
		...(row.cancelled_at !== null && isIssued ? ["holder.revoked by email"] : []),
	];
}

/** A webhook that comes again has the id and the bytes of the first; every id is a row of the outbox. */
function differingRepeats({ webhooks }: Journal, outbox: readonly OutboxRow[]): string[] {
	const known = new Set(outbox.map(({ id }) => id));
	const bodies = new Map<string, string>();
	const broken: string[] = [];
	for (const { id, body } of webhooks) {
		if (!known.has(id)) broken.push(`outbox: webhook ${id} was sent and never due`);
		if ((bodies.get(id) ?? body) !== body) broken.push(`outbox: webhook ${id} came with two bodies`);
		bodies.set(id, body);
	}
	return broken;
}

/** Checks at the end of a fixture that everything due has arrived, unless a cancellation withdrew it. */
export function checkDelivered({ webhooks, mails, holders }: Journal, { outbox, codes }: Snapshot): string[] {
	const received = new Set(webhooks.map(({ id }) => id));
	const mailed = new Map(mails.map(({ id, to }) => [id, to]));
	return outbox.flatMap(({ id, code, channel, event, delivered_at, last_outcome }) => {
		const isWithdrawn = last_outcome === "cancelled" && codes.get(code)?.cancelled_at !== null;
		if (delivered_at === null)
			return isWithdrawn
				? []
				: [`outbox: ${channel} ${event} of ${code} was never delivered: ${last_outcome}`];
		const hasArrived = channel === "webhook" ? received.has(id) : mailed.has(id);
		if (event.startsWith("holder.") && hasArrived && mailed.get(id) !== holders.get(code)?.email)
			return [`6: the message to the holder of ${code} went to somebody else`];
		return hasArrived ? [] : [`outbox: ${channel} ${event} of ${code} counts as delivered and never arrived`];
	});
}
