import type { Bindings } from "../../src/config.ts";
import { platformOf } from "../../src/platform.ts";
import { exportKeyPair, generateHolderKeyPair } from "../../src/x509/holder-key.ts";
import { issueCertificate } from "../../src/x509/issue-certificate.ts";
import type { PfxProfile } from "../../src/x509/pfx.ts";
import { createSerial } from "../../src/x509/serial.ts";
import { prepareForge } from "./forge.ts";
import { preparePkijs } from "./pkijs.ts";

/** What every library is given: the same authority, holder, key pair and addresses. */
export interface IssueOrder {
	/** DER. */
	issuingKey: Uint8Array<ArrayBuffer>;
	issuing: Uint8Array<ArrayBuffer>;
	root: Uint8Array<ArrayBuffer>;
	keyPair: CryptoKeyPair;
	pkcs8: Uint8Array<ArrayBuffer>;
	subjectKeyId: Uint8Array<ArrayBuffer>;
	authority: {
		rut: string;
		policyOid: string;
		cpsUrl: string;
		crlUrl: string;
		ocspUrl: string;
		caIssuersUrl: string;
	};
	holder: { rut: string; fullName: string; email: string };
	notBefore: Date;
	notAfter: Date;
	pin: string;
}

/** Makes one certificate with its PFX around a key pair that is there already. @returns DER PFX */
export type Issue = () => Promise<Uint8Array>;

const prepared = new Map<string, Promise<Issue>>();

/** Issues `n` certificates one after the other. @returns the last PFX, base64 */
export async function issueByName(name: string, n: number, env: Bindings): Promise<{ pfx: string }> {
	if (!prepared.has(name)) prepared.set(name, prepare(name, env));
	const issue = await prepared.get(name)!;
	let pfx = new Uint8Array();
	for (let i = 0; i < n; i++) pfx = Uint8Array.from(await issue());
	return { pfx: pfx.toBase64() };
}

async function prepare(name: string, env: Bindings): Promise<Issue> {
	const order = await createOrder(env);
	switch (name) {
		case "ours":
			return prepareOurs(order, env, "modern");
		case "ours-legacy":
			return prepareOurs(order, env, "legacy");
		case "pkijs":
			return preparePkijs(order);
		case "forge":
			return prepareForge(order, "modern");
		case "forge-legacy":
			return prepareForge(order, "legacy");
		default:
			throw new RangeError(`no library ${name}`);
	}
}

export async function createOrder(env: Bindings): Promise<IssueOrder> {
	const { authority } = await platformOf(env);
	const keyPair = await generateHolderKeyPair("rsa-2048");
	const { pkcs8 } = await exportKeyPair(keyPair);
	const notBefore = new Date(Math.floor(Date.now() / 1000) * 1000);
	return {
		issuingKey: Uint8Array.fromBase64(env.ISSUING_KEY),
		issuing: Uint8Array.from(authority.certificate),
		root: Uint8Array.from(authority.root),
		keyPair,
		pkcs8: Uint8Array.from(pkcs8),
		subjectKeyId: authority.subjectKeyId,
		authority,
		holder: { rut: "12345678-5", fullName: "MARÍA JOSÉ DEL RÍO O'HIGGINS", email: "maria@example.cl" },
		notBefore,
		notAfter: new Date(notBefore.getTime() + 365 * 86_400_000),
		pin: "1357",
	};
}

/** With everything the service does in a claim: export of the key, leaf, lint, PFX. */
async function prepareOurs(order: IssueOrder, env: Bindings, pfxProfile: PfxProfile): Promise<Issue> {
	const { authority } = await platformOf(env);
	const { keyPair, holder, notBefore, notAfter, pin } = order;
	return async () => {
		const serial = createSerial(crypto.getRandomValues(new Uint8Array(16)));
		const issued = await issueCertificate(authority, {
			serial,
			notBefore,
			notAfter,
			holder,
			keyAlgorithm: "rsa-2048",
			pfxProfile,
			pin,
			keyPair,
		});
		if (!issued.ok) throw new Error(issued.failures.join("; "));
		return issued.pfx;
	};
}
