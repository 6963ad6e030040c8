import { beforeAll, describe, expect, test } from "vitest";
import { generateHolderKeyPair, type KeyAlgorithm } from "../../src/x509/holder-key.ts";
import { maria, pin } from "../unit/x509/test-authority.ts";
import { certificateWith, lockUp, NAMES } from "./foreign-certificate.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { runPython } from "./python.ts";
import { readLikeDerafu, readLikeLibreDte } from "./rut-readers.ts";
import { testWith } from "./tool-test.ts";

/* Every reader has to find one and the same RUT, in the one form that the tax authority takes. */

interface ByPython {
	odoo: string | { error: string };
	cl_sii: string | { error: string };
}

const PEOPLE = [
	["12345678-5", "MARÍA JOSÉ DEL RÍO O'HIGGINS"],
	["10000013-K", "JOSÉ ROJAS"],
	["5126663-3", "ROSA ESTER SILVA TAPIA"],
	["7654302-K", "Ñusta Ñancupil, Agüero & Cía."],
	["99999999-9", "Juan Pérez 12345678-5"],
	["100000-4", `Nombre ${"Larguísimo ".repeat(9)}`.trim()],
	["23-9", "X"],
	["6-K", "CN=Otro/serialNumber=11111111-1"],
] as const;
/** RUTType of the tax authority's SiiTypes_v10.xsd: 3 to 10 characters. */
const RUT_TYPE = /^(?=.{3,10}$)[0-9]+-([0-9]|K)$/;
const KEYS: KeyAlgorithm[] = ["rsa-2048", "ec-p256"];

let authority: Awaited<ReturnType<typeof createAuthorityToday>>["authority"];
beforeAll(async () => {
	({ authority } = await createAuthorityToday());
});

describe.each(KEYS)("a certificate of ours with %s", (keyAlgorithm) => {
	const issued: Awaited<ReturnType<typeof issueToday>>[] = [];
	let byPython: ByPython[];
	beforeAll(async () => {
		const keyPair = generateHolderKeyPair(keyAlgorithm);
		for (const [rut, fullName] of PEOPLE) {
			const holder = { ...maria, rut, fullName };
			issued.push(await issueToday(authority, { keyAlgorithm, keyPair, holder }));
		}
	});

	for (const [index, [rut, name]] of PEOPLE.entries()) {
		test(`LibreDTE and derafu read ${rut} of ${name}`, () => {
			const { leaf } = issued[index]!;
			expect([readLikeLibreDte(leaf), readLikeDerafu(leaf)]).toEqual([rut, rut]);
			expect(rut).toMatch(RUT_TYPE);
		});
		testWith("python3-cryptography", `Odoo and cl_sii read ${rut} of ${name}`, () => {
			byPython ??= runPython<ByPython>(
				"read-ruts.py",
				issued.map(({ pfx }) => ({ pfx, pin })),
			);
			expect(byPython[index]).toEqual({ odoo: rut, cl_sii: rut });
		});
	}
});

describe("a certificate of another making shows that the readers differ:", () => {
	const { rut, email, upn } = NAMES;
	const FOREIGN: [
		what: string,
		serial: string | null,
		names: Uint8Array[] | null,
		read: (string | null)[],
	][] = [
		["the profile's own form", "12345678-5", [rut("12345678-5"), email], Array(4).fill("12345678-5")],
		[
			"the e-mail first",
			"12345678-5",
			[email, rut("12345678-5")],
			[null, "12345678-5", "12345678-5", "12345678-5"],
		],
		[
			"another otherName first",
			"12345678-5",
			[upn("a-1"), rut("1-9")],
			["A-1", "12345678-5", "12345678-5", "1-9"],
		],
		["a UTF8String", null, [rut("12345678-5", 0x0c), email], [null, null, null, "12345678-5"]],
		["no subjectAltName", "12345678-5", null, ["12345678-5", "12345678-5", "12345678-5", null]],
		["no serialNumber", null, [rut("12345678-5")], ["12345678-5", "12345678-5", null, "12345678-5"]],
		["two RUTs", "1-9", [rut("1-9"), rut("2-7")], ["1-9", "1-9", "1-9", null]],
		["a lower-case k", "10000013-k", [rut("10000013-k")], [null, null, "10000013-k", "10000013-K"]],
		[
			"leading zeros",
			"05126663-3",
			[rut("05126663-3")],
			["5126663-3", "5126663-3", "5126663-3", "5126663-3"],
		],
		["dots", "12.345.678-5", [rut("12.345.678-5")], ["12.345.678-5", "12.345.678-5", null, "678-5"]],
		["a prefix", "PNOCL-1-9", [rut("1-9")], ["1-9", "PNOCL-1-9", null, "1-9"]],
	];

	test.each(FOREIGN)("%s, by LibreDTE and derafu", async (_what, serial, names, [libreDte, derafu]) => {
		const { der } = await certificateWith(serial, names);
		expect([orNull(readLikeLibreDte, der), orNull(readLikeDerafu, der)]).toEqual([libreDte, derafu]);
	});
	testWith("python3-cryptography", "each of them, by Odoo and cl_sii", async () => {
		const files = await Promise.all(
			FOREIGN.map(async ([, serial, names]) => lockUp(await certificateWith(serial, names))),
		);
		const read = runPython<ByPython>("read-ruts.py", files).map(({ odoo, cl_sii }) =>
			[odoo, cl_sii].map((found) => (typeof found === "string" ? found : null)),
		);
		expect(read).toEqual(FOREIGN.map(([, , , [, , odoo, clSii]]) => [odoo, clSii]));
	});
});

function orNull(read: (der: Uint8Array) => string, der: Uint8Array): string | null {
	try {
		return read(der);
	} catch {
		return null;
	}
}
