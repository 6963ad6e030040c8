import { DAY_MS } from "../src/domain/durations.ts";
import "reflect-metadata";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as x509 from "@peculiar/x509";
import { readMember } from "./read-member.ts";
import { type CrlSigner, readCrlNumber, signCrl } from "./sign-crl.ts";

/**
 * Signs the root's next CRL, which keeps the entries of the one before, and prints it as the secret ROOT_CRL; its number,
 * and what --revoke did, go to stderr.
 *
 *   npm run root-crl -- --root dir [--revoke issuing.pem [--reason cACompromise]]
 *
 * `dir` is what create-authority.ts made: it reads root.key.pem, root.pem and root.crl, and writes root.crl. The list is
 * valid for a year: run this again before it ends.
 */

const VALIDITY_DAYS = 366;
const REASONS = ["cACompromise", "superseded", "cessationOfOperation"] as const;

/**
 * @returns DER; without a CRL before, the first and empty one.
 * @throws where the root did not sign what is to be revoked.
 */
export async function createRootCrl(request: {
	root: CrlSigner;
	previous?: Uint8Array;
	/** Base64 DER of an issuing authority. */
	revoked?: { certificate: string; reason: (typeof REASONS)[number] };
	now: Date;
}): Promise<Buffer> {
	const { root, previous = null, revoked, now } = request;
	const nextUpdate = new Date(now.getTime() + VALIDITY_DAYS * DAY_MS);
	const entries = [];
	if (revoked) {
		const issuing = new x509.X509Certificate(revoked.certificate);
		await requireIssuedBy(new x509.X509Certificate(root.certificate), issuing);
		entries.push({ serialNumber: issuing.serialNumber, reason: x509.X509CrlReason[revoked.reason] });
	}
	return signCrl({ signer: root, previous, revoked: entries, now, nextUpdate });
}

async function requireIssuedBy(root: x509.X509Certificate, issuing: x509.X509Certificate): Promise<void> {
	if (issuing.equal(root)) throw new RangeError("--revoke takes an issuing authority, and this is the root");
	if (!(await issuing.verify({ publicKey: root, signatureOnly: true })))
		throw new RangeError(
			`--revoke takes an issuing authority that this root signed: not ${issuing.subject}, signed by ${issuing.issuer}`,
		);
}

/** Lines that a person at the ceremony compares with the certificate. */
function describe(previous: Uint8Array, crl: Uint8Array, revoked: string | null): string {
	const [before, after] = [previous, crl].map((der) => new x509.X509Crl(der as BufferSource)) as [
		x509.X509Crl,
		x509.X509Crl,
	];
	const number = `CRL number ${readCrlNumber(after)}, until ${after.nextUpdate?.toISOString()}`;
	if (revoked === null) return number;
	const { subject, serialNumber } = new x509.X509Certificate(revoked);
	const listed = before.entries.some((entry) => entry.serialNumber === serialNumber);
	return `${listed ? "already listed" : "revoked"}: ${subject}, serial ${serialNumber}\n${number}`;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			root: { type: "string" },
			revoke: { type: "string" },
			reason: { type: "string", default: "cACompromise" },
		},
	});
	const reason = REASONS.find((name) => name === values.reason);
	if (!values.root || !reason)
		throw new RangeError(
			`usage: create-root-crl.ts --root <dir> [--revoke <issuing.pem> [--reason ${REASONS.join("|")}]]`,
		);
	const file = join(values.root, "root.crl");
	const previous = await readFile(file);
	const certificate = values.revoke ? await readFile(values.revoke, "utf8") : null;
	const crl = await createRootCrl({
		root: await readMember(values.root, "root"),
		previous,
		...(certificate !== null && { revoked: { certificate, reason } }),
		now: new Date(),
	});
	await writeFile(file, crl);
	console.error(describe(previous, crl, certificate));
	console.log(`ROOT_CRL=${crl.toString("base64")}`);
}

if (import.meta.main)
	await main().catch((error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
