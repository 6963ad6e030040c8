import { readFileSync } from "node:fs";
import { beforeAll, describe, expect } from "vitest";
import { maria, pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import { publishCrlDer } from "./publish-crl.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testWith } from "./tool-test.ts";
import { writePdf, writeSignedPdf } from "./write-pdf.ts";

/*
 * PDFs signed by poppler's pdfsig with an RSA key that pk12util took into an NSS database, as it is in Firefox, and
 * with either key by `openssl cms` in a file of our own; pdfsig and NSS judge all of them. With a P-256 key pdfsig
 * 22.12 breaks its own file wherever the signature's DER is not as long as that of its trial run, whoever's key it is.
 */

const TEXT = "Contrato de Mar\xeda (prueba)";
const PROFILES = ["modern", "legacy"] as const;
const KEYS = ["rsa-2048", "ec-p256"] as const;

let authority: Awaited<ReturnType<typeof createAuthorityToday>>;
beforeAll(async () => {
	authority = await createAuthorityToday();
});

/** A folder with a fresh PFX, its certificate, an empty NSS database and `plain.pdf`. */
async function prepare(differences: Parameters<typeof issueToday>[1] = {}) {
	const folder = new ToolFolder();
	const { pfx, leafPem, serial } = await issueToday(authority.authority, differences);
	folder.write("holder.pfx", pfx);
	folder.write("holder.pem", leafPem);
	folder.write("issuing.pem", authority.issuingPem);
	folder.write("root.pem", authority.rootPem);
	folder.write("plain.pdf", writePdf(TEXT));
	await folder.run("certutil", ..."-N -d sql:. --empty-password".split(" "));
	return { folder, serial };
}

/** Takes the PFX into the database, and signs by the name that it gives the key. */
async function signWithPdfsig(folder: ToolFolder): Promise<void> {
	const { text } = await folder.run("pk12util", ..."-i holder.pfx -d sql:. -K".split(" "), "", "-W", pin);
	expect(text).toContain("PKCS12 IMPORT SUCCESSFUL");
	const sign = ["-nssdir", ".", "-add-signature", "plain.pdf", "signed.pdf", "-nick", maria.fullName];
	expect((await folder.run("pdfsig", ...sign)).code).toBe(0);
}

async function signWithOpenssl(folder: ToolFolder): Promise<void> {
	const openssl = (line: string) => folder.run("openssl", ...line.split(" "));
	await openssl(`pkcs12 -in holder.pfx -passin pass:${pin} -nodes -nocerts -out key.pem`);
	const signed = await writeSignedPdf(TEXT, async (bytes) => {
		folder.write("bytes", bytes);
		const { code } = await openssl(
			"cms -sign -binary -md sha256 -in bytes -signer holder.pem -inkey key.pem -certfile issuing.pem -outform DER -out cms",
		);
		expect(code).toBe(0);
		return readFileSync(folder.path("cms"));
	});
	folder.write("signed.pdf", signed);
}

/** Asks no OCSP responder, since nobody answers at its address. */
const inspect = (folder: ToolFolder, file = "signed.pdf") =>
	folder.run("pdfsig", "-nssdir", ".", "-no-ocsp", file);

const trustRoot = (folder: ToolFolder) =>
	folder.run("certutil", ..."-A -d sql:. -n root -t CT,C,C -i root.pem".split(" "));

async function expectGood(files: ToolFolder): Promise<void> {
	const { text } = await inspect(files);
	expect(text).toContain(`Signer Certificate Common Name: ${maria.fullName}\n`);
	const subject = `title=PERSONA NATURAL,serialNumber=${maria.rut},E=${maria.email},CN=${maria.fullName},C=CL`;
	expect(text).toContain(`Signer full Distinguished Name: ${subject}\n`);
	expect(text).toContain("Signing Hash Algorithm: SHA-256\n");
	expect(text).toContain("Total document signed\n");
	expect(text).toContain("Signature Validation: Signature is Valid.\n");
	expect(text).toMatch(/Certificate Validation: Certificate issuer (isn't Trusted|is unknown)\.\n/);
	await trustRoot(files);
	expect((await inspect(files)).text).toContain("Certificate Validation: Certificate is Trusted.\n");
}

describe("valid over the whole file, and trusted once the root is:", () => {
	for (const pfxProfile of PROFILES) {
		testWith(["pdfsig", "pk12util"], `signed by pdfsig with a ${pfxProfile} PFX and an RSA key`, async () => {
			const { folder } = await prepare({ pfxProfile });
			using files = folder;
			await signWithPdfsig(files);
			await expectGood(files);
		});
	}
	for (const keyAlgorithm of KEYS) {
		testWith(
			["pdfsig", "certutil", "openssl"],
			`signed by openssl with a key of ${keyAlgorithm}`,
			async () => {
				const { folder } = await prepare({ keyAlgorithm });
				using files = folder;
				await signWithOpenssl(files);
				await expectGood(files);
			},
		);
	}
});

testWith(
	["pdfsig", "certutil", "openssl"],
	"one other byte in the file, and the digest does not match",
	async () => {
		const { folder } = await prepare();
		using files = folder;
		await signWithOpenssl(files);
		const signed = readFileSync(files.path("signed.pdf"));
		signed.write("p", signed.indexOf("Contrato"), "latin1");
		files.write("altered.pdf", signed);
		expect((await inspect(files, "altered.pdf")).text).toContain("Signature Validation: Digest Mismatch.\n");
	},
);

testWith(["pdfsig", "crlutil", "openssl"], "a certificate on the CRL is reported as revoked", async () => {
	const { folder, serial } = await prepare();
	using files = folder;
	await signWithOpenssl(files);
	await trustRoot(files);
	await files.run("certutil", ..."-A -d sql:. -n issuing -t ,, -i issuing.pem".split(" "));
	files.write("issuing.crl", await publishCrlDer(authority.authority, [serial]));
	expect((await files.run("crlutil", ..."-I -d sql:. -i issuing.crl".split(" "))).code).toBe(0);
	const { text } = await inspect(files);
	expect(text).toContain("Signature Validation: Signature is Valid.\n");
	expect(text).toContain("Certificate Validation: Certificate has been Revoked.\n");
});
