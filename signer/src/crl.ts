import { hex, TAG, Walk } from "./der.ts";
import { demand } from "./refusal.ts";
import {
	type Authority,
	DAY_MS,
	demandExtensions,
	demandIssuer,
	readExtensions,
	readFramedExtensions,
	readSerial,
	SKEW_MS,
	START_MS,
} from "./tbs.ts";

/** A revocation. `revokedAt` in epoch milliseconds. */
export interface CrlEntry {
	revokedAt: number;
	reason: string;
}

export interface AskedCrl {
	number: number;
	/** By serial in upper-case hex. */
	entries: Map<string, CrlEntry>;
}

const CRL_NUMBER = "2.5.29.20";
const REASON_CODE = "2.5.29.21";
/** CRLReason of a holder's certificate (RFC 5280 §5.3.1). */
const REASONS: Record<string, string> = {
	...{ "01": "keyCompromise", "03": "affiliationChanged", "04": "superseded" },
	...{ "05": "cessationOfOperation", "09": "privilegeWithdrawn" },
};

/** Reads a TBSCertList of version 2 (RFC 5280 §5.1) to its last byte. Refuses what is not of the profile. */
export function readCrl(bytes: Uint8Array, authority: Authority, now: number): AskedCrl {
	return Walk.over(bytes, TAG.sequence, (tbs) => {
		demand(hex(tbs.whole(TAG.integer)) === "020101", "VERSION", "Send a CRL of version 2.");
		demandIssuer(tbs, authority);
		const [thisUpdate, nextUpdate] = [tbs.time(), tbs.time()];
		// RFC 5280 §5.1.2.6: without entries the list is left out.
		const hasEntries = tbs.next === TAG.sequence;
		const entries = hasEntries ? tbs.into(TAG.sequence, (list) => readEntries(list, now)) : new Map();
		const extensions = readFramedExtensions(tbs, 0xa0);
		demand(
			Math.abs(thisUpdate - now) <= START_MS,
			"CRL_TIMES",
			"Send an update at most ten minutes from now.",
		);
		// A longer time would hide revocations from whoever has the CRL.
		const isShort = nextUpdate > thisUpdate && nextUpdate <= thisUpdate + DAY_MS;
		demand(isShort, "CRL_TIMES", "Send a next update within a day.");
		const value = extensions.get(CRL_NUMBER)?.value ?? new Uint8Array();
		demandExtensions(extensions, authority, { [CRL_NUMBER]: value });
		const walk = new Walk(value);
		const number = Number(`0x0${hex(walk.integer())}`);
		walk.end();
		demand(Number.isSafeInteger(number), "CRL_NUMBER", "Send a number below 2^53.");
		return { number, entries };
	});
}

function readEntries(list: Walk, now: number): Map<string, CrlEntry> {
	demand(list.next !== undefined, "CRL_ENTRIES", "Leave the list out where it is empty.");
	const entries = new Map<string, CrlEntry>();
	while (list.next !== undefined)
		list.into(TAG.sequence, (entry) => {
			const serial = readSerial(entry);
			const revokedAt = entry.time();
			const reason = entry.next === undefined ? "unspecified" : entry.into(TAG.sequence, readReason);
			demand(!entries.has(serial), "CRL_ENTRIES", "Send each serial once.");
			demand(revokedAt <= now + SKEW_MS, "CRL_ENTRIES", "Send revocations that are not in the future.");
			entries.set(serial, { revokedAt, reason });
		});
	return entries;
}

/** Reads an entry's extensions: the reason alone, not critical. */
function readReason(list: Walk): string {
	const [[name, { critical, value }] = ["", { critical: true, value: new Uint8Array() }], ...more] =
		readExtensions(list);
	const reason = hex(value).startsWith("0a01") ? REASONS[hex(value).slice(4)] : undefined;
	const isAlone = name === REASON_CODE && !critical && more.length === 0;
	demand(
		isAlone && reason !== undefined,
		"CRL_ENTRIES",
		"Send the reason alone, one that a holder's certificate can have.",
	);
	return reason;
}
