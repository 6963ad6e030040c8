import { hex, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";
import * as tbs from "./tbs.ts";

/** Revocations by serial in upper-case hex. `revokedAt` in epoch milliseconds. */
export type CrlEntries = Map<string, { revokedAt: number; reason: string }>;

const CRL_NUMBER = "2.5.29.20";
const REASON_CODE = "2.5.29.21";
/** CRLReason of a holder's certificate (RFC 5280 §5.3.1), by its DER in hex. */
const REASONS: Record<string, string> = {
	...{ "0a0101": "keyCompromise", "0a0103": "affiliationChanged", "0a0104": "superseded" },
	...{ "0a0105": "cessationOfOperation", "0a0109": "privilegeWithdrawn" },
};

/** Reads a TBSCertList of version 2 (RFC 5280 §5.1) to its last byte. Refuses what is not of the profile. */
export function readCrl(bytes: Uint8Array, authority: tbs.Authority, now: number) {
	return Walk.over(bytes, TAG.sequence, (walk) => {
		demand(hex(walk.whole(TAG.integer)) === "020101", "VERSION", "Send a CRL of version 2.");
		tbs.demandIssuer(walk, authority);
		const [thisUpdate, nextUpdate] = [walk.time(), walk.time()];
		// RFC 5280 §5.1.2.6: without entries the list is left out.
		const hasEntries = walk.next === TAG.sequence;
		const entries: CrlEntries = hasEntries
			? walk.into(TAG.sequence, (list) => readEntries(list, now))
			: new Map();
		const extensions = tbs.readFramedExtensions(walk, 0xa0);
		demand(Math.abs(thisUpdate - now) <= tbs.START_MS, "CRL_TIMES", "Send an update of now, by ten minutes.");
		// A longer time would hide revocations from whoever has the CRL.
		const isShort = nextUpdate > thisUpdate && nextUpdate <= thisUpdate + tbs.DAY_MS;
		demand(isShort, "CRL_TIMES", "Send a next update within a day.");
		const value = extensions.get(CRL_NUMBER)?.value ?? new Uint8Array();
		tbs.demandExtensions(extensions, authority, { [CRL_NUMBER]: value });
		const number = readNumber(new Walk(value));
		demand(Number.isSafeInteger(number), "CRL_NUMBER", "Send a number below 2^53.");
		return { number, entries };
	});
}

function readNumber(value: Walk): number {
	const number = Number(`0x0${hex(value.integer())}`);
	value.end();
	return number;
}

function readEntries(list: Walk, now: number): CrlEntries {
	demand(list.next !== undefined, "CRL_ENTRIES", "Leave the list out where it is empty.");
	const entries = new Map() as CrlEntries;
	while (list.next !== undefined)
		list.into(TAG.sequence, (entry) => {
			const serial = tbs.readSerial(entry);
			const revokedAt = entry.time();
			const reason = entry.next === undefined ? "unspecified" : entry.into(TAG.sequence, readReason);
			demand(!entries.has(serial), "CRL_ENTRIES", "Send each serial once.");
			demand(revokedAt <= now + tbs.SKEW_MS, "CRL_ENTRIES", "Send revocations that are not in the future.");
			entries.set(serial, { revokedAt, reason });
		});
	return entries;
}

/** Reads an entry's extensions: the reason alone, not critical. */
function readReason(list: Walk): string {
	const extensions = tbs.readExtensions(list);
	const { critical = true, value = new Uint8Array() } = extensions.get(REASON_CODE) ?? {};
	const reason = extensions.size === 1 && !critical ? REASONS[hex(value)] : undefined;
	demand(
		reason !== undefined,
		"CRL_ENTRIES",
		"Send no more than a reason, and one that a holder's certificate has.",
	);
	return reason;
}
