import type { Journal, Sighting } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/** Invariant 1: at most one certificate of a code ever left, and its code reads EMITTED. */
export function checkOneCertificate({ sightings }: Journal, { codes }: Snapshot): string[] {
	const byCode = new Map<string, Sighting[]>();
	for (const sighting of sightings)
		byCode.set(sighting.code, [...(byCode.get(sighting.code) ?? []), sighting]);
	return [...byCode].flatMap(([code, seen]) => {
		const row = codes.get(code);
		const files = new Set(seen.map(({ pfx }) => pfx).filter((pfx) => pfx !== null));
		const serials = new Set(seen.map(({ serial }) => serial).filter((serial) => serial !== null));
		const broken: string[] = [];
		if (files.size > 1) broken.push(`1: ${files.size} certificates of ${code} left the service`);
		if (!row || row.issued_at === null)
			broken.push(`1: a certificate of ${code} left, and it is not emitted`);
		for (const serial of serials)
			if (row?.certificate_serial !== serial)
				broken.push(`1: ${serial} left for ${code}, which names ${row?.certificate_serial}`);
		return broken;
	});
}

/** Invariant 2: every serial that was signed is in the register, its code's certificate or revoked. */
export function checkSignedSerials({ signed, noted }: Journal, { certificates, codes }: Snapshot): string[] {
	const entered = new Map(certificates.map((row) => [row.serial, row]));
	const broken: string[] = [];
	for (const serial of signed) {
		const row = entered.get(serial);
		if (!noted.has(serial)) broken.push(`2: ${serial} was signed and on no lease before`);
		if (!row) broken.push(`2: ${serial} was signed and is not in the register`);
		else if (row.code !== noted.get(serial))
			broken.push(`2: ${serial} of ${noted.get(serial)} is entered for ${row.code}`);
	}
	for (const { serial, code, revoked_at, issued_at } of certificates) {
		const isOfCode = codes.get(code)?.certificate_serial === serial && issued_at !== null;
		if (!isOfCode && revoked_at === null) broken.push(`2: ${serial} is not ${code}'s and not revoked`);
		if (isOfCode && revoked_at !== null && codes.get(code)?.cancelled_at === null)
			broken.push(`1: ${serial} is ${code}'s certificate, and nobody revoked it, and it is revoked`);
	}
	return broken;
}
