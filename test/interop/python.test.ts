import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { generateHolderKeyPair, type KeyAlgorithm } from "../../src/x509/holder-key.ts";
import { maria, pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { python } from "./pfx-openers.ts";
import { testsWith } from "./tool-test.ts";

const test = testsWith("python3-cryptography");

/* python3-cryptography, on which Odoo and cl_sii stand. */

const CASES = (["rsa-3072", "p-384"] as const).flatMap((authority) =>
	(["rsa-2048", "ec-p256"] as const).flatMap((keyAlgorithm) =>
		(["modern", "legacy"] as const).map((pfxProfile) => ({ authority, keyAlgorithm, pfxProfile })),
	),
);
const holder = { ...maria, rut: "7654302-K" };
const ia5 = (text: string) =>
	`16${text.length.toString(16).padStart(2, "0")}${Buffer.from(text).toString("hex")}`;

const files: { pfx: Uint8Array; pin: string }[] = [];
beforeAll(async () => {
	const pairs: Record<KeyAlgorithm, Promise<CryptoKeyPair>> = {
		"rsa-2048": generateHolderKeyPair("rsa-2048"),
		"ec-p256": generateHolderKeyPair("ec-p256"),
	};
	const authorities = {
		"rsa-3072": await createAuthorityToday("rsa-3072"),
		"p-384": await createAuthorityToday("p-384"),
	};
	for (const { authority, keyAlgorithm, pfxProfile } of CASES) {
		const differences = { keyAlgorithm, pfxProfile, holder, keyPair: pairs[keyAlgorithm] };
		files.push({ ...(await issueToday(authorities[authority].authority, differences)), pin });
	}
});

/** Runs read-pfx.py. @returns what it says of each file; `error` alone where one does not open */
function readByPython(read: typeof files): object[] {
	const input = read.map(({ pfx, pin }) => ({ pfx: Buffer.from(pfx).toString("base64"), pin }));
	const output = execFileSync(python, [join(import.meta.dirname, "read-pfx.py")], {
		input: JSON.stringify(input),
		encoding: "utf8",
		env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
	});
	return JSON.parse(output) as object[];
}

describe("python3-cryptography opens", () => {
	let opened: object[];
	const find = (name: (typeof CASES)[number]) => {
		opened ??= readByPython(files);
		return opened[CASES.indexOf(name)];
	};

	for (const name of CASES) {
		const { authority, keyAlgorithm, pfxProfile } = name;
		test(`a ${pfxProfile} PFX with ${keyAlgorithm} under ${authority}: names, RUTs, key and chain`, () => {
			expect(find(name)).toEqual({
				friendlyName: holder.fullName,
				subject: {
					"2.5.4.6": "CL",
					"2.5.4.3": holder.fullName,
					"1.2.840.113549.1.9.1": holder.email,
					"2.5.4.5": "7654302-K",
					"2.5.4.12": "PERSONA NATURAL",
				},
				subjectAltName: [
					["1.3.6.1.4.1.8321.1", ia5("7654302-K")],
					["RFC822Name", holder.email],
				],
				issuerAltName: [["1.3.6.1.4.1.8321.2", ia5("76123456-0")]],
				critical: ["2.5.29.19", "2.5.29.15"],
				keyUsage: [
					"digital_signature",
					"content_commitment",
					...(keyAlgorithm === "rsa-2048" ? ["key_encipherment"] : []),
				],
				keyMatches: true,
				signs: true,
				chain: [holder.fullName, expect.stringContaining("Issuing CA"), expect.stringContaining("Root CA")],
				chainVerifies: true,
			});
		});
	}

	test("neither profile with another PIN, and nothing that was altered", () => {
		const altered = files.slice(0, 2).map(({ pfx }) => {
			const copy = Uint8Array.from(pfx);
			copy[200]! ^= 1;
			return { pfx: copy, pin };
		});
		const wrong = [...files.slice(0, 2).map(({ pfx }) => ({ pfx, pin: "0000" })), ...altered];
		const refused = readByPython(wrong).map((answer) => Object.keys(answer));
		expect(refused).toEqual(wrong.map(() => ["error"]));
	});
});
