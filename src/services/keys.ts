import {
	type ApiKeyRow,
	type EndedKey,
	endKey,
	findKey,
	insertKey,
	type NewKey,
	pageEndedKeys,
} from "../db/api-keys.ts";
import { changePartner, type PartnerChange } from "../db/partners.ts";
import { enterKeyOf } from "../directory.ts";
import { endOfKey, hasEnded, type KeysProblem, keysProblem } from "../domain/decide-keys.ts";
import { KEY_CHANGES_PER_HOUR, PAGE_SIZE_DEFAULT } from "../domain/limits.ts";
import { isWithinOneOf } from "../http/address-ranges.ts";
import { pageOf } from "../http/cursor.ts";
import { originOf, type PartnerCaller } from "./caller.ts";
import { waitForNext } from "./hourly-limit.ts";
import { endOfOverlap, mintKey, type WantedKey } from "./new-secrets.ts";
import { actingKey, Notices } from "./tell-partner.ts";

/* A partner's API keys, changed by ops or by the partner itself. Each change is one version of the partner. */

export type KeyRefusal =
	| { kind: "refused"; reason: KeysProblem | "not_found" | "expiry_passed" }
	| { kind: "refused"; reason: "too_many_key_changes"; retryAfterMs: number };

/** A page of a partner's keys that have ended, the latest first. `next`: the cursor of the page that follows, null at the end. */
export async function listEndedKeys(
	{ db, partnerId, at: now }: PartnerCaller,
	{ cursor: after, limit = PAGE_SIZE_DEFAULT }: { cursor?: EndedKey | undefined; limit?: number | undefined },
): Promise<{ page: ApiKeyRow[]; next: string | null }> {
	const found = await pageEndedKeys(db, partnerId, { after, now, limit: limit + 1 });
	return pageOf(found, limit, (last) => ({ endedAt: endOfKey(last), id: last.id }));
}

/** @returns the key itself, which nobody can show again. */
export async function addKey(
	caller: PartnerCaller,
	wanted: WantedKey,
): Promise<KeyRefusal | { kind: "done"; key: ApiKeyRow; apiKey: string }> {
	if (hasPassed(wanted.expiresAt, caller)) return refused("expiry_passed");
	const { apiKey, row } = await mintKey(caller, wanted);
	await enterKeyOf(caller.platform, row.hash, caller.partnerId);
	const key = rowOf(row, caller);
	return changeKeys(caller, (keys) => ({
		answer: { kind: "done", key, apiKey },
		change: {
			after: [...keys, key],
			action: "key_added",
			outcome: row.id,
			alongside: [insertKey(caller.db, caller.partnerId, row, caller.at)],
		},
	}));
}

interface WantedRotation {
	keyId: string;
	/** Defaults to the label of the key that it replaces. */
	label?: string | undefined;
	overlapHours?: number | undefined;
	/** Epoch milliseconds; not given: the end of the key that it replaces. */
	expiresAt?: number | null | undefined;
}

/** Makes a successor of the same rights; the old key ends after the overlap, or when it would have ended anyway. */
export async function rotateKey(
	caller: PartnerCaller,
	{ keyId, label, overlapHours, expiresAt }: WantedRotation,
): Promise<KeyRefusal | { kind: "done"; key: ApiKeyRow; replaces: ApiKeyRow; apiKey: string }> {
	if (hasPassed(expiresAt, caller)) return refused("expiry_passed");
	const { db, partnerId, at } = caller;
	return changeKeys(caller, async (keys) => {
		const old = keys.find(({ id }) => id === keyId);
		if (!old || hasEnded(old, at)) return { answer: refused("not_found") };
		const { scopes, allowedCidrs } = old;
		const { apiKey, row } = await mintKey(caller, {
			scopes,
			allowedCidrs,
			label: label ?? old.label,
			expiresAt: expiresAt === undefined ? old.expiresAt : expiresAt,
		});
		await enterKeyOf(caller.platform, row.hash, partnerId);
		const revokedAt = Math.min(old.revokedAt ?? Number.POSITIVE_INFINITY, endOfOverlap(at, overlapHours));
		const key = rowOf(row, caller);
		const replaces = { ...old, revokedAt };
		return {
			answer: { kind: "done", key, replaces, apiKey },
			change: {
				after: [...keys.filter((one) => one !== old), replaces, key],
				action: "key_rotated",
				outcome: `${keyId} ${row.id}`,
				alongside: [insertKey(db, partnerId, row, at), endKey(db, partnerId, keyId, revokedAt)],
			},
		};
	});
}

