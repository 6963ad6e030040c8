import { hex, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";
import * as tbs from "./tbs.ts";

/** Revocations by serial in upper-case hex. `revokedAt` in epoch milliseconds. */
export type CrlEntries = Map<string, { revokedAt: number; reason: string }>;

const CRL_NUMBER = "2.5.29.20";
/** Extensions of an entry, in hex: reasonCode (2.5.29.21) alone. */
const REASON_ALONE = /^300c300a0603551d1504030a01(..)$/;
/** CRLReason of a holder's certificate (RFC 5280 §5.3.1). */
const REASONS: Record<string, string> = {
	...{ "01": "keyCompromise", "03": "affiliationChanged", "04": "superseded" },
	...{ "05": "cessationOfOperation", "09": "privilegeWithdrawn" },
};

/** Reads a TBSCertList of version 2 (RFC 5280 §5.1) to its last byte. Refuses what is not of the profile. */
export function readCrl(bytes: Uint8Array, authority: tbs.Authority, now: number) {
	return Walk.over(bytes, TAG.sequence, (list) => {
		demand(hex(list.whole(TAG.integer)) === "020101", "VERSION", "Send a CRL of version 2.");
		tbs.demandIssuer(list, authority);
		const [thisUpdate, nextUpdate] = [list.time(), list.time()];
		// RFC 5280 §5.1.2.6: without entries the list is left out.
		const hasEntries = list.next === TAG.sequence;
		const entries: CrlEntries = hasEntries
			? list.into(TAG.sequence, (revoked) => readEntries(revoked, now))
			: new Map();
		const extensions = tbs.readFramedExtensions(list, 0xa0);
		demand(Math.abs(thisUpdate - now) <= tbs.START_MS, "CRL_TIMES", "Send an update of now, by ten minutes.");
		// A longer time would hide revocations from whoever has the CRL.
		const isShort = nextUpdate > thisUpdate && nextUpdate <= thisUpdate + tbs.DAY_MS;
		demand(isShort, "CRL_TIMES", "Send a next update within a day.");
		const value = tbs.extensionValue(extensions, CRL_NUMBER);
		tbs.demandExtensions(extensions, authority, { [CRL_NUMBER]: value });
		const walk = new Walk(value);
		const number = Number(`0x0${hex(walk.integer())}`);
		walk.end();
		demand(Number.isSafeInteger(number), "CRL_NUMBER", "Send a number below 2^53.");
		return { number, entries };
	});
}

function readEntries(list: Walk, now: number): CrlEntries {
	demand(list.next !== undefined, "CRL_ENTRIES", "Leave the list out where it is empty.");
	const entries = new Map() as CrlEntries;
	list.each(() =>
		list.into(TAG.sequence, (entry) => {
			const serial = tbs.readSerial(entry);
			const revokedAt = entry.time();
			const reason = entry.next === undefined ? "unspecified" : readReason(entry);
			demand(!entries.has(serial), "CRL_ENTRIES", "Send each serial once.");
			demand(revokedAt <= now + tbs.SKEW_MS, "CRL_ENTRIES", "Send revocations that are not in the future.");
			entries.set(serial, { revokedAt, reason });
		}),
	);
	return entries;
}

/** Reads an entry's extensions: the reason alone, not critical. */
function readReason(entry: Walk): string {
	const [, code = ""] = REASON_ALONE.exec(hex(entry.whole(TAG.sequence))) ?? [];
	const reason = REASONS[code];
	demand(!!reason, "CRL_ENTRIES", "Send no more than a reason, and one that a holder's certificate has.");
	return reason;
}
