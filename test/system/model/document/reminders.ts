import { addDelivery } from "./deliveries.ts";
import { tellPartner } from "./events.ts";
import { type CodeState, changeCode, type Ledger } from "./ledger.ts";
import type { Moment } from "./moment.ts";

/*
 * webhooks.md and holder.md: what comes 60, 30 and 7 days before a certificate's end. Of several that are due at once the
 * latest alone (0001), and none whose day came before the certificate was issued (decisions, "The holder").
 */

const DAY = 86_400_000;

export function remind(ledger: Ledger, partner: string, moment: Moment): Ledger {
	return remindOfCodes(remindOfCertificates(ledger, partner, moment), partner, moment);
}

function remindOfCertificates(ledger: Ledger, partner: string, { now, rules }: Moment): Ledger {
	const { settings } = ledger.partners[partner]!;
	return Object.entries(ledger.codes).reduce((changed, [name, code]) => {
		const { certificate, remindedDays, validation } = code;
		if (code.partner !== partner || !certificate || certificate.revokedAt !== null) return changed;
		const dayOf = (days: number) => certificate.notAfter - days * DAY;
		const days = rules.reminderDays.findLast((one) => dayOf(one) <= now);
		const isDone = days === undefined || (remindedDays ?? Number.POSITIVE_INFINITY) <= days;
		if (isDone || certificate.notAfter <= now) return changed;
		const noted = changeCode(changed, name, { remindedDays: days });
		const tellsHolder = settings.holder_reminders && rules.holderReminderDays.includes(days);
		if (dayOf(days) <= certificate.issuedAt) return noted;
		const told = tellPartner(noted, { partner, code: name, event: "certificate.expiring" }, now);
		if (!tellsHolder || !validation || validation.erased) return told;
		const toHolder = { toPartner: false, channel: "email", address: "the holder" } as const;
		return addDelivery(told, { partner, code: name, event: "holder.expiring", ...toHolder }, now)[0];
	}, ledger);
}

/** On day 12 of 14, once for each batch that has unused codes then. */
function remindOfCodes(ledger: Ledger, partner: string, { now, rules }: Moment): Ledger {
	const due = Object.entries(ledger.batches).filter(
		([, { createdAt, reminded, ...batch }]) =>
			batch.partner === partner &&
			!reminded &&
			createdAt + rules.codeReminder <= now &&
			now < createdAt + rules.window,
	);
	const done = due.map(([name, batch]) => [name, { ...batch, reminded: true }] as const);
	const noted = { ...ledger, batches: { ...ledger.batches, ...Object.fromEntries(done) } };
	const codes = Object.values(ledger.codes);
	return due
		.filter(([name]) => codes.some((code) => code.batch === name && isUntouched(code)))
		.reduce((told) => tellPartner(told, { partner, code: null, event: "pcode.expiring" }, now), noted);
}

function isUntouched({ validation, cancelledAt, blockedAt }: CodeState): boolean {
	return validation === null && cancelledAt === null && blockedAt === null;
}
