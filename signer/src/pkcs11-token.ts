import { createHash, createPublicKey, type JsonWebKey } from "node:crypto";
import pkcs11js, { type Attribute, type Handle, type Module } from "pkcs11js";
import type { Token } from "./token.ts";

export type KeyType = "rsa-3072" | "p-384" | "p-256";

export interface TokenPlace {
	/** Path of the PKCS#11 library. */
	module: string;
	/** The token's label, or its slot's number. */
	slot: string;
	pin: string;
}

/* Values of PKCS #11 v2.40, pkcs11t.h. */
const OS_LOCKING_OK = 2;
const SERIAL_SESSION = 4;
const RW_SESSION = 2;
const USER = 1;
const PUBLIC = 2;
const PRIVATE = 3;
const CKA = {
	class: 0x00,
	token: 0x01,
	private: 0x02,
	label: 0x03,
	keyType: 0x100,
	id: 0x102,
	sensitive: 0x103,
	sign: 0x108,
	verify: 0x10a,
	value: 0x11,
	modulus: 0x120,
	modulusBits: 0x121,
	publicExponent: 0x122,
	privateExponent: 0x123,
	extractable: 0x162,
	neverExtractable: 0x164,
	ecParams: 0x180,
	ecPoint: 0x181,
} as const;
const CKM = { rsaKeyPair: 0x00, sha256Rsa: 0x40, ecKeyPair: 0x1040, ecdsa: 0x1041 } as const;
const RSA = 0;
const CKR_ATTRIBUTE_SENSITIVE = 0x11;
const CKR_CRYPTOKI_ALREADY_INITIALIZED = 0x191;
const CKR_USER_ALREADY_LOGGED_IN = 0x100;
const CKR_PIN_INCORRECT = 0xa0;

const CURVES = {
	"06052b81040022": { crv: "P-384", hash: "sha384", size: 48 },
	"06082a8648ce3d030107": { crv: "P-256", hash: "sha256", size: 32 },
} as const;
/** Some modules search for the primes of an RSA key for minutes. */
const KEY_DEADLINE_MS = 600_000;

interface Key {
	handle: Handle;
	spki: Uint8Array;
	/** The curve of an EC key. */
	curve: (typeof CURVES)[keyof typeof CURVES] | null;
}

interface Session {
	slot: Handle;
	handle: Handle;
	keys: Map<string, Key>;
}

/** Opens nothing yet: the first call does, and the first one after a failure does it anew. */
export function pkcs11Token(place: TokenPlace, deadlineMs = 4_000): Pkcs11Token {
	return new Pkcs11Token(place, deadlineMs);
}

/** A token behind a PKCS#11 library. One session, in which one call after another is made. */
class Pkcs11Token implements Token {
	readonly #place: TokenPlace;
	readonly #deadlineMs: number;
	#module: Module | null = null;
	#session: Session | null = null;
	#isPinWrong = false;
	#last: Promise<unknown> = Promise.resolve();

	constructor(place: TokenPlace, deadlineMs: number) {
		this.#place = place;
		this.#deadlineMs = deadlineMs;
	}

	publicKey(label: string): Promise<Uint8Array> {
		return this.#call((module, session) => findKey(module, session, label).spki);
	}

