import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { onTestFinished } from "vitest";
import type { Bindings } from "../../src/bindings.ts";
import { type Platform, platformOf } from "../../src/platform.ts";
import { createLocalSigner, type Signer } from "../../src/x509/signatures.ts";

/*
 * A signer in the test: it checks the caller's signature and signs with the local authority's key. signer/ has the real
 * one, which reads what it signs.
 */

interface Asked {
	kind: string;
	tbs: Uint8Array;
}

const caller = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
const callerKey = new Uint8Array(
	(await crypto.subtle.exportKey("pkcs8", caller.privateKey)) as ArrayBuffer,
).toBase64();
const authorityKey = await createLocalSigner(Uint8Array.fromBase64(env.ISSUING_KEY));
const { keyId } = (await platformOf(env)).authority;

/** The local settings with the key elsewhere. */
const SIGNED = {
	ISSUING_KEY: "",
	OCSP_KEY: "",
	OCSP_CERTIFICATE: "",
	SIGNER_CALLER: "worker",
	SIGNER_CALLER_KEY: callerKey,
};

export class TestSigner {
	/** Requests of the caller that it knows. */
	readonly asked: Asked[] = [];
	/** Answers in place of the signature; null: it signs. Called in the turn in which it is asked. */
	answer: ((asked: Promise<Asked>) => Promise<Response> | Response | null) | null = null;
	health: Record<string, unknown> = {};
	readonly bindings: Bindings;
	readonly #signed = new Map<string, Uint8Array>();
	#head = "";

	readonly #key: Signer;

	/** @param key - of its authority */
	constructor(changes: object = {}, key = authorityKey) {
		this.#key = key;
		this.bindings = { ...env, ...SIGNED, SIGNER: this, ...changes } as unknown as Bindings;
	}

	fetch(request: Request): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/v1/health") return this.#answer(() => this.#describe());
		const asked = readAsked(request, pathname);
		return this.#answer(async () => {
			const known = await asked.catch(() => null);
			if (!known) return refuse(401, "BAD_SIGNATURE");
			this.asked.push(known);
			return this.#sign(known.tbs);
		}, asked);
	}

	/** The platform of a Worker that asks this signer. */
	platform(): Promise<Platform> {
		return platformOf(this.bindings);
	}

	async #answer(well: () => Promise<Response>, asked: Promise<Asked> = new Promise(() => {})) {
		const instead = this.answer?.(asked);
		return instead ? await instead : well();
	}

	async #sign(tbs: Uint8Array): Promise<Response> {
		const digest = bytesToHex(sha256(tbs));
		const signature = this.#signed.get(digest) ?? (await this.#key.sign(tbs));
		this.#signed.set(digest, signature);
		this.#head = bytesToHex(sha256(concatBytes(utf8ToBytes(this.#head), tbs)));
		return Response.json({ ...this.#log(), entry: this.#signed.size, signature: signature.toBase64() });
	}

	async #describe(): Promise<Response> {
		return Response.json({
			status: "ok",
			key_id: keyId,
			entries: this.#signed.size,
			...this.#log(),
			stopped: null,
			refused: {},
			...this.health,
		});
	}

	#log() {
		return { head: this.#head, head_signature: btoa("the log's key signs the head") };
	}
}

/** A signer's answer in place of a signature. */
export function refuse(status: number, code: string, more: object = {}): Response {
	return Response.json({ refused: code, message: "Send something else.", ...more }, { status });
}

/** @throws unless the caller has signed method, path, time and digest. */
async function readAsked(request: Request, path: string): Promise<Asked> {
	const tbs = new Uint8Array(await request.arrayBuffer());
	const { headers } = request;
	const time = headers.get("signer-time") ?? "";
	const text = `POST\n${path}\n${time}\n${bytesToHex(sha256(tbs))}`;
	const signature = Uint8Array.fromBase64(headers.get("signer-authorization") ?? "");
	const isHis =
		headers.get("signer-caller") === "worker" &&
		headers.get("content-type") === "application/octet-stream" &&
		Math.abs(Number(time) - Date.now()) < 60_000 &&
		(await crypto.subtle.verify("Ed25519", caller.publicKey, signature, utf8ToBytes(text)));
	if (!isHis) throw new Error("the caller is unknown");
	return { kind: path.replace("/v1/", ""), tbs };
}

/** Codes' objects sign through this signer until the test ends: they have an environment of their own. */
export async function signThrough(signer: TestSigner): Promise<void> {
	const stub = env.PURCHASE_CODES.getByName("any:code");
	const platform = await runInDurableObject(stub, (object) =>
		platformOf((object as unknown as { env: Bindings }).env),
	);
	const { authority } = platform;
	platform.authority = (await signer.platform()).authority;
	onTestFinished(() => void Object.assign(platform, { authority }));
}
