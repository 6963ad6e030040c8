import { type ApiKeyRow, endKey, insertKey, type NewKey } from "../db/api-keys.ts";
import type { ChangeOrigin } from "../db/audit-events.ts";
import { changePartner, type PartnerChange } from "../db/partners.ts";
import { hasEnded, type KeysProblem, keysProblem } from "../domain/decide-keys.ts";
import type { Platform } from "../platform.ts";
import { endOfOverlap, mintKey, type WantedKey } from "./new-secrets.ts";
import { isByPartner, Notices } from "./tell-partner.ts";

/* A partner's API keys, changed by ops or by the partner itself. Each change is one version of the partner. */

type Refusal = { kind: "not_found" } | { kind: "refused"; reason: KeysProblem };

export interface KeyCall {
	partnerId: string;
	origin: ChangeOrigin;
}

/** @returns the key itself, which nobody can show again. */
export async function addKey(
	platform: Platform,
	call: KeyCall,
	wanted: WantedKey,
): Promise<Refusal | { kind: "done"; key: ApiKeyRow; apiKey: string }> {
	const { apiKey, row } = await mintKey(platform, wanted);
	const key = rowOf(row, call);
	const refusal = await changeKeys(platform, call, (keys) => ({
		after: [...keys, key],
		action: "key_added",
		outcome: row.id,
		alongside: [insertKey(platform.db, call.partnerId, row, call.origin.now)],
	}));
	return refusal ?? { kind: "done", key, apiKey };
}

/** A successor of the same rights; the old key ends after the overlap, or when it would have ended anyway. */
export async function rotateKey(
	platform: Platform,
	call: KeyCall,
	{
		keyId,
		label,
		overlapHours,
		expiresAt,
	}: {
		keyId: string;
		label: string;
		overlapHours?: number | undefined;
		expiresAt?: number | null | undefined;
	},
): Promise<Refusal | { kind: "done"; key: ApiKeyRow; replaces: ApiKeyRow; apiKey: string }> {
	const { partnerId, origin } = call;
	const { db } = platform;
	const { now } = origin;
	let rotated = null as { key: ApiKeyRow; replaces: ApiKeyRow; apiKey: string } | null;
	const refusal = await changeKeys(platform, call, async (keys) => {
		const old = keys.find(({ id }) => id === keyId);
		if (!old || hasEnded(old, now)) return "not_found";
		const { scopes, allowedCidrs } = old;
		const end = expiresAt === undefined ? old.expiresAt : expiresAt;
		const { apiKey, row } = await mintKey(platform, { label, scopes, allowedCidrs, expiresAt: end });
		const revokedAt = Math.min(old.revokedAt ?? Number.POSITIVE_INFINITY, endOfOverlap(now, overlapHours));
		rotated = { key: rowOf(row, call), replaces: { ...old, revokedAt }, apiKey };
		return {
			after: [...keys.filter((key) => key !== old), rotated.replaces, rotated.key],
			action: "key_rotated",
			outcome: `${keyId} ${row.id}`,
			alongside: [insertKey(db, partnerId, row, now), endKey(db, partnerId, keyId, revokedAt)],
		};
	});
	return refusal ?? { kind: "done", ...rotated! };
}

/** Ends a key at once. One that has ended stays as it is. */
export async function revokeKey(
	platform: Platform,
	call: KeyCall,
	keyId: string,
): Promise<Refusal | { kind: "done"; key: ApiKeyRow }> {
	const { partnerId, origin } = call;
	const { now } = origin;
	let revoked = null as ApiKeyRow | null;
	const refusal = await changeKeys(platform, call, (keys) => {
		const key = keys.find(({ id }) => id === keyId);
		if (!key) return "not_found";
		revoked = key;
		if (hasEnded(key, now)) return null;
		revoked = { ...key, revokedAt: now };
		return {
			after: keys.map((one) => (one === key ? revoked! : one)),
			action: "key_revoked",
			outcome: keyId,
			alongside: [endKey(platform.db, partnerId, keyId, now)],
		};
	});
	return refusal ?? { kind: "done", key: revoked! };
}

type KeysChange = PartnerChange & { after: readonly ApiKeyRow[] };
type Decision = KeysChange | "not_found" | null;

/** Commits a change of the keys as they are now. @returns why it was not, or null. */
async function changeKeys(
	platform: Platform,
	{ partnerId, origin }: KeyCall,
	decide: (keys: readonly ApiKeyRow[]) => Decision | Promise<Decision>,
): Promise<Refusal | null> {
	const asked = { byPartner: isByPartner(origin), now: origin.now };
	const notices = new Notices(platform, origin);
	let refusal = null as Refusal | null;
	let changed = false;
	const partner = await changePartner(
		platform.db,
		partnerId,
		async (row, keys) => {
			const decision = await decide(keys);
			changed = false;
			refusal = decision === "not_found" ? { kind: "not_found" } : null;
			if (decision === null || decision === "not_found") return null;
			const { after, ...change } = decision;
			const reason = keysProblem(keys, after, asked);
			refusal = reason && { kind: "refused", reason };
			changed = reason === null;
			if (!changed) return null;
			const told = await notices.of(row, ["keys"], change.action);
			return { ...change, alongside: [...(change.alongside ?? []), ...told] };
		},
		origin,
	);
	if (changed) await notices.send();
	return partner ? refusal : { kind: "not_found" };
}

function rowOf(row: NewKey, { partnerId, origin }: KeyCall): ApiKeyRow {
	return { ...row, partnerId, createdAt: origin.now, lastUsedAt: null, revokedAt: null };
}
