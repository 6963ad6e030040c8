/*
 * The load that is simulated: assumptions, not measurements. docs/scaling.md says why each.
 */

export const YEAR_S = 31_536_000;
export const MINUTE_MS = 60_000;

export interface StatedLoad {
	partners: number;
	/** Codes redeemed in a year, all partners together. */
	codesAYear: number;
	/** Requests over codes: what fails a check comes again. */
	requestsPerCode: number;
	/** The widget asks this often while its holder goes through the flow, once in `pollEveryMs`. */
	pollsPerCode: number;
	pollEveryMs: number;
	/** Between a successful request and its claim, a mean. */
	claimAfterMs: number;
	/** A back office looks at this many pages an hour, a half of them filtered. */
	listsPerPartnerHour: number;
	/** Runs of bulk calls of 500, one after another; each partner's stock comes in such runs. */
	bulkRun: number;
	/** The busiest hour of the busiest day over the mean of the year. */
	peak: number;
	/** Exponent of the partners' sizes: the n-th largest has n^-skew of the largest's load. */
	skew: number;
	/** Isolates among which the edge spreads a partner's calls, and how long each keeps a key. */
	isolates: number;
	keyMs: number;
	/** How long each statement of a database's hourly upkeep takes it, milliseconds, one after another. */
	upkeepMs: readonly number[];
	/** What the contract allows (§8; 600 a minute: chosen). */
	requestsAMinute: number;
	callsAMinute: number;
}

/**
 * Days 12 and 20 of the month, when taxes are due, take four times a mean day; the busiest hour of a business day takes
 * a tenth of it, 2.4 times its mean hour. Upkeep: pages of erase-holders, erase-leaves, forget-emails, verify-audit,
 * reconcile and one block of counters, timed by node:sqlite on a register of 60,000 certificates.
 */
export const STATED_LOAD: StatedLoad = {
	partners: 10_000,
	codesAYear: 1e8,
	requestsPerCode: 1.15,
	pollsPerCode: 10,
	pollEveryMs: 3_000,
	claimAfterMs: 30_000,
	listsPerPartnerHour: 4,
	bulkRun: 20,
	peak: 4 * 2.4,
	skew: 1,
	isolates: 20,
	keyMs: 30_000,
	upkeepMs: [39, 10, 24, 33, ...Array.from({ length: 9 }, () => 30), 322],
	requestsAMinute: 10,
	callsAMinute: 600,
};

/** Codes begun in a second of the peak. */
export function codesASecond({ codesAYear, peak }: StatedLoad): number {
	return (codesAYear * peak) / YEAR_S;
}

/**
 * Each partner's share of the load, largest first. Sizes fall as n^-skew, but nobody can have more than the contract's
 * requests a minute: a partner that would is held at four fifths of it, and the others take the rest in proportion.
 */
export function sharesOfPartners(load: StatedLoad): number[] {
	const { partners, skew, requestsAMinute, requestsPerCode } = load;
	const most = (0.8 * requestsAMinute) / (60 * codesASecond(load) * requestsPerCode);
	const sizes = Array.from({ length: partners }, (_, n) => (n + 1) ** -skew);
	if (most * partners < 1) throw new Error("more load than the partners' limits let through");
	let held = 0;
	for (;;) {
		const rest = sizes.slice(held).reduce((sum, size) => sum + size, 0);
		const left = 1 - held * most;
		if ((sizes[held]! / rest) * left <= most)
			return sizes.map((size, n) => (n < held ? most : (size / rest) * left));
		held++;
	}
}
