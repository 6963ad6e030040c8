import "reflect-metadata";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as x509 from "@peculiar/x509";
import { createOcspResponder, createSerialHex } from "./create-ocsp-responder.ts";
import { createRootCrl } from "./create-root-crl.ts";
import { readMember } from "./read-member.ts";

/**
 * Creates a root and its CRL, an issuing authority under it, and that authority's OCSP responder.
 *
 *   npm run authority -- --name "TEST Partner Certificates" --pki-url http://pki.your-zone.cl/pki --out dir
 *        [--organization "…" --rut 76123456-0] [--key rsa-3072|p-384] [--root dir]
 *
 * `--root`: another issuing authority under the root of that folder, by a name that is not taken. Organization and RUT may be left out when the name has TEST in it.
 * The root's key is for a safe, never for the Worker. `secrets.env` holds what `npm run deploy -- ENV --secrets-file` is to be given.
 * Refuses to overwrite.
 */

export interface AuthorityRequest {
	/** Both names begin with it; printable ASCII. Development authorities have TEST in it, and prod refuses those. */
	commonNamePrefix: string;
	organization: string;
	/** The organization's RUT, `76123456-0`; it enters both names as serialNumber. */
	rut: string;
	keyType?: "rsa-3072" | "p-384";
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
/** X.680 §41.4, table 10. */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]+$/;
const rsa = {
	name: "RSASSA-PKCS1-v1_5",
	hash: "SHA-256",
	modulusLength: 3072,
	publicExponent: new Uint8Array([1, 0, 1]),
};
const p384 = { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" };

/** Creates both, both valid from `now`: the root for 20 years, the issuing authority for 10. @throws RangeError when a name is not printable ASCII */
export async function createAuthority(
	request: AuthorityRequest,
): Promise<{ root: CreatedMember; issuing: CreatedMember }> {
	const algorithm = request.keyType === "p-384" ? p384 : rsa;
	const keys = await generate(algorithm);
	const certificate = await x509.X509CertificateGenerator.createSelfSigned({
		serialNumber: createSerialHex(),
		name: nameMember(request, "Root CA"),
		keys,
		notBefore: request.now,
		notAfter: addYears(request.now, ROOT_YEARS),
		signingAlgorithm: algorithm,
		extensions: await describeMember(keys.publicKey),
	});
	const root = await exportMember(certificate, keys.privateKey);
	return { root, issuing: await createIssuing(request, root) };
}

/** Creates an issuing authority under an existing root, for 10 years or as long as the root is valid. */
export async function createIssuing(
	request: AuthorityRequest,
	root: Pick<CreatedMember, "key" | "certificate">,
): Promise<CreatedMember> {
	const issuer = new x509.X509Certificate(root.certificate);
	const signing = issuer.publicKey.algorithm.name === "ECDSA" ? p384 : rsa;
	const signingKey = await crypto.subtle.importKey("pkcs8", Buffer.from(root.key, "base64"), signing, false, [
		"sign",
	]);
	const keys = await generate(request.keyType === "p-384" ? p384 : rsa);
	const end = addYears(request.now, ISSUING_YEARS);
	const certificate = await x509.X509CertificateGenerator.create({
		serialNumber: createSerialHex(),
		subject: nameMember(request, "Issuing CA"),
		issuer: issuer.subjectName,
		publicKey: keys.publicKey,
		signingKey,
		notBefore: request.now,
		notAfter: new Date(Math.min(end.getTime(), issuer.notAfter.getTime())),
		signingAlgorithm: signing,
		extensions: [
			...(await describeMember(keys.publicKey, 0)),
			await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
			// anyPolicy, RFC 5280 §4.2.1.4: without it no policy of a leaf is valid under the root.
			new x509.CertificatePolicyExtension(["2.5.29.32.0"]),
			new x509.CRLDistributionPointsExtension([`${request.pkiUrl}/root.crl`]),
			new x509.AuthorityInfoAccessExtension({ caIssuers: `${request.pkiUrl}/root.cer` }),
		],
	});
	return exportMember(certificate, keys.privateKey);
}

async function generate(algorithm: typeof rsa | typeof p384): Promise<CryptoKeyPair> {
	return (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
}

async function describeMember(publicKey: CryptoKey, pathLength?: number): Promise<x509.Extension[]> {
	return [
		new x509.BasicConstraintsExtension(true, pathLength, true),
		new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
		await x509.SubjectKeyIdentifierExtension.create(publicKey),
	];
}

function nameMember({ commonNamePrefix, organization, rut }: AuthorityRequest, role: string): x509.Name {
	const printable = (text: string) => {
		if (!PRINTABLE.test(text)) throw new RangeError(`"${text}" is not a PrintableString`);
		return [{ printableString: text }];
	};
	return new x509.Name([
		{ C: printable("CL") },
		{ O: printable(organization) },
		{ "2.5.4.5": printable(rut) },
		{ CN: printable(`${commonNamePrefix} ${role}`) },
	]);
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

function addYears(date: Date, years: number): Date {
	const later = new Date(date);
	later.setUTCFullYear(date.getUTCFullYear() + years);
	return later;
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
		},
	});
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

if (import.meta.main) await main();
