import { and, asc, eq, gt } from "drizzle-orm";
import type { AuditAction } from "../domain/audit-actions.ts";
import { isListening, LISTENER_URL, type PartnerSettings } from "../domain/partner-settings.ts";
import { leaveOpen } from "../unavailable.ts";
import { type ApiKeyRow, forgetKeys, type NewKey, selectKeys } from "./api-keys.ts";
import {
	CHAIN_BEGIN,
	type ChangeOrigin,
	findChainEnd,
	nextAuditRow,
	retryLostRaces,
} from "./audit-events.ts";
import {
	batch,
	type DatabaseDb,
	livesHere,
	type PartnerDb,
	prepared,
	query,
	type Statement,
} from "./query.ts";
import { apiKeys, partners } from "./schema.ts";
import { auditEvents } from "./schema-operations.ts";
import { partnerPlaces } from "./schema-places.ts";

export type PartnerRow = typeof partners.$inferSelect;

/** A partner's settings at this moment: a statement for a step's first round trip. */
export function selectPartner(db: PartnerDb, partnerId: string) {
	return db.select().from(partners).where(eq(partners.id, partnerId));
}

/** {@link selectPartner} for every call of a partner. */
export const selectCaller = prepared((db, { partnerId }: { partnerId: string }) =>
	selectPartner(db, partnerId),
);

/**
 * The row is a superset of the settings: they are one type at the table and in the domain. While the partner listens
 * (`delivery/listener.ts`), it has an endpoint.
 * @param now - by the real clock
 */
export function settingsOf(row: PartnerRow, now: number): PartnerSettings {
	return isListening(row, now) ? { ...row, webhookUrl: row.webhookUrl ?? LISTENER_URL } : row;
}

export async function listPartners(db: DatabaseDb): Promise<PartnerRow[]> {
	return query(
		db
			.select()
			.from(partners)
			.where(livesHere(partners.id))
			.orderBy(asc(partners.createdAt), asc(partners.id)),
	);
}

/** A partner and its keys in force. */
export async function findPartner(db: PartnerDb, partnerId: string, now: number) {
	const {
		partner: [partner],
		keys,
	} = await batch(db, {
		partner: selectPartner(db, partnerId),
		keys: selectKeys(db, partnerId, now),
	});
	return partner ? { partner, keys } : null;
}

/** A new partner with its first key, and what else it starts with. */
export async function createPartner(
	db: PartnerDb,
	{ number, ...partner }: PartnerSettings & { id: string; number: number },
	key: NewKey,
	origin: ChangeOrigin,
	alongside: readonly Statement[] = [],
): Promise<PartnerRow> {
	const { now } = origin;
	const row: PartnerRow = {
		...partner,
		version: 1,
		webhookOffAt: null,
		webhookOffBy: null,
		deliveryEmailPending: null,
		deliveryEmailPendingUntil: null,
		widgetOrigins: [],
		widgetAccent: null,
		widgetLogo: null,
		suspendedAt: null,
		clockOffset: 0,
		listeningUntil: null,
		createdAt: now,
		updatedAt: now,
	};
	const created = { entity: entityOf(row.id), partnerId: row.id, action: "created" as const, outcome: "ok" };
	const audit = await nextAuditRow(db, created, origin, CHAIN_BEGIN);
	await batch(db, {
		place: db
			.insert(partnerPlaces)
			.values({ partnerId: row.id, number, epoch: 1, state: "open", since: now }),
		partner: db.insert(partners).values(row),
		key: db.insert(apiKeys).values({ ...key, partnerId: row.id, createdAt: now }),
		audit: db.insert(auditEvents).values(audit),
		alongside,
	}).catch(leaveOpen);
	return row;
}

type Awaitable<T> = T | Promise<T>;

export interface PartnerChange {
	action: AuditAction;
	outcome: string;
	set?: Partial<PartnerRow>;
	alongside?: readonly Statement[];
}

/** The answer, and the change it needs; without a change the partner stays as it is. */
export interface PartnerDecision<Answer> {
	answer: Answer;
	change?: PartnerChange;
}

/**
 * Changes a partner, its keys included, as it is now, with its audit row.
 * @param decide - called anew after each lost race, with what the partner is by then, and its keys in force
 * @returns what was decided, whether that changed anything, and the partner as it is now; null for no such partner.
 * @throws {Unavailable} when it lost every race, too: nothing was changed. When the commit got no answer, its reason says
 * that it may have happened.
 */
export async function changePartner<Answer>(
	db: PartnerDb,
	partnerId: string,
	decide: (row: PartnerRow, keys: readonly ApiKeyRow[]) => Awaitable<PartnerDecision<Answer>>,
	origin: ChangeOrigin,
): Promise<{ answer: Answer; changed: boolean; partner: PartnerRow } | null> {
	return retryLostRaces(async () => {
		const found = await findPartner(db, partnerId, origin.now);
		if (!found) return null;
		const { partner, keys } = found;
		const { answer, change } = await decide(partner, keys);
		if (!change) return { answer, changed: false, partner };
		const { action, outcome, set, alongside = [] } = change;
		const { version } = partner;
		const entry = { entity: entityOf(partnerId), partnerId, action, outcome };
		const { hash } = await findChainEnd(db, entry.entity, partnerId);
		const audit = await nextAuditRow(db, entry, origin, { version, hash });
		const changed = { ...set, version: version + 1, updatedAt: origin.now };
		await batch(db, {
			audit: db.insert(auditEvents).values(audit),
			partner: db.update(partners).set(changed).where(eq(partners.id, partnerId)),
			alongside,
		}).catch(leaveOpen);
		forgetKeys();
		return { answer, changed: true, partner: { ...partner, ...changed } };
	});
}

/** The endpoint said that it is gone (410): no more webhooks to it until ops switch it on. A new address stays on. */
export async function switchWebhookOff(
	db: PartnerDb,
	partnerId: string,
	url: string,
	origin: ChangeOrigin,
): Promise<void> {
	const isThatOne = (row: PartnerRow) =>
		row.webhookOffAt === null && row.webhookUrl !== null && URL.parse(row.webhookUrl)?.href === url;
	const switchOff: PartnerChange = {
		action: "webhook_switched_off",
		outcome: "gone",
		set: { webhookOffAt: origin.now, webhookOffBy: "endpoint" },
	};
	await changePartner(
		db,
		partnerId,
		(row) => ({ answer: null, ...(isThatOne(row) && { change: switchOff }) }),
		origin,
	);
}

function entityOf(partnerId: string): string {
	return `partner:${partnerId}`;
}

/** Whether `DB`, which every call needs, answers with its tables in place. @throws {Unavailable} */
export async function ping(db: DatabaseDb): Promise<void> {
	await query(db.select({ id: partners.id }).from(partners).limit(1));
}

/** Partners whose clock was moved, in local and dev alone. */
export function findMovedClocks(db: DatabaseDb): Promise<{ id: string; clockOffset: number }[]> {
	const { id, clockOffset } = partners;
	return query(
		db
			.select({ id, clockOffset })
			.from(partners)
			.where(and(gt(clockOffset, 0), livesHere(id))),
	);
}

/** Notes until when a partner listens, in local and dev alone. @param until - by the real clock; null: no more */
export async function noteListening(db: PartnerDb, partnerId: string, until: number | null): Promise<void> {
	await query(db.update(partners).set({ listeningUntil: until }).where(eq(partners.id, partnerId)));
}
