import { afterAll, beforeAll, describe, expect } from "vitest";
import { createAuthority } from "../../scripts/create-authority.ts";
import { createOcspResponder } from "../../scripts/create-ocsp-responder.ts";
import { createRootCrl } from "../../scripts/create-root-crl.ts";
import { maria } from "../unit/x509/test-authority.ts";
import { createAuthorityToday, issueToday, pemFile } from "./issue-today.ts";
import { crlPem, publishCrl } from "./publish-crl.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testWith } from "./tool-test.ts";
import { EXCLUSIONS, runZlint } from "./zlint.ts";

/* zlint over everything that we sign. An exclusion that is no longer needed fails as much as a new finding. */

type Subject = keyof typeof EXCLUSIONS;

describe.each(["rsa-3072", "p-384"] as const)("under a %s authority, zlint", (keyType) => {
	const files = new ToolFolder();
	beforeAll(async () => {
		const { authority, settings, rootPem, issuingPem } = await createAuthorityToday(keyType);
		const holder = { ...maria, rut: "7654302-K" };
		const rsa = await issueToday(authority, { keyAlgorithm: "rsa-2048", holder });
		const ec = await issueToday(authority, { keyAlgorithm: "ec-p256", holder });
		const issuing = { key: settings.key, certificate: settings.certificate };
		const responder = await createOcspResponder({ issuing, now: new Date(Date.now() - 60_000) });
		const ceremony = await createAuthority({
			commonNamePrefix: "TEST",
			organization: "TEST",
			rut: "76123456-0",
			keyType,
			pkiUrl: "http://pki.example.cl/pki",
			now: new Date(Date.now() - 60_000),
		});
		const now = new Date();
		const first = await createRootCrl({ root: ceremony.root, now });
		const revoked = { certificate: ceremony.issuing.certificate, reason: "cACompromise" } as const;
		const next = await createRootCrl({ root: ceremony.root, previous: first, revoked, now });
		const pems: Record<Subject, string> = {
			"RSA leaf": rsa.leafPem,
			"P-256 leaf": ec.leafPem,
			"OCSP responder": pemFile(Buffer.from(responder.certificate, "base64")),
			"issuing authority": issuingPem,
			root: rootPem,
			"empty CRL": await publishCrl(authority, []),
			"root's CRL": crlPem(first),
			"root's CRL with an issuing authority": crlPem(next),
			"CRL with entries": await publishCrl(authority, [rsa.serial, ec.serial]),
		};
		for (const [subject, pem] of Object.entries(pems)) files.write(`${subject}.pem`, pem);
	});
	afterAll(() => files[Symbol.dispose]());

	for (const [subject, excluded] of Object.entries(EXCLUSIONS)) {
		testWith("zlint", `finds in the ${subject} what is excluded by name, and nothing else`, ({ task }) => {
			const { passed, found } = runZlint(files.path(`${subject}.pem`));
			expect(found).toEqual(Object.keys(excluded).sort());
			expect(passed).not.toEqual([]);
			const figures = {
				[`zlint, ${keyType} ${subject}`]: `${passed.length} passed, ${found.length} excluded`,
			};
			Object.assign(task.meta, { figures });
		});
	}
});
