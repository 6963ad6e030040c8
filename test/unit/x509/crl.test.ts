import { bytesToHex } from "@noble/hashes/utils.js";
import "reflect-metadata";
import { AsnConvert } from "@peculiar/asn1-schema";
import { CertificateList } from "@peculiar/asn1-x509";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCrl, CrlEntries, type CrlReason } from "../../../src/x509/crl.ts";
import type { IssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import { createTestAuthority, now } from "./test-authority.ts";

/* Read back with @peculiar/x509, which shares no code with the builder. */

const NEXT_UPDATE = new Date("2026-11-21T12:00:00Z");
const REASON_CODE = "2.5.29.21";

/** CRLReason as RFC 5280 §5.3.1 numbers it, written out apart from the builder. */
const REASONS = {
	unspecified: 0,
	keyCompromise: 1,
	affiliationChanged: 3,
	superseded: 4,
	cessationOfOperation: 5,
	privilegeWithdrawn: 9,
} satisfies Record<CrlReason, number>;

let authority: IssuingAuthority;
let ecAuthority: IssuingAuthority;
beforeAll(async () => {
	[authority, ecAuthority] = await Promise.all([createTestAuthority(), createTestAuthority("p-384")]);
});

function entriesOf(...rows: readonly (readonly [serial: string, revokedAt: string, reason: CrlReason])[]) {
	const entries = new CrlEntries();
	for (const [serial, revokedAt, reason] of rows) entries.add(serial, Date.parse(revokedAt), reason);
	return entries;
}

async function build(entries = new CrlEntries(), number = 7, by = authority): Promise<x509.X509Crl> {
	return new x509.X509Crl(await buildCrl(by, { number, thisUpdate: now, nextUpdate: NEXT_UPDATE, entries }));
}

const serialOf = (n: number) => (0x40000000 + n).toString(16).toUpperCase().padEnd(32, "0");

describe("RFC 5280 §5.1: the list", () => {
	test("§5.1.2.1: is of version 2", async () => {
		expect((await build()).version).toBe(1);
	});

	test("§5.1.1.3: is signed by the issuing authority, RSA or P-384", async () => {
		for (const by of [authority, ecAuthority]) {
			const crl = await build(entriesOf([serialOf(1), "2026-11-20T11:00:00Z", "keyCompromise"]), 7, by);
			expect(await crl.verify({ publicKey: new x509.X509Certificate(by.certificate as BufferSource) })).toBe(
				true,
			);
		}
	});

	test("is not given out with a signature of other bytes", async () => {
		const signer = { ...authority.signer, sign: () => ecAuthority.signer.sign("crls", new Uint8Array(1)) };
		const by = { ...authority, signer };
		await expect(build(new CrlEntries(), 7, by)).rejects.toThrow("the CRL's signature does not verify");
	});

	test("§5.1.2.3: has as issuer the same bytes as the subject of the authority's certificate", async () => {
		const { certificate } = authority;
		const issuing = new x509.X509Certificate(certificate as BufferSource);
		expect(bytesToHex(new Uint8Array((await build()).issuerName.toArrayBuffer()))).toBe(
			bytesToHex(new Uint8Array(issuing.subjectName.toArrayBuffer())),
		);
	});

	test("§5.1.2.4 and §5.1.2.5: carries thisUpdate and nextUpdate, UTCTime through 2049 and GeneralizedTime after", async () => {
		const crl = await build();
		expect([crl.thisUpdate, crl.nextUpdate]).toEqual([now, NEXT_UPDATE]);
		const far = new Date("2050-01-01T00:00:00Z");
		const der = await buildCrl(authority, {
			number: 1,
			thisUpdate: new Date("2049-12-31T23:59:59Z"),
			nextUpdate: far,
			entries: new CrlEntries(),
		});
		const text = String.fromCharCode(...der);
		expect(text).toContain("\x17\x0d491231235959Z");
		expect(text).toContain("\x18\x0f20500101000000Z");
		expect(new x509.X509Crl(der).nextUpdate).toEqual(far);
	});

	test("§5.1.2.6: without revoked certificates revokedCertificates is absent, not empty", async () => {
		const { tbsCertList } = AsnConvert.parse((await build()).rawData, CertificateList);
		expect(tbsCertList.revokedCertificates).toBeUndefined();
	});

	test("§5.2.1: carries the authority's key identifier, not critical", async () => {
		const extension = (await build()).getExtension(x509.AuthorityKeyIdentifierExtension);
		expect(extension?.keyId).toBe(bytesToHex(authority.subjectKeyId));
		expect(extension?.critical).toBe(false);
	});

	test.each([1, 127, 128, 255, 65_536, 2 ** 31, 2 ** 40])(
		"§5.2.3: carries CRL number %d, not critical",
		async (number) => {
			const extension = (await build(new CrlEntries(), number)).getExtension("2.5.29.20");
			expect(extension?.critical).toBe(false);
			const bytes = new Uint8Array(extension!.value).subarray(2);
			expect(bytes[0]! < 0x80).toBe(true);
			expect(bytes.reduce((value, byte) => value * 256 + byte, 0)).toBe(number);
		},
	);
});

describe("RFC 5280 §5.3: an entry", () => {
	test("has the serial and the time of revocation, to the second", async () => {
		const serial = "4F00000000000000000000000000ABCD";
		const [entry] = (await build(entriesOf([serial, "2026-11-19T08:07:06.999Z", "superseded"]))).entries;
		expect(entry?.serialNumber.toUpperCase()).toBe(serial);
		expect(entry?.revocationDate).toEqual(new Date("2026-11-19T08:07:06Z"));
	});

	test.each(Object.entries(REASONS).filter(([, code]) => code !== 0))(
		"§5.3.1: carries the reason %s as %d, not critical",
		async (reason, code) => {
			const [entry] = (await build(entriesOf([serialOf(1), "2026-11-19T00:00:00Z", reason as CrlReason])))
				.entries;
			expect(entry?.reason).toBe(code);
			expect(entry?.extensions.map(({ type, critical }) => [type, critical])).toEqual([[REASON_CODE, false]]);
		},
	);

	test("§5.3.1: of reason unspecified has no reasonCode, and no extensions at all", async () => {
		const [entry] = (await build(entriesOf([serialOf(1), "2026-11-19T00:00:00Z", "unspecified"]))).entries;
		expect(entry?.extensions).toEqual([]);
		expect(entry?.reason).toBeUndefined();
	});

	test("stays in its place: 700 entries are listed in the order in which they were added", async () => {
		const entries = new CrlEntries();
		const reasons = Object.keys(REASONS) as CrlReason[];
		const serials = Array.from({ length: 700 }, (_, n) => serialOf(n));
		for (const [n, serial] of serials.entries())
			entries.add(serial, now.getTime() - n * 1000, reasons[n % reasons.length]!);
		const crl = await build(entries);
		expect(crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase())).toEqual(serials);
		expect(crl.entries[699]?.revocationDate).toEqual(new Date(now.getTime() - 699_000));
	});
});
