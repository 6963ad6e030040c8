import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { expect, test } from "vitest";
import { algorithmOf, keyOfFile } from "../../../scripts/authority-key.ts";
import { DerError, derNull } from "../../../src/x509/der.ts";
import { loadIssuingAuthority } from "../../../src/x509/issuing-authority.ts";
import { readCrl } from "../../../src/x509/read-crl.ts";
import { createTestAuthority, createTestSettings, now } from "./test-authority.ts";

/* CRLs written with @peculiar/x509, which shares no code with the reader. */

const { keyCompromise, certificateHold } = x509.X509CrlReason;
const ODD = [new x509.Extension("1.2.3.4", true, derNull as Uint8Array<ArrayBuffer>)];

/** Entries as they are written, and the reason that is read. */
const ENTRIES: readonly (readonly [x509.X509CrlEntryParams, string])[] = [
	[{ serialNumber: "F0".repeat(16), revocationDate: new Date("1999-12-31T23:59:59Z") }, "unspecified"],
	[{ serialNumber: "4A".repeat(16), revocationDate: now, reason: keyCompromise }, "keyCompromise"],
	[{ serialNumber: "4B", revocationDate: now, reason: keyCompromise, invalidity: now }, "keyCompromise"],
	[{ serialNumber: "4C", revocationDate: now, reason: certificateHold }, "unspecified"],
	[{ serialNumber: "4D", revocationDate: new Date("2049-12-31T23:59:59Z"), extensions: ODD }, "unspecified"],
	[{ serialNumber: "4E", revocationDate: new Date("2050-01-01T00:00:00Z") }, "unspecified"],
];

test.each(["rsa-3072", "p-384"] as const)(
	"RFC 5280 §5.1: every entry of the authority's own CRL is read, and none of another's (%s)",
	async (keyType) => {
		const settings = await createTestSettings(keyType);
		const authority = await loadIssuingAuthority(settings);
		const issuer = new x509.X509Certificate(settings.certificate);
		const { signingKey } = await keyOfFile(settings.key, issuer);
		const signingAlgorithm = algorithmOf(issuer.publicKey);
		const write = async (entries: x509.X509CrlEntryParams[], nextUpdate?: Date) => {
			const parts = { issuer: issuer.subjectName, thisUpdate: now, entries, signingKey, signingAlgorithm };
			const crl = await x509.X509CrlGenerator.create({ ...parts, ...(nextUpdate && { nextUpdate }) });
			return new Uint8Array(crl.rawData);
		};
		const der = await write(
			ENTRIES.map(([entry]) => entry),
			new Date("2050-01-01T00:00:00Z"),
		);
		expect([...(await readCrl(authority, der))]).toEqual(
			ENTRIES.map(([{ serialNumber: serial, revocationDate }, reason]) => {
				return { serial, revokedAt: revocationDate!.getTime(), reason };
			}),
		);
		expect([...(await readCrl(authority, await write([])))]).toEqual([]);
		await expect(readCrl(await createTestAuthority(keyType), der)).rejects.toThrow(DerError);
		const other = await createTestAuthority(keyType === "p-384" ? "rsa-3072" : "p-384");
		await expect(readCrl(other, der)).rejects.toThrow(DerError);
	},
);
