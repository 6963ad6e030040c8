import { createHash } from "node:crypto";
import type { Attribute, Handle, Module } from "pkcs11js";
import { element, encodeInteger, oid, sequence, TAG } from "./der.ts";
import { RSA } from "./public-key.ts";

/**
 * Signs with key pairs that a module keeps, named by their labels. Every method throws where the module has no such key, or
 * does not answer within four seconds.
 */
export type Token = Pick<Pkcs11Token, "publicKey" | "sign" | "alive">;

export interface TokenPlace {
	/** Path of the PKCS#11 library. */
	module: string;
	/** The token's label, or its slot's number. */
	slot: string;
	pin: string;
}

/* Values of PKCS #11 v2.40, pkcs11t.h. */
const OS_LOCKING_OK = 2;
const RW_SERIAL_SESSION = 6;
const USER = 1;
const RSA_KEY = 0;
const CKM = { sha256Rsa: 0x40, ecdsa: 0x1041 };
const CKA = {
	class: 0,
	label: 3,
	keyType: 0x100,
	modulus: 0x120,
	exponent: 0x122,
	ecParams: 0x180,
	point: 0x181,
};
const CKR = { pinIncorrect: 0xa0, userAlreadyLoggedIn: 0x100, alreadyInitialized: 0x191 };
export const PUBLIC = 2;
export const PRIVATE = 3;

/** Hash of an ECDSA signature, and bytes of a coordinate, by CKA_EC_PARAMS: secp384r1 and prime256v1. */
const CURVES: Record<string, { hash: string; size: number }> = {
	"06052b81040022": { hash: "sha384", size: 48 },
	"06082a8648ce3d030107": { hash: "sha256", size: 32 },
};

interface Key {
	handle: Handle;
	/** DER SubjectPublicKeyInfo. */
	spki: Uint8Array;
	/** The curve of an EC key. */
	curve: (typeof CURVES)[string] | null;
}

/** A token behind a PKCS#11 library. Its first call opens it, and the first one after a failure does so anew. */
export class Pkcs11Token {
	readonly #place: TokenPlace;
	readonly #deadlineMs: number;
	#module: Module | null = null;
	#session: Session | null = null;
	#isPinWrong = false;
	#last: Promise<unknown> = Promise.resolve();

	constructor(place: TokenPlace, deadlineMs = 4_000) {
		this.#place = place;
		this.#deadlineMs = deadlineMs;
	}

	/** @returns DER SubjectPublicKeyInfo */
	publicKey(label: string): Promise<Uint8Array> {
		return this.call((session) => session.key(label).spki);
	}

	/**
	 * Hashes and signs: RSA by PKCS#1 v1.5 with SHA-256, P-384 by ECDSA with SHA-384, P-256 by ECDSA with SHA-256.
	 * @returns the signature as it stands in a certificate
	 */
	sign(label: string, bytes: Uint8Array): Promise<Uint8Array> {
		return this.call(async (session) => {
			const { handle, curve } = session.key(label);
			const input = curve ? createHash(curve.hash).update(bytes).digest() : Buffer.from(bytes);
			session.module.C_SignInit(session.handle, { mechanism: curve ? CKM.ecdsa : CKM.sha256Rsa }, handle);
			const signature = await session.module.C_SignAsync(session.handle, input, Buffer.alloc(1024));
			if (!curve) return signature;
			// PKCS#11 puts r and s one after the other, RFC 3279 §2.2.3 into a SEQUENCE.
			const halves = [signature.subarray(0, curve.size), signature.subarray(curve.size)];
			return sequence(...halves.map(encodeInteger));
		});
	}

	/** Asks the module whether it still has the token. */
	alive(): Promise<void> {
		return this.call(({ module, slot }) => void module.C_GetTokenInfo(slot));
	}

	/** Ends the use of the library by this process. */
	async close(): Promise<void> {
		await this.#last;
		this.#forget();
	}

