import { openHolder } from "../db/holders.ts";
import { insertManyDeliveries, type NewDelivery } from "../db/outbox.ts";
import type { DatabaseDb, Statement } from "../db/query.ts";
import {
	findExpiring,
	findExpiringBatches,
	findLapsing,
	markBatchesReminded,
	markLapseReminded,
	markReminded,
} from "../db/reminders.ts";
import { eventDelivery, holderDelivery } from "../delivery/outbox.ts";
import { expiresAt } from "../domain/code-facts.ts";
import { VALIDATION_LIFE_MS } from "../domain/limits.ts";
import { isListening } from "../domain/partner-settings.ts";
import {
	decideReminder,
	expiringBatches,
	lapsingValidations,
	REMINDER_DAYS,
	type ReminderDays,
	reminderRanges,
	remindsHolder,
} from "../domain/reminders.ts";
import { subscribes, type WebhookEvent } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import type { Job } from "./job.ts";

/*
 * Reminders of expiries. A run writes a page of deliveries and, in that commit, notes the reminders done, so that each
 * is written once; the minute's sweep puts them into the queue.
 */

/** 24,000 a day: more than a partner can issue at its full rate, and their e-mails are sealed within a run. */
const CERTIFICATES_PER_RANGE = 1_000;
const BATCHES_PER_RUN = 500;
const LAPSES_PER_RUN = 1_000;
/** Keeps one statement under its limit of 2 MB: a row is less than 2 kB. */
const ROWS_PER_STATEMENT = 500;

type Expiring = Awaited<ReturnType<typeof findExpiring>>[number];

/** `certificate.expiring` 60, 30 and 7 days before, and the holder's e-mail where its partner wants it. */
export const remindOfCertificates: Job = {
	name: "remind-of-certificates",
	async run({ platform, db, now, partnerId: only }) {
		const ranges = reminderRanges(now);
		const limit = CERTIFICATES_PER_RANGE;
		const pages = await Promise.all(ranges.map((range) => findExpiring(db, { ...range, now, limit, only })));
		const done = new Map<ReminderDays, string[]>(REMINDER_DAYS.map((days) => [days, []]));
		const rows: NewDelivery[] = [];
		for (const expiring of pages.flat()) {
			const { serial, issuedAt, notAfter, remindedDays, isRenewed } = expiring.certificate;
			const facts = { issuedAt: issuedAt!, notAfter: notAfter!, remindedDays: remindedDays as ReminderDays };
			const decision = decideReminder(facts, now);
			if (decision.kind === "wait") continue;
			done.get(decision.days)!.push(serial);
			if (decision.kind === "remind" && !isRenewed)
				rows.push(...(await remindersOf(platform, expiring, decision.days, now)));
		}
		const looked = pages.flat().length;
		return {
			cursor: pages.some((page) => page.length === limit) ? "more" : null,
			report: { looked_at: looked, deliveries: rows.length },
			changes: [
				...inserts(db, rows),
				...[...done].flatMap(([days, serials]) =>
					serials.length > 0 ? [markReminded(db, serials, days)] : [],
				),
			],
		};
	},
};

async function remindersOf(
	platform: Platform,
	{ certificate, referenceId, partner, holder }: Expiring,
	days: ReminderDays,
	now: number,
): Promise<NewDelivery[]> {
	const { sealer, authority, authorities } = platform;
	const { partnerId, code, serial, issuerKeyId } = certificate;
	const validTo = certificate.notAfter!;
	const rows: NewDelivery[] = [];
	if (hears(platform, partner, "certificate.expiring")) {
		const data = { p_code: code, referenceId, serialNumber: serial, validTo: iso(validTo), days };
		rows.push(await eventDelivery(sealer, "certificate.expiring", { partnerId, code, data, now }));
	}
	if (!partner.holderReminders || !remindsHolder(days) || holder === null) return rows;
	try {
		const { email: address, fullName, language } = await openHolder(sealer, code, holder);
		const { commonName: issuer } = authorities.find(({ keyId }) => keyId === issuerKeyId) ?? authority;
		const notice = { language, fullName, issuer, serial, validFrom: certificate.notBefore!, validTo, days };
		rows.push(await holderDelivery(sealer, "holder.expiring", notice, { partnerId, code, address, now }));
	} catch (error) {
		log("error", "unopenable", { table: "holders", row: code, ...describeError(error) });
	}
	return rows;
}

/** `pcode.expiring`, once for each batch that has unused codes on day 12. */
export const remindOfCodes: Job = {
	name: "remind-of-codes",
	async run({ platform, db, now, partnerId: only }) {
		const { sealer } = platform;
		const found = await findExpiringBatches(db, { ...expiringBatches(now), limit: BATCHES_PER_RUN, only });
		const told = found.filter(
			({ batch, partner }) => batch.unused > 0 && hears(platform, partner, "pcode.expiring"),
		);
		const rows = await Promise.all(
			told.map(({ batch: { id: batchId, partnerId, unused: count, createdAt } }) => {
				const data = { batchId, count, expires_at: iso(expiresAt(createdAt)) };
				return eventDelivery(sealer, "pcode.expiring", { partnerId, code: "", data, now });
			}),
		);
		const ids = found.map(({ batch }) => batch.id);
		return {
			cursor: found.length === BATCHES_PER_RUN ? "more" : null,
			report: { looked_at: found.length, deliveries: rows.length },
			changes: ids.length > 0 ? [...inserts(db, rows), markBatchesReminded(db, ids, now)] : [],
		};
	},
};

/** `pcode.lapsing`, once for each code, 14 days before its validation lapses. */
export const remindOfLapses: Job = {
	name: "remind-of-lapses",
	async run({ platform, db, now, partnerId: only }) {
		const { sealer } = platform;
		const found = await findLapsing(db, { ...lapsingValidations(now), limit: LAPSES_PER_RUN, only });
		const told = found.filter(({ partner }) => hears(platform, partner, "pcode.lapsing"));
		const rows = await Promise.all(
			told.map(({ code: { partnerId, code, referenceId, validatedAt } }) => {
				const data = { p_code: code, referenceId, lapses_at: iso(validatedAt + VALIDATION_LIFE_MS) };
				return eventDelivery(sealer, "pcode.lapsing", { partnerId, code, data, now });
			}),
		);
		const codes = found.map(({ code: { code } }) => code);
		return {
			cursor: found.length === LAPSES_PER_RUN ? "more" : null,
			report: { looked_at: found.length, deliveries: rows.length },
			changes: codes.length > 0 ? [...inserts(db, rows), markLapseReminded(db, codes, now)] : [],
		};
	},
};

function hears(
	{ clock }: Platform,
	{ webhookUrl, listeningUntil, webhookEvents }: Expiring["partner"],
	event: WebhookEvent,
): boolean {
	const hasEndpoint = webhookUrl !== null || isListening({ listeningUntil }, clock());
	return hasEndpoint && subscribes(webhookEvents, event);
}

function inserts(db: DatabaseDb, rows: readonly NewDelivery[]): Statement[] {
	const pages = Math.ceil(rows.length / ROWS_PER_STATEMENT);
	return Array.from({ length: pages }, (_, i) =>
		insertManyDeliveries(db, rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT)),
	);
}

function iso(time: number): string {
	return new Date(time).toISOString();
}
