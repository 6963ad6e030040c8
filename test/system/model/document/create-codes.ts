import { type CodeState, type Ledger, NO_ATTEMPTS, nextName } from "./ledger.ts";

/** A new batch: its name, and its codes' names. */
interface Created {
	ledger: Ledger;
	batch: string;
	names: string[];
}

/** Two batches of a partner are never of the same millisecond (0001). */
export function createCodes(
	ledger: Ledger,
	{ partner, product, quantity }: { partner: string; product: string; quantity: number },
	now: number,
): Created {
	const latest = Object.values(ledger.batches)
		.filter((other) => other.partner === partner)
		.at(-1);
	const createdAt = Math.max(now, (latest?.createdAt ?? 0) + 1);
	const batch = nextName("b", ledger, "batches");
	const code: CodeState = {
		partner,
		batch,
		product,
		createdAt,
		updatedAt: createdAt,
		reference: null,
		validation: null,
		certificate: null,
		cancelledAt: null,
		blockedAt: null,
		replacedBy: null,
		requestLockedUntil: null,
		claimLockedUntil: null,
		requestBlockedAt: null,
		validationAttempts: NO_ATTEMPTS,
		claimAttempts: NO_ATTEMPTS,
		running: null,
		forgotten: null,
	};
	const codes = { ...ledger.codes };
	const names = Array.from({ length: quantity }, () => {
		const name = nextName("c", { ...ledger, codes }, "codes");
		codes[name] = code;
		return name;
	});
	const batches = { ...ledger.batches, [batch]: { partner, createdAt } };
	return { ledger: { ...ledger, codes, batches }, batch, names };
}
