import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { maria, pin } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday } from "./issue-today.ts";
import type { Tool } from "./pfx-openers.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testWith } from "./tool-test.ts";
import { writePdf } from "./write-pdf.ts";

/* PDFs signed by poppler's pdfsig with an RSA key that pk12util took into an NSS database, as it is in Firefox. */

for (const pfxProfile of ["modern", "legacy"] as const)
	testWith(
		["pdfsig", "certutil", "pk12util"],
		`a PDF signed with a ${pfxProfile} PFX is valid as a whole, trusted once the root is, and not with one other byte`,
		async () => {
			const { authority, rootPem } = await createAuthorityToday();
			using files = new ToolFolder();
			files.write("holder.pfx", (await issueToday(authority, { pfxProfile })).pfx);
			files.write("root.pem", rootPem);
			files.write("plain.pdf", writePdf("Contrato de Mar\xeda (prueba)"));
			const nss = (tool: Tool, line: string, ...more: string[]) =>
				files.run(tool, ...line.split(" "), ...more);
			await nss("certutil", "-N -d sql:. --empty-password");
			expect((await nss("pk12util", "-i holder.pfx -d sql:. -K", "", "-W", pin)).text).toContain(
				"PKCS12 IMPORT SUCCESSFUL",
			);
			const sign = await nss("pdfsig", "-nssdir . -add-signature plain.pdf signed.pdf -nick", maria.fullName);
			expect(sign.code).toBe(0);

			/** Asks no OCSP responder, since nobody answers at its address. */
			const inspect = async (file: string) => (await nss("pdfsig", `-nssdir . -no-ocsp ${file}`)).text;
			const subject = `title=PERSONA NATURAL,serialNumber=${maria.rut},E=${maria.email},CN=${maria.fullName},C=CL`;
			const text = await inspect("signed.pdf");
			for (const said of [
				`Signer full Distinguished Name: ${subject}\n`,
				"Signing Hash Algorithm: SHA-256\n",
				"Total document signed\n",
				"Signature Validation: Signature is Valid.\n",
			])
				expect(text).toContain(said);
			expect(text).toMatch(/Certificate Validation: Certificate issuer (isn't Trusted|is unknown)\.\n/);
			await nss("certutil", "-A -d sql:. -n root -t CT,C,C -i root.pem");
			expect(await inspect("signed.pdf")).toContain("Certificate Validation: Certificate is Trusted.\n");
			const altered = readFileSync(files.path("signed.pdf"));
			altered.write("p", altered.indexOf("Contrato"), "latin1");
			files.write("altered.pdf", altered);
			expect(await inspect("altered.pdf")).toContain("Signature Validation: Digest Mismatch.\n");
		},
	);
