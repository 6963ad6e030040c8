import "reflect-metadata";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as x509 from "@peculiar/x509";
import { type AuthorityNames, certifyIssuing, certifyRoot, type Validity } from "./authority-certificates.ts";
import { generateKeys, type KeyType, keyOfFile, keyOfPair } from "./authority-key.ts";
import { createOcspResponder } from "./create-ocsp-responder.ts";
import { createRootCrl } from "./create-root-crl.ts";
import { readMember } from "./read-member.ts";
import { runCommand, UsageError } from "./run-command.ts";

/**
 * Creates a root and its CRL, an issuing authority under it, and that authority's OCSP responder.
 *
 *   npm run authority -- --name "TEST Partner Certificates" --pki-url http://pki.your-zone.cl/pki --out dir
 *        [--organization "…" --rut 76123456-0] [--key rsa-3072|p-384] [--root dir]
 *
 *   npm run authority -- --ceremony file --module /usr/lib/softhsm/libsofthsm2.so --slot label --out dir [--pin-file file]
 *        [--reviewed fingerprint]
 *
 * The second form keeps the key in a token (ceremony.ts); without --pin-file the PIN is in TOKEN_PIN.
 * `--root`: another issuing authority under the root of that folder, by a name that is not taken. Organization and RUT may be left out when the name has TEST in it.
 * The root's key is for a safe, never for the Worker. `secrets.env` holds what `npm run deploy -- ENV --secrets-file` is to be given.
 * Refuses to overwrite.
 */

export interface AuthorityRequest extends AuthorityNames {
	keyType?: KeyType;
	/** PKI_URL: the issuing certificate names `root.crl` and `root.cer` there. */
	pkiUrl: string;
	now: Date;
}

/** One member of the hierarchy: base64 one-liners (DER) for settings, PEM for people. */
export interface CreatedMember {
	key: string;
	keyPem: string;
	certificate: string;
	certificatePem: string;
}

const ROOT_YEARS = 20;
const ISSUING_YEARS = 10;
const TEST_RUT = "76123456-0";

/** Creates both, both valid from `now`: the root for 20 years, the issuing authority for 10. @throws RangeError when a name is not printable ASCII */
export async function createAuthority(
	request: AuthorityRequest,
): Promise<{ root: CreatedMember; issuing: CreatedMember }> {
	const keys = await generateKeys(request.keyType ?? "rsa-3072");
	const certificate = await certifyRoot(request, keyOfPair(keys), yearsFrom(request.now, ROOT_YEARS));
	const root = await exportMember(certificate, keys.privateKey);
	return { root, issuing: await createIssuing(request, root) };
}

/** Creates an issuing authority under an existing root, for 10 years or as long as the root is valid. */
export async function createIssuing(
	request: AuthorityRequest,
	root: Pick<CreatedMember, "key" | "certificate">,
): Promise<CreatedMember> {
	const issuer = new x509.X509Certificate(root.certificate);
	const keys = await generateKeys(request.keyType ?? "rsa-3072");
	const certificate = await certifyIssuing(
		request,
		keys.publicKey,
		{ key: await keyOfFile(root.key, issuer), certificate: issuer },
		yearsFrom(request.now, ISSUING_YEARS),
	);
	return exportMember(certificate, keys.privateKey);
}

async function exportMember(certificate: x509.X509Certificate, key: CryptoKey): Promise<CreatedMember> {
	const pkcs8 = (await crypto.subtle.exportKey("pkcs8", key)) as ArrayBuffer;
	return {
		key: Buffer.from(pkcs8).toString("base64"),
		keyPem: x509.PemConverter.encode(pkcs8, "PRIVATE KEY"),
		certificate: Buffer.from(certificate.rawData).toString("base64"),
		certificatePem: certificate.toString("pem"),
	};
}

