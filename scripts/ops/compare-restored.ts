import type { components } from "../ops-openapi.ts";
import type { Dump, Row } from "./read-dump.ts";

/* Compares what partners and ops had set before a restore of D1 with what D1 has after it. */

export type SettingsRow = components["schemas"]["SettingsRow"];

export interface Difference {
	partner_id: string;
	/** The partner's name. */
	name: string;
	/** Where the partner is told. */
	tell: string;
	what: "partner" | "key" | "secret" | "address" | "setting";
	/** Id of the key or secret; name of the field. */
	id: string;
	before: unknown;
	now: unknown;
	to_do: string;
}

export const KEY_IS_BACK = "it is ended again; tell the partner";
const KEY_IS_LOST = "give the partner a new key: its own is unknown";
const SECRET_IS_BACK = "rotate with --overlap-hours 0: it signs again";
const SECRET_IS_LOST = "rotate, and tell the partner: its endpoint expects this one";

const ADDRESSES = ["webhook_url", "webhook_off_at", "webhook_off_by", "delivery_email", "widget_origins"];
/** They change without anybody's will. */
const UNCOMPARED = ["id", "version", "updated_at", "listening_until"];

/** @param at - the present, epoch milliseconds @param now - what is in force */
export function compareRestored(before: Dump, now: readonly SettingsRow[], at: number): Difference[] {
	const has = (table: SettingsRow["table"], id: unknown) =>
		now.find((row) => row.table === table && row.id === id);
	return before.partners.flatMap((partner) => {
		const { id, name, delivery_email, webhook_url } = partner;
		const tell = String(delivery_email ?? webhook_url ?? "-");
		const of = (difference: Omit<Difference, "partner_id" | "name" | "tell">): Difference => ({
			...{ partner_id: String(id), name: String(name), tell },
			...difference,
		});
		const restored = has("partners", id);
		if (!restored) {
			const to_do = "create the partner again: D1 does not have it";
			return [of({ what: "partner", id: String(id), before: "there", now: null, to_do })];
		}
		const settings = Object.entries(partner)
			.filter(([field, value]) => !UNCOMPARED.includes(field) && value !== restored.fields[field])
			.map(([field, value]) => {
				const what = ADDRESSES.some((address) => field.startsWith(address)) ? "address" : "setting";
				return of({ what, id: field, before: value, now: restored.fields[field], to_do: "set it again" });
			});
		const own = (row: { partner_id?: unknown }) => row.partner_id === id;
		const keys = before.api_keys.filter(own).flatMap((key) => {
			const ended = [key.revoked_at, key.expires_at].some((end) => end !== null && Number(end) <= at);
			const isBack = has("api_keys", key.id) !== undefined;
			if (ended !== isBack) return [];
			const to_do = isBack ? KEY_IS_BACK : KEY_IS_LOST;
			const said = { before: ended ? "ended" : "good", now: isBack ? "good" : "unknown" };
			return [of({ what: "key", id: String(key.id), ...said, to_do })];
		});
		const secrets = compareSecrets(before.webhook_secrets.filter(own), now.filter(own), at).map(of);
		return [...settings, ...keys, ...secrets];
	});
}

/** A secret that was made after the restore is no difference. */
function compareSecrets(before: readonly Row[], rows: readonly SettingsRow[], at: number) {
	const now = rows.filter(({ table }) => table === "webhook_secrets");
	const signed = before.filter(({ expires_at }) => expires_at === null || Number(expires_at) > at);
	const newest = Math.max(...before.map(({ created_at }) => Number(created_at)));
	const lost = signed
		.filter(({ id }) => !now.some((row) => row.id === id))
		.map(({ id }) => ({ id: String(id), before: "signs", now: "unknown", to_do: SECRET_IS_LOST }));
	const back = now
		.filter(({ id, fields }) => !signed.some((row) => row.id === id) && Number(fields.created_at) <= newest)
		.map(({ id }) => ({ id, before: "ended", now: "signs", to_do: SECRET_IS_BACK }));
	return [...lost, ...back].map((secret) => ({ what: "secret" as const, ...secret }));
}