	/** Makes one call after another in one session. Each waits no longer than the deadline: a library that hangs holds no caller. */
	call<Result>(
		work: (session: Session) => Result | Promise<Result>,
		deadlineMs = this.#deadlineMs,
	): Promise<Result> {
		const result = this.#last.then(async () => {
			try {
				this.#session ??= await this.#open();
				return await work(this.#session);
			} catch (error) {
				this.#forget();
				throw error;
			}
		});
		this.#last = result.catch(() => undefined);
		const late = Promise.withResolvers<never>();
		const message = `The module did not answer within ${deadlineMs} ms.`;
		const timeout = setTimeout(() => late.reject(new Error(message)), deadlineMs);
		return Promise.race([result, late.promise]).finally(() => clearTimeout(timeout));
	}

	async #open(): Promise<Session> {
		// A PIN that is tried again and again locks the token.
		if (this.#isPinWrong) throw new Error("The token's PIN was wrong. Correct it and start again.");
		const { module: path, slot: name, pin } = this.#place;
		if (!this.#module) {
			// Imported late: all but `serve` and ceremonies do without the compiled package.
			const library = new (await import("pkcs11js")).default.PKCS11();
			library.load(path);
			this.#module = library;
		}
		const module = this.#module;
		tolerate(CKR.alreadyInitialized, () => module.C_Initialize({ flags: OS_LOCKING_OK }));
		const slot = findSlot(module, name);
		const handle = module.C_OpenSession(slot, RW_SERIAL_SESSION);
		try {
			tolerate(CKR.userAlreadyLoggedIn, () => module.C_Login(handle, USER, pin));
		} catch (error) {
			this.#isPinWrong = (error as { code?: unknown }).code === CKR.pinIncorrect;
			throw error;
		}
		return new Session(module, slot, handle);
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

/** Runs a call of the library, whose error of this CKR is none. */
function tolerate(code: number, call: () => void): void {
	try {
		call();
	} catch (error) {
		if ((error as { code?: unknown }).code !== code) throw error;
	}
}

function findSlot(module: Module, name: string): Handle {
	const slots = module.C_GetSlotList(true);
	const found =
		slots.find((slot) => trim(module.C_GetTokenInfo(slot).label) === name) ??
		slots.find((slot) => String(slot.readUInt32LE()) === name);
	if (!found) throw new Error(`The module has no token in a slot of the label or number ${name}.`);
	return found;
}

/** Trims a text of PKCS#11, which is padded with blanks, and by some with zeros. */
export function trim(text: string): string {
	return text.replaceAll("\0", " ").trim();
}

/** An open session of the library with one token. */
export class Session {
	readonly module: Module;
	readonly slot: Handle;
	readonly handle: Handle;
	readonly #keys = new Map<string, Key>();

	constructor(module: Module, slot: Handle, handle: Handle) {
		this.module = module;
		this.slot = slot;
		this.handle = handle;
	}

	/** Finds the keys of a kind, PUBLIC or PRIVATE. @param label - all, without it */
	find(kind: number, label?: string): Handle[] {
		const template: Attribute[] = [{ type: CKA.class, value: kind }];
		if (label !== undefined) template.push({ type: CKA.label, value: label });
		this.module.C_FindObjectsInit(this.handle, template);
		const found = this.module.C_FindObjects(this.handle, 1000);
		this.module.C_FindObjectsFinal(this.handle);
		return found;
	}

	/** Reads one attribute, a CKA, of an object. */
	read(object: Handle, type: number): Buffer {
		return this.module.C_GetAttributeValue(this.handle, object, [{ type }])[0]!.value;
	}

	/** Finds a key pair, and remembers it. */
	key(label: string): Key {
		const known = this.#keys.get(label);
		if (known) return known;
		const [handle, ...more] = this.find(PRIVATE, label);
		const [open] = this.find(PUBLIC, label);
		if (!handle || !open || more.length > 0)
			throw new Error(`The token has no one key pair with the label ${label}.`);
		const isRsa = this.read(open, CKA.keyType).readUInt32LE() === RSA_KEY;
		const key = { handle, ...(isRsa ? this.#readRsa(open) : this.#readEc(open)) };
		this.#keys.set(label, key);
		return key;
	}

	#readRsa(open: Handle): Omit<Key, "handle"> {
		const numbers = [CKA.modulus, CKA.exponent].map((type) => encodeInteger(this.read(open, type)));
		const bits = element(TAG.bits, "\0", sequence(...numbers));
		return { spki: sequence(RSA, bits), curve: null };
	}

	#readEc(open: Handle): Omit<Key, "handle"> {
		const params = this.read(open, CKA.ecParams);
		const curve = CURVES[params.toString("hex")];
		if (!curve) throw new Error("A key of the token is on a curve that is not used here.");
		// CKA_EC_POINT is the point within an OCTET STRING; some modules leave that out.
		const point = element(TAG.bits, "\0\x04", this.read(open, CKA.point).subarray(-2 * curve.size));
		const algorithm = sequence(oid("1.2.840.10045.2.1"), params);
		return { spki: sequence(algorithm, point), curve };
	}
}