function yearsFrom(from: Date, years: number): Validity {
	const until = new Date(from);
	until.setUTCFullYear(from.getUTCFullYear() + years);
	return { from, until };
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			name: { type: "string" },
			out: { type: "string" },
			root: { type: "string" },
			"pki-url": { type: "string" },
			organization: { type: "string" },
			rut: { type: "string" },
			key: { type: "string", default: "rsa-3072" },
			ceremony: { type: "string" },
			module: { type: "string" },
			slot: { type: "string" },
			"pin-file": { type: "string" },
			reviewed: { type: "string" },
		},
	});
	if (values.module || values.ceremony) return inToken(values);
	const { name, out, key, "pki-url": pkiUrl } = values;
	if (!name || !out || !pkiUrl || (key !== "rsa-3072" && key !== "p-384")) {
		throw new RangeError(
			"usage: create-authority.ts --name <text> --pki-url <url> --out <dir> [--key rsa-3072|p-384] [--root <dir>]",
		);
	}
	if (!/^http:\/\/[^/?#]+\/pki$/.test(pkiUrl)) throw new RangeError("--pki-url takes http://<host>/pki");
	const forTests = name.includes("TEST");
	const organization = values.organization ?? (forTests ? name : undefined);
	const rut = values.rut ?? (forTests ? TEST_RUT : undefined);
	if (!organization || !rut) throw new RangeError("a real authority needs --organization and --rut");
	const now = new Date();
	const request: AuthorityRequest = { commonNamePrefix: name, organization, rut, keyType: key, pkiUrl, now };

	await mkdir(out, { recursive: true, mode: 0o700 });
	const write = (file: string, content: string | Uint8Array, mode: number) =>
		writeFile(join(out, file), content, { mode, flag: "wx" });
	const { root, issuing, rootCrl } = values.root
		? await createUnder(values.root, request)
		: await createWithRoot(request, write);
	const responder = await createOcspResponder({ issuing, now });
	const secrets = [
		`ISSUING_KEY=${issuing.key}`,
		`ISSUING_CERTIFICATE=${issuing.certificate}`,
		`ROOT_CERTIFICATE=${root.certificate}`,
		`ROOT_CRL=${rootCrl.toString("base64")}`,
		`OCSP_KEY=${responder.key}`,
		`OCSP_CERTIFICATE=${responder.certificate}`,
	];
	await write("issuing.key.pem", `${issuing.keyPem}\n`, 0o600);
	await write("issuing.pem", `${issuing.certificatePem}\n`, 0o644);
	await write("secrets.env", `${secrets.join("\n")}\n`, 0o600);
	console.log(`${out}: issuing.key.pem, issuing.pem, secrets.env`);
}

async function inToken(values: Record<string, string | undefined>): Promise<void> {
	const { ceremony, module, slot, out, reviewed = null, "pin-file": pinFile } = values;
	const pin = pinFile === undefined ? process.env.TOKEN_PIN : (await readFile(pinFile, "utf8")).trim();
	if (!ceremony || !module || !slot || !out || !pin)
		throw new UsageError(
			"usage: create-authority.ts --ceremony <file> --module <library> --slot <label or number> --out <dir> [--pin-file <file>] [--reviewed <fingerprint>]; without --pin-file the PIN is in TOKEN_PIN",
		);
	const { holdCeremony } = await import("./ceremony.ts");
	await holdCeremony({ file: ceremony, module, slot, pin, out, reviewed });
}

async function createUnder(folder: string, request: AuthorityRequest) {
	const root = await readMember(folder, "root");
	const rootCrl = await readFile(join(folder, "root.crl"));
	return { root, rootCrl, issuing: await createIssuing(request, root) };
}

async function createWithRoot(
	request: AuthorityRequest,
	write: (file: string, content: string | Uint8Array, mode: number) => Promise<void>,
) {
	const { root, issuing } = await createAuthority(request);
	const rootCrl = await createRootCrl({ root, now: request.now });
	await write("root.key.pem", `${root.keyPem}\n`, 0o600);
	await write("root.pem", `${root.certificatePem}\n`, 0o644);
	await write("root.crl", rootCrl, 0o644);
	console.log("root.key.pem (take it offline), root.pem, root.crl");
	return { root, issuing, rootCrl };
}

if (import.meta.main)
	await runCommand(async () => {
		await main();
		return 0;
	});