	sign(label: string, bytes: Uint8Array): Promise<Uint8Array> {
		return this.#call(async (module, session) => {
			const { handle, curve } = findKey(module, session, label);
			const input = curve ? createHash(curve.hash).update(bytes).digest() : Buffer.from(bytes);
			const mechanism = curve ? CKM.ecdsa : CKM.sha256Rsa;
			module.C_SignInit(session.handle, { mechanism }, handle);
			const signature = await module.C_SignAsync(session.handle, input, Buffer.alloc(1024));
			return curve ? encodeEcdsa(signature, curve.size) : signature;
		});
	}

	alive(): Promise<void> {
		return this.#call((module, { slot }) => void module.C_GetTokenInfo(slot));
	}

	/** Maker, model and serial number of the token, as a ceremony's record has them. */
	describe(): Promise<string> {
		return this.#call((module, { slot }) => {
			const { manufacturerID, model, serialNumber, label } = module.C_GetTokenInfo(slot);
			const [maker, type, number] = [manufacturerID, model, serialNumber].map(trim);
			return `${trim(label)} (${maker}, ${type}, serial number ${number})`;
		});
	}

	/** Labels of the private keys. */
	labels(): Promise<string[]> {
		return this.#call((module, session) =>
			find(module, session, [{ type: CKA.class, value: PRIVATE }]).map((key) =>
				module.C_GetAttributeValue(session.handle, key, [{ type: CKA.label }])[0]!.value.toString(),
			),
		);
	}

	/** Makes a key pair that never leaves the token. @throws where one has the label already. @returns its SubjectPublicKeyInfo */
	makeKey(label: string, type: KeyType): Promise<Uint8Array> {
		return this.#call((module, session) => {
			if ([PRIVATE, PUBLIC].some((kind) => find(module, session, named(kind, label)).length > 0))
				throw new Error(`The token has a key with the label ${label} already.`);
			const curve = Object.entries(CURVES).find(([, { crv }]) => crv.toLowerCase() === type)?.[0];
			const mechanism = curve ? CKM.ecKeyPair : CKM.rsaKeyPair;
			const size: Attribute[] = curve
				? [{ type: CKA.ecParams, value: Buffer.from(curve, "hex") }]
				: [
						{ type: CKA.modulusBits, value: 3072 },
						{ type: CKA.publicExponent, value: Buffer.from([1, 0, 1]) },
					];
			const both = [
				{ type: CKA.token, value: true },
				{ type: CKA.label, value: label },
				{ type: CKA.id, value: Buffer.from(label) },
			];
			const secret = [
				{ type: CKA.private, value: true },
				{ type: CKA.sensitive, value: true },
				{ type: CKA.extractable, value: false },
				{ type: CKA.sign, value: true },
			];
			module.C_GenerateKeyPair(
				session.handle,
				{ mechanism },
				[...both, ...size, { type: CKA.verify, value: true }],
				[...both, ...secret],
			);
			return findKey(module, session, label).spki;
		}, KEY_DEADLINE_MS);
	}

	/** Asks for the private value. @returns the module's refusal. @throws where the key can be, or could ever be, taken out */
	proveKept(label: string): Promise<string> {
		return this.#call((module, session) => {
			const { handle, curve } = findKey(module, session, label);
			const facts = [CKA.sensitive, CKA.extractable, CKA.neverExtractable];
			const values = facts.map(
				(type) => module.C_GetAttributeValue(session.handle, handle, [{ type }])[0]!.value[0],
			);
			if (values.join() !== "1,0,1")
				throw new Error(`The key ${label} can be taken out of the token, or could be once.`);
			try {
				const type = curve ? CKA.value : CKA.privateExponent;
				module.C_GetAttributeValue(session.handle, handle, [{ type }]);
			} catch (error) {
				if (codeOf(error) === CKR_ATTRIBUTE_SENSITIVE) return (error as Error).message;
				throw error;
			}
			throw new Error(`The token gave out the private value of the key ${label}.`);
		});
	}

	/** Ends the use of the library by this process. */
	async close(): Promise<void> {
		await this.#last;
		this.#forget();
	}

	/** Waits for the calls before, but no longer than the deadline: a library that hangs holds no caller. */
	#call<Result>(
		work: (module: Module, session: Session) => Result | Promise<Result>,
		deadlineMs = this.#deadlineMs,
	): Promise<Result> {
		const result = this.#last.then(async () => {
			try {
				this.#module ??= load(this.#place.module);
				this.#session ??= this.#open(this.#module);
				return await work(this.#module, this.#session);
			} catch (error) {
				this.#forget();
				throw error;
			}
		});
		this.#last = result.catch(() => undefined);
		const timer = Promise.withResolvers<never>();
		const late = () => timer.reject(new Error(`The module did not answer within ${deadlineMs} ms.`));
		const timeout = setTimeout(late, deadlineMs);
		return Promise.race([result, timer.promise]).finally(() => clearTimeout(timeout));
	}

	#open(module: Module): Session {
		// A PIN that is tried again and again locks the token.
		if (this.#isPinWrong) throw new Error("The token's PIN was wrong. Correct it and start again.");
		unless(CKR_CRYPTOKI_ALREADY_INITIALIZED, () => module.C_Initialize({ flags: OS_LOCKING_OK }));
		const slot = findSlot(module, this.#place.slot);
		const handle = module.C_OpenSession(slot, SERIAL_SESSION | RW_SESSION);
		try {
			unless(CKR_USER_ALREADY_LOGGED_IN, () => module.C_Login(handle, USER, this.#place.pin));
		} catch (error) {
			this.#isPinWrong = codeOf(error) === CKR_PIN_INCORRECT;
			throw error;
		}
		return { slot, handle, keys: new Map() };
	}

	#forget(): void {
		this.#session = null;
		try {
			this.#module?.C_Finalize();
		} catch {
			// It was not initialized, or is past ending.
		}
	}
}

function load(path: string): Module {
	const module = new pkcs11js.PKCS11();
	module.load(path);
	return module;
}

function findSlot(module: Module, name: string): Handle {
	const slots = module.C_GetSlotList(true);
	const found =
		slots.find((slot) => trim(module.C_GetTokenInfo(slot).label) === name) ??
		slots.find((slot) => String(slot.readUInt32LE()) === name);
	if (!found) throw new Error(`The module has no token in a slot of the label or number ${name}.`);
	return found;
}

function findKey(module: Module, session: Session, label: string): Key {
	const known = session.keys.get(label);
	if (known) return known;
	const [handle, ...more] = find(module, session, named(PRIVATE, label));
	const [open] = find(module, session, named(PUBLIC, label));
	if (!handle || !open || more.length > 0)
		throw new Error(`The token has no one key pair with the label ${label}.`);
	const read = (type: number) => module.C_GetAttributeValue(session.handle, open, [{ type }])[0]!.value;
	const isRsa = read(CKA.keyType).readUInt32LE() === RSA;
	const params = isRsa ? "" : read(CKA.ecParams).toString("hex");
	const curve = isRsa ? null : CURVES[params as keyof typeof CURVES];
	if (curve === undefined) throw new Error(`The key ${label} is on a curve that is not used here.`);
	const jwk = curve
		? ecKey(curve, read(CKA.ecPoint))
		: { kty: "RSA", n: base64url(read(CKA.modulus)), e: base64url(read(CKA.publicExponent)) };
	const spki = createPublicKey({ key: jwk, format: "jwk" }).export({ format: "der", type: "spki" });
	const key = { handle, spki, curve };
	session.keys.set(label, key);
	return key;
}

function find(module: Module, session: Session, template: Attribute[]): Handle[] {
	module.C_FindObjectsInit(session.handle, template);
	const found = module.C_FindObjects(session.handle, 1000);
	module.C_FindObjectsFinal(session.handle);
	return found;
}

function named(kind: number, label: string): Attribute[] {
	return [
		{ type: CKA.class, value: kind },
		{ type: CKA.label, value: label },
	];
}

/** CKA_EC_POINT is the point within an OCTET STRING; some modules leave that out. */
function ecKey({ crv, size }: { crv: string; size: number }, point: Buffer): JsonWebKey {
	const xy = point.subarray(-2 * size);
	return { kty: "EC", crv, x: base64url(xy.subarray(0, size)), y: base64url(xy.subarray(size)) };
}

/** DER `Ecdsa-Sig-Value` (RFC 3279 §2.2.3) of r and s, which PKCS#11 puts one after the other. */
function encodeEcdsa(signature: Buffer, size: number): Buffer {
	const integers = [signature.subarray(0, size), signature.subarray(size)].map((bytes) => {
		const first = bytes.findIndex((byte) => byte !== 0);
		const digits = bytes.subarray(first);
		const contents = digits[0]! < 0x80 ? digits : Buffer.concat([Buffer.alloc(1), digits]);
		return Buffer.concat([Buffer.from([0x02, contents.length]), contents]);
	});
	const contents = Buffer.concat(integers);
	return Buffer.concat([Buffer.from([0x30, contents.length]), contents]);
}

function unless(code: number, call: () => void): void {
	try {
		call();
	} catch (error) {
		if (codeOf(error) !== code) throw error;
	}
}

/** The CKR of an error that the library gave. */
function codeOf(error: unknown): number | undefined {
	const { name, code } = error as { name?: string; code?: number };
	return name === "Pkcs11Error" || name === "NativeError" ? code : undefined;
}

function base64url(bytes: Buffer): string {
	return bytes.toString("base64url");
}

/** Texts of PKCS#11 are padded with blanks, and by some with zeros. */
function trim(text: string): string {
	return text.replaceAll("\0", " ").trim();
}
