import type { Platform } from "../platform.ts";
import { findLastHead } from "./kept-heads.ts";
import type { SignerHealth } from "./signer-client.ts";

/** States of a signer: its own word, or what is found when it is asked. `other_key`: it signs for another authority. */
export const SIGNER_STATES = ["ok", "stopped", "failing", "silent", "other_key"] as const;

export interface SignerState {
	state: (typeof SIGNER_STATES)[number];
	/** Number of its log's last entry; null where it did not answer, as the rest of its own word. */
	entries: number | null;
	stopped: SignerHealth["stopped"];
	/** Refusals since its start, by code. */
	refused: SignerHealth["refused"];
	/** When a head of its log was last kept in the audit's bucket, epoch milliseconds; null: not for a month. */
	headKeptAt: number | null;
}

/** Asks the signer how it is. Null where the issuing key is in the Worker. Never throws: a silent one is a state. */
export async function askSigner({
	signer,
	authority,
	auditLog,
	clock,
}: Pick<Platform, "signer" | "authority" | "auditLog" | "clock">): Promise<SignerState | null> {
	if (signer === null) return null;
	const [health, headKeptAt] = await Promise.all([
		signer.askHealth().catch(() => null),
		findLastHead({ auditLog }, clock()).catch(() => null),
	]);
	if (health === null) return { state: "silent", entries: null, stopped: null, refused: {}, headKeptAt };
	const { keyId, status, entries, stopped, refused } = health;
	const state = keyId === authority.keyId ? status : "other_key";
	return { state, entries, stopped, refused, headKeptAt };
}
