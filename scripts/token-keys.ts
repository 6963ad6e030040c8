import { type Pkcs11Token, PRIVATE, PUBLIC, type Session, trim } from "../signer/src/pkcs11-token.ts";

/* Keys of tokens as ceremonies make them. The signer's program makes none. */

/** Values of PKCS #11 v2.40, pkcs11t.h. */
const CKA = {
	...{
		token: 0x01,
		private: 0x02,
		label: 0x03,
		value: 0x11,
		id: 0x102,
		sensitive: 0x103,
		sign: 0x108,
		verify: 0x10a,
	},
	...{ modulusBits: 0x121, publicExponent: 0x122, privateExponent: 0x123 },
	...{ extractable: 0x162, neverExtractable: 0x164, ecParams: 0x180 },
};
const [RSA_KEY_PAIR, EC_KEY_PAIR] = [0x00, 0x1040];
const CKR_ATTRIBUTE_SENSITIVE = 0x11;
/** Some modules search for the primes of an RSA key for minutes. */
const KEY_DEADLINE_MS = 600_000;

const KINDS = {
	"rsa-3072": {
		mechanism: RSA_KEY_PAIR,
		size: [
			{ type: CKA.modulusBits, value: 3072 },
			{ type: CKA.publicExponent, value: Buffer.from([1, 0, 1]) },
		],
		secret: CKA.privateExponent,
	},
	"p-384": ecKind("06052b81040022"),
	"p-256": ecKind("06082a8648ce3d030107"),
};

function ecKind(curve: string) {
	const size = [{ type: CKA.ecParams, value: Buffer.from(curve, "hex") }];
	return { mechanism: EC_KEY_PAIR, size, secret: CKA.value };
}

/** Names maker, model and serial number of the token, as a ceremony's record has them. */
export function describeToken(token: Pkcs11Token): Promise<string> {
	return token.call(({ module, slot }) => {
		const { manufacturerID, model, serialNumber, label } = module.C_GetTokenInfo(slot);
		const [maker, type, number] = [manufacturerID, model, serialNumber].map(trim);
		return `${trim(label)} (${maker}, ${type}, serial number ${number})`;
	});
}

/** Lists the labels of the private keys. */
export function listLabels(token: Pkcs11Token): Promise<string[]> {
	return token.call((session) => session.find(PRIVATE).map((key) => session.read(key, CKA.label).toString()));
}

/**
 * Makes a key pair that never leaves the token, and asks the token for its private value. @returns DER SubjectPublicKeyInfo
 * @throws where the token has a key of the label already, or the key can be, or could ever be, taken out
 */
export function makeKey(token: Pkcs11Token, label: string, type: keyof typeof KINDS): Promise<Uint8Array> {
	return token.call((session) => {
		if ([PRIVATE, PUBLIC].some((kind) => session.find(kind, label).length > 0))
			throw new Error(`The token has a key with the label ${label} already.`);
		const { mechanism, size, secret } = KINDS[type];
		const both = [
			{ type: CKA.token, value: true },
			{ type: CKA.label, value: label },
			{ type: CKA.id, value: Buffer.from(label) },
		];
		session.module.C_GenerateKeyPair(
			session.handle,
			{ mechanism },
			[...both, ...size, { type: CKA.verify, value: true }],
			[
				...both,
				{ type: CKA.private, value: true },
				{ type: CKA.sensitive, value: true },
				{ type: CKA.extractable, value: false },
				{ type: CKA.sign, value: true },
			],
		);
		const refusal = demandKept(session, label, secret);
		console.log(`${label}: made; asked for its private value, the token answers ${refusal}`);
		return session.key(label).spki;
	}, KEY_DEADLINE_MS);
}

/** Asks for the private value. @returns the module's refusal */
function demandKept(session: Session, label: string, secret: number): string {
	const { handle } = session.key(label);
	const facts = [CKA.sensitive, CKA.extractable, CKA.neverExtractable];
	if (facts.map((type) => session.read(handle, type)[0]).join() !== "1,0,1")
		throw new Error(`The key ${label} can be taken out of the token, or could be once.`);
	try {
		session.read(handle, secret);
	} catch (error) {
		if ((error as { code?: unknown }).code === CKR_ATTRIBUTE_SENSITIVE) return (error as Error).message;
		throw error;
	}
	throw new Error(`The token gave out the private value of the key ${label}.`);
}
