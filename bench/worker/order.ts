import type { Bindings } from "../../src/bindings.ts";
import { DAY_MS } from "../../src/domain/durations.ts";
import { platformOf } from "../../src/platform.ts";
import { exportKeyPair, generateHolderKeyPair } from "../../src/x509/holder-key.ts";

/** Input of every library: one authority, holder, key pair and addresses for all. */
export interface Order {
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

/** An order whose certificate is issued already, for libraries that only assemble the PFX. */
export interface PfxOrder extends Order {
	leaf: Uint8Array<ArrayBuffer>;
}

/** Makes one PFX. @returns DER */
export type MakePfx = () => Promise<Uint8Array>;

export async function createOrder(env: Bindings): Promise<Order> {
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
		notAfter: new Date(notBefore.getTime() + 365 * DAY_MS),
		pin: "1357",
	};
}
