import "reflect-metadata";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as x509 from "@peculiar/x509";
import { readMember } from "./read-member.ts";
import { signCrl } from "./sign-crl.ts";

/**
 * Signs the root's next CRL, which keeps the entries of the one before, and prints it as the secret ROOT_CRL.
 *
 *   npm run root-crl -- --root dir [--revoke issuing.pem [--reason cACompromise]]
 *
 * `dir` is what create-authority.ts made: it reads root.key.pem, root.pem and root.crl, and writes root.crl. The list is
 * valid for a year: run this again before it ends.
 */

const VALIDITY_DAYS = 366;
const REASONS = ["cACompromise", "superseded", "cessationOfOperation"] as const;

/** @returns DER; without a CRL before, the first and empty one. */
export function createRootCrl(request: {
	/** Base64 PKCS#8 and base64 DER. */
	root: { key: string; certificate: string };
	previous?: Uint8Array;
	/** Base64 DER of an issuing authority. */
	revoked?: { certificate: string; reason: (typeof REASONS)[number] };
	now: Date;
}): Promise<Buffer> {
	const { root, previous = null, revoked, now } = request;
	const nextUpdate = new Date(now.getTime() + VALIDITY_DAYS * 86_400_000);
	const entries = revoked
		? [
				{
					serialNumber: new x509.X509Certificate(revoked.certificate).serialNumber,
					reason: x509.X509CrlReason[revoked.reason],
				},
			]
		: [];
	return signCrl({ signer: root, previous, revoked: entries, now, nextUpdate });
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
	const crl = await createRootCrl({
		root: await readMember(values.root, "root"),
		previous: await readFile(file),
		...(values.revoke && { revoked: { certificate: await readFile(values.revoke, "utf8"), reason } }),
		now: new Date(),
	});
	await writeFile(file, crl);
	console.log(`ROOT_CRL=${crl.toString("base64")}`);
}

if (import.meta.main) await main();
