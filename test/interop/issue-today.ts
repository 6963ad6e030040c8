import { execFileSync } from "node:child_process";
import { createPrivateKey, randomBytes } from "node:crypto";
import { Pkcs11Token } from "../../signer/src/pkcs11-token.ts";
import { DAY_MS } from "../../src/domain/durations.ts";
import { type AuthoritySigner, signElsewhere } from "../../src/x509/authority-signer.ts";
import { issueCertificate } from "../../src/x509/issue-certificate.ts";
import {
	type IssuingAuthority,
	type KeyPlace,
	loadIssuingAuthority,
} from "../../src/x509/issuing-authority.ts";
import { createSerial, serialToHex } from "../../src/x509/serial.ts";
import { SOFTHSM, TOKEN_PIN } from "../support/soft-token.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { createTestSettings, issueInput } from "../unit/x509/test-authority.ts";
import { TOKEN } from "./make-token.ts";
import { encodePem, isInstalled } from "./pfx-openers.ts";

/* Programs judge by the machine's clock, so what they are given is of today. */

/** An authority made yesterday, with its settings. */
export async function createAuthorityToday(keyType: "rsa-3072" | "p-384" = "rsa-3072") {
	const settings = await createTestSettings(keyType, new Date(Date.now() - DAY_MS));
	const authority = await loadIssuingAuthority({ ...settings, ...(await keepInToken(settings.key)) });
	return {
		settings,
		authority,
		rootPem: pemFile(authority.root),
		issuingPem: pemFile(authority.certificate),
	};
}

/** Puts the key into a token where this machine has SoftHSM, so that each reader judges what a token signed. */
async function keepInToken(key: string): Promise<KeyPlace> {
	if (!isInstalled("softhsm2-util")) return { key };
	using files = new TemporaryFolder();
	const pkcs8 = createPrivateKey({ key: Buffer.from(key, "base64"), format: "der", type: "pkcs8" });
	const file = files.write("key.pem", pkcs8.export({ format: "pem", type: "pkcs8" }));
	const label = randomBytes(8).toString("hex");
	const where = ["--token", TOKEN, "--pin", TOKEN_PIN, "--label", label, "--id", label];
	execFileSync("softhsm2-util", ["--import", file, ...where], { stdio: "ignore" });
	const token = new Pkcs11Token({ module: SOFTHSM, slot: TOKEN, pin: TOKEN_PIN });
	const sign: AuthoritySigner["sign"] = async (_, tbs) => ({
		signature: Uint8Array.from(await token.sign(label, tbs)),
		receipt: null,
	});
	return { signer: signElsewhere(sign) };
}

/** A certificate valid from five minutes ago for a year. `serial` is hex. */
export async function issueToday(
	authority: IssuingAuthority,
	differences: Parameters<typeof issueInput>[0] = {},
) {
	const serial = createSerial(crypto.getRandomValues(new Uint8Array(16)));
	const result = await issueCertificate(
		authority,
		issueInput({
			serial,
			notBefore: new Date(Date.now() - 300_000),
			notAfter: new Date(Date.now() + 365 * DAY_MS),
			...differences,
		}),
	);
	if (!result.ok) throw new Error(result.failures.join("; "));
	const { leaf, pfx } = result;
	return { leaf, pfx, leafPem: pemFile(leaf), serial: serialToHex(serial) };
}

/** PEM as files have it, with a newline at the end. */
export function pemFile(der: Uint8Array): string {
	return `${encodePem(der)}\n`;
}
