import "reflect-metadata";
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import * as x509 from "@peculiar/x509";
import { readMember } from "./read-member.ts";
import { signCrl } from "./sign-crl.ts";

/**
 * Signs the last CRL of an issuing authority whose key leaked and will be destroyed: the entries of the last published
 * one, valid until the authority's own end.
 *
 *   npm run final-crl -- --authority dir --last published.crl --out final.crl
 *
 * `dir` is what create-authority.ts made: it reads issuing.key.pem and issuing.pem.
 */

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { authority: { type: "string" }, last: { type: "string" }, out: { type: "string" } },
	});
	const { authority, last, out } = values;
	if (!authority || !last || !out)
		throw new RangeError("usage: create-final-crl.ts --authority <dir> --last <crl> --out <file>");
	const signer = await readMember(authority, "issuing");
	const { notAfter } = new x509.X509Certificate(signer.certificate);
	const previous = await readFile(last);
	await writeFile(
		out,
		await signCrl({ signer, previous, revoked: [], now: new Date(), nextUpdate: notAfter }),
	);
}

await main();
