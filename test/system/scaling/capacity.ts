import { CALLS, type CallName, type ServiceTimes } from "./service-times.ts";
import { codesASecond, type StatedLoad, YEAR_S } from "./stated-load.ts";

export const GIGABYTE = 1e9;
/** What one D1 database or one object's storage may hold (Cloudflare's limits, 2026; not to be raised). */
export const DATABASE_BYTES = 10 * GIGABYTE;
/** A database is given no more partners beyond this share: their growth, and a move out, need room. */
export const FILL = 0.7;

/** Octets of a code with its certificate, as it is, and with the sealed leaf in R2. */
export interface Weights {
	unused: number;
	issued: number;
	withoutLeaf: number;
}

/** @param leafBytes - what the certificates table takes of a certificate, less what is left without the leaf. */
export function weightsOf({ bytesPerCode, bytesPerCertificate }: ServiceTimes, leafBytes: number): Weights {
	const issued = bytesPerCode + bytesPerCertificate;
	return { unused: bytesPerCode, issued, withoutLeaf: issued - leafBytes };
}

/** How many databases hold so many codes, of which a share was never used. */
export function databasesFor(
	codes: number,
	{ unused }: Weights,
	issued: number,
	unusedShare: number,
): number {
	const bytes = codes * (unusedShare * unused + (1 - unusedShare) * issued);
	return Math.ceil(bytes / (FILL * DATABASE_BYTES));
}

/** Milliseconds that one such call takes its database, all round trips together. */
function databaseMs(times: ServiceTimes, call: CallName): number {
	return times.calls[call].d1.sqlMsByTrip.reduce((sum, { mean }) => sum + mean, 0);
}

/** Calls a second that one database could ever answer, if it did nothing else, and if it works half the time. */
export function ceilings(times: ServiceTimes): { call: CallName; ms: number; most: number; rows: string }[] {
	return CALLS.map((call) => {
		const ms = databaseMs(times, call);
		const { rowsRead, rowsWritten } = times.calls[call].d1;
		return { call, ms, most: 1000 / ms, rows: `${Math.round(rowsRead)} / ${Math.round(rowsWritten)}` };
	});
}

/** Share of the time that one database would work if it had all of the load, in the busiest hour. */
export function utilisationOfOne(times: ServiceTimes, load: StatedLoad): Record<CallName, number> {
	const codes = codesASecond(load);
	const perSecond: Record<CallName, number> = {
		status: codes * load.pollsPerCode,
		list: (load.partners * load.listsPerPartnerHour) / 7200,
		listFiltered: (load.partners * load.listsPerPartnerHour) / 7200,
		bulk: load.codesAYear / YEAR_S / 500,
		request: codes * load.requestsPerCode,
		claim: codes,
	};
	return Object.fromEntries(
		CALLS.map((call) => [call, (perSecond[call] * databaseMs(times, call)) / 1000]),
	) as Record<CallName, number>;
}

/** Share of the time that one partner can make its database work, at every limit of the contract at once. */
export function utilisationOfGreediest(times: ServiceTimes, load: StatedLoad, bulksAMinute: number): number {
	const perMinute =
		load.requestsAMinute * databaseMs(times, "request") +
		load.callsAMinute * databaseMs(times, "listFiltered") +
		bulksAMinute * databaseMs(times, "bulk");
	return perMinute / 60_000;
}
