import type { WebhookEvent } from "../../../src/domain/webhook-events.ts";
import type { CodeRow } from "../invariants.ts";
import type { Journal, Partner } from "./journal.ts";
import type { OutboxRow, Snapshot } from "./snapshot.ts";

/** Each delivery that a commit must create is there, once; what came twice came under one id. */
export function checkDeliveries(
	journal: Journal,
	{ codes, outbox }: Snapshot,
	partners: Partner[],
): string[] {
	const copied = new Set(
		journal.calls.filter(({ body }) => body?.includes('"partnerCopy"')).map(({ code }) => code),
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
	return [...broken, ...differingRepeats(journal, outbox)];
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

/** At the end of a fixture: everything due has arrived, but for what a cancellation withdrew. */
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
