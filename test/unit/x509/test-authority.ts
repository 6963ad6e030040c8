import { createAuthority } from "../../../scripts/create-authority.ts";
import type { IssueInput } from "../../../src/x509/issue-certificate.ts";
import {
	type AuthoritySettings,
	type IssuingAuthority,
	loadIssuingAuthority,
} from "../../../src/x509/issuing-authority.ts";
import { encodeLeaf, type LeafInput } from "../../../src/x509/leaf.ts";
import { frameSigned } from "../../../src/x509/signatures.ts";
import type { Holder } from "../../../src/x509/subject-name.ts";

export const now = new Date("2026-11-20T12:00:00Z");
export const pin = "4711";

export const maria: Holder = {
	rut: "12345678-5",
	fullName: "María José Ñuñoa O'Higgins",
	email: "maria.jose@example.cl",
};

/** Settings of a fresh authority, as the Worker would find them in its secrets. */
export async function createTestSettings(
	keyType: "rsa-3072" | "p-384" = "rsa-3072",
	createdAt = now,
): Promise<AuthoritySettings> {
	const { root, issuing } = await createAuthority({
		commonNamePrefix: "TEST Partner Certificates",
		organization: "TEST Organization",
		rut: "76123456-0",
		keyType,
		pkiUrl: "http://pki.example.cl/pki",
		now: createdAt,
	});
	return {
		key: issuing.key,
		certificate: issuing.certificate,
		root: root.certificate,
		rut: "76123456-0",
		policyOid: "1.3.6.1.4.1.99999.1.1",
		cpsUrl: "https://pki.example.cl/cps",
		pkiUrl: "http://pki.example.cl/pki",
	};
}

export async function createTestAuthority(
	...settings: Parameters<typeof createTestSettings>
): Promise<IssuingAuthority> {
	return loadIssuingAuthority(await createTestSettings(...settings));
}

/** A signed leaf, linted or not. @returns DER Certificate */
export async function buildLeaf(authority: IssuingAuthority, input: LeafInput): Promise<Uint8Array> {
	const tbs = await encodeLeaf(authority, input);
	return frameSigned(authority.signer, tbs, (await authority.signer.sign("certificates", tbs)).signature);
}

/** A one-year certificate for María, modern, RSA; tests say what differs. */
export function issueInput(differences: Partial<IssueInput> = {}): IssueInput {
	return {
		serial: Uint8Array.from({ length: 16 }, (_, i) => 0x41 + i),
		notBefore: new Date("2026-11-20T11:55:00Z"),
		notAfter: new Date("2027-11-20T12:00:00Z"),
		holder: maria,
		keyAlgorithm: "rsa-2048",
		pfxProfile: "modern",
		pin,
		...differences,
	};
}
