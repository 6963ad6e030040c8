import { createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Token } from "../src/pkcs11-token.ts";

/** Keys in memory, in place of a module: by label. */
export class FileToken implements Token {
	readonly keys: Record<string, KeyObject>;
	/** Runs in place of the module, where it is set. */
	instead: ((label: string, bytes: Uint8Array) => Promise<Uint8Array>) | null = null;
	/** Labels of the keys that signed, in their order. */
	readonly asked: string[] = [];

	constructor(keys: Record<string, KeyObject>) {
		this.keys = keys;
	}

	async publicKey(label: string): Promise<Uint8Array> {
		return createPublicKey(this.keys[label]!).export({ format: "der", type: "spki" });
	}

	async sign(label: string, bytes: Uint8Array): Promise<Uint8Array> {
		this.asked.push(label);
		if (this.instead) return this.instead(label, bytes);
		const key = this.keys[label]!;
		const hash = key.asymmetricKeyDetails?.namedCurve === "secp384r1" ? "sha384" : "sha256";
		return sign(hash, bytes, key);
	}

	async alive(): Promise<void> {
		if (this.instead) await this.instead("", new Uint8Array());
	}
}