/** Ends a key at once; an ended one does not change. */
export async function revokeKey(
	caller: PartnerCaller,
	keyId: string,
): Promise<KeyRefusal | { kind: "done"; key: ApiKeyRow }> {
	const { db, partnerId, at } = caller;
	return changeKeys(caller, async (keys) => {
		const key = keys.find(({ id }) => id === keyId) ?? (await findKey(db, partnerId, keyId));
		if (!key) return { answer: refused("not_found") };
		if (hasEnded(key, at)) return { answer: { kind: "done", key } };
		const revoked = { ...key, revokedAt: at };
		return {
			answer: { kind: "done", key: revoked },
			change: {
				after: keys.map((one) => (one === key ? revoked : one)),
				action: "key_revoked",
				outcome: keyId,
				alongside: [endKey(db, partnerId, keyId, at)],
			},
		};
	});
}

interface KeysDecision<Done> {
	answer: Done | KeyRefusal;
	/** `after`: the keys that the partner has then, of those in force. */
	change?: PartnerChange & { after: readonly ApiKeyRow[] };
}

/** Commits a change of the keys as they are now, unless a rule about a partner's keys refuses it. */
async function changeKeys<Done extends { kind: "done" }>(
	caller: PartnerCaller,
	decide: (keys: readonly ApiKeyRow[]) => KeysDecision<Done> | Promise<KeysDecision<Done>>,
): Promise<Done | KeyRefusal> {
	const asked = { by: actingKey(caller), now: caller.at, isWithinOneOf };
	const notices = new Notices(caller);
	const changed = await changePartner(
		caller.db,
		caller.partnerId,
		async (row, keys) => {
			const { answer, change: wanted } = await decide(keys);
			if (!wanted) return { answer };
			const { after, ...change } = wanted;
			const reason = keysProblem(keys, after, asked);
			if (reason) return { answer: refused(reason) };
			const busy = asked.by === null ? null : await tooManyChanges(caller);
			if (busy) return { answer: busy };
			const told = await notices.of(row, ["keys"], change.action);
			return { answer, change: { ...change, alongside: [...(change.alongside ?? []), ...told] } };
		},
		originOf(caller),
	);
	if (changed?.changed) await notices.send();
	return changed?.answer ?? refused("not_found");
}

/** Refuses a partner's own change when it has made as many within the hour. */
async function tooManyChanges(caller: PartnerCaller): Promise<KeyRefusal | null> {
	const actions = ["key_added", "key_rotated", "key_revoked"] as const;
	const retryAfterMs = await waitForNext(caller, actions, KEY_CHANGES_PER_HOUR);
	return retryAfterMs === null ? null : { kind: "refused", reason: "too_many_key_changes", retryAfterMs };
}

function refused(reason: Exclude<KeyRefusal["reason"], "too_many_key_changes">): KeyRefusal {
	return { kind: "refused", reason };
}

function hasPassed(expiresAt: number | null | undefined, { at }: PartnerCaller): boolean {
	return expiresAt != null && expiresAt <= at;
}

function rowOf(row: NewKey, { partnerId, at }: PartnerCaller): ApiKeyRow {
	return { ...row, partnerId, createdAt: at, lastUsedAt: null, revokedAt: null };
}
