import { FOUND_MAX, type FoundAny, type FoundOwn, findAnyThings, findOwnThings } from "../db/find.ts";
import { askEach } from "../directory.ts";
import { readSerial } from "../domain/certificate-serial.ts";
import { parseCodePrefix } from "../domain/code-form.ts";
import { readRut } from "../domain/rut.ts";
import { Unavailable } from "../unavailable.ts";
import type { Caller, PartnerCaller } from "./caller.ts";

/** Finds what the caller may mean by a text, at most eleven things of a kind: a code or its beginning, a reference, a batch, a serial, a RUT. */
export async function findOwn({ platform, db, partnerId }: PartnerCaller, text: string): Promise<FoundOwn> {
	const rut = readRut(text);
	return findOwnThings(db, {
		partnerId,
		text,
		prefix: parseCodePrefix(text),
		serial: readSerial(text),
		rutIndex: rut.ok ? await platform.index.of("rut", partnerId, rut.rut) : null,
	});
}

/** Finds what ops may mean by a text: a partner's id or the beginning of its name, a code or its beginning, a serial. Never a RUT. */
export async function findAny({ platform }: Caller, text: string): Promise<FoundAny> {
	const sought = { text, prefix: parseCodePrefix(text), serial: readSerial(text) };
	const { answers } = await askEach(platform, ({ db }) => findAnyThings(db, sought));
	const [first, ...others] = answers;
	if (!first) throw new Unavailable("db", "no database answered");
	// What one text cannot be, it cannot be in any database.
	return others.reduce(
		(all, found) => ({
			partner: unite(all.partner, found.partner),
			partners: unite(all.partners, found.partners),
			codes: unite(all.codes, found.codes),
			certificates: unite(all.certificates, found.certificates),
		}),
		first,
	);
}

function unite<Row>(some: readonly Row[] | null, more: readonly Row[] | null): readonly Row[] | null {
	return some && more && [...some, ...more].slice(0, FOUND_MAX + 1);
}
