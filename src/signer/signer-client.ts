import { bytesToHex } from "@noble/hashes/utils.js";
import type { RevokedRow } from "../db/crl-state.ts";
import { withinOperation } from "../deadlines.ts";
import { readBody } from "../read-body.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import type { AuthoritySigner, SignedKind } from "../x509/authority-signer.ts";
import { healthAnswer, refusedAnswer, signedAnswer } from "./signer-wire.ts";

/** A signer over HTTP. Every call throws {@link Unavailable} where it gives no usable answer. */
export interface SignerClient {
	/** @throws {SignerRefusal} */
	sign: AuthoritySigner["sign"];
	askHealth(): Promise<SignerHealth>;
}

export interface SignerHealth {
	/** `failing`: its module does not answer. */
	status: "ok" | "stopped" | "failing";
	/** Key identifier of the key that it has, hex. */
	keyId: string;
	/** Number of its log's last entry; 0 before the first. */
	entries: number;
	/** The log's head, "" before the first entry, and its signature, null where the module does not answer. */
	head: string;
	headSignature: string | null;
	/** `since` in epoch milliseconds; `all`: not even CRLs are signed. */
	stopped: { reason: string; since: number; all: boolean } | null;
	/** Refusals since its start, by code. */
	refused: Record<string, number>;
}

/** A signer's refusal. The log has its code, a caller never. */
export class SignerRefusal extends Unavailable {
	readonly code: string;
	readonly status: number;
	/** Number of the last CRL that the signer has signed, and the entries that a refused one lacks; null: no CRL was refused. */
	readonly crl: { lastNumber: number; missing: RevokedRow[] } | null;

	constructor(code: string, status: number, crl: SignerRefusal["crl"]) {
		super("signer", `refused: ${code}`);
		this.code = code;
		this.status = status;
		this.crl = crl;
	}
}

/** PKCS#8 of an Ed25519 key up to its last 32 bytes (RFC 8410 §7). */
const ED25519_PKCS8 = "302e020100300506032b657004220420";
/** Refusals of CRLs may name a hundred thousand entries. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

interface SignerClientOptions {
	fetcher: { fetch(request: Request): Promise<Response> };
	url: string;
	/** Name under which the signer has registered the key. */
	caller: string;
	/** Ed25519, PKCS#8. */
	callerKey: Uint8Array;
	/** Epoch milliseconds. */
	clock: () => number;
}

/** @throws when the key is not an Ed25519 key */
export async function createSignerClient(options: SignerClientOptions): Promise<SignerClient> {
	const { fetcher, caller, clock } = options;
	const base = `${options.url.replace(/\/+$/, "")}/`;
	// The platform imports any other key without a word.
	if (bytesToHex(options.callerKey.subarray(0, -32)) !== ED25519_PKCS8) throw new TypeError("no Ed25519 key");
	const key = await crypto.subtle.importKey("pkcs8", options.callerKey, "Ed25519", false, ["sign"]);

	async function authorize(path: string, body: Uint8Array): Promise<Record<string, string>> {
		const time = String(clock());
		const digest = bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-256", body)));
		const text = new TextEncoder().encode(`POST\n${path}\n${time}\n${digest}`);
		const signature = new Uint8Array(await crypto.subtle.sign("Ed25519", key, text));
		return {
			"Signer-Caller": caller,
			"Signer-Time": time,
			"Signer-Authorization": signature.toBase64(),
			"Content-Type": "application/octet-stream",
		};
	}

	/** Sends once more where no response came at all: the same bytes get the same signature. */
	function exchange(url: URL, init: RequestInit): Promise<{ status: number; value: unknown }> {
		return withinOperation(async (signal) => {
			const send = () => fetcher.fetch(new Request(url, { ...init, redirect: "manual", signal }));
			const response = await send().catch((error: unknown) => {
				if (signal.aborted) throw error;
				return send();
			});
			const { promise: stop, resolve } = Promise.withResolvers<void>();
			signal.addEventListener("abort", () => resolve(), { once: true });
			const read = response.body && (await readBody(response.body, MAX_BODY_BYTES, { stop }));
			return { status: response.status, value: read?.kind === "whole" ? parseJson(read.bytes) : null };
		}).catch((error: unknown) => {
			throw new Unavailable("signer", String(error));
		});
	}

	return {
		async sign(kind, tbs) {
			const url = new URL(`v1/${kind}`, base);
			const headers = await authorize(url.pathname, tbs);
			const { status, value } = await exchange(url, { method: "POST", headers, body: tbs });
			if (status !== 200) throw refusalOf(kind, status, value);
			const { signature, entry, head, head_signature } = readOrThrow(signedAnswer, value);
			return { signature, receipt: { entry, head, headSignature: head_signature } };
		},
		async askHealth() {
			const { value } = await exchange(new URL("v1/health", base), {});
			const { key_id, head_signature, ...health } = readOrThrow(healthAnswer, value);
			return { ...health, keyId: key_id, headSignature: head_signature };
		},
	};
}

function parseJson(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch {
		return null;
	}
}

function refusalOf(kind: SignedKind, status: number, value: unknown): Unavailable {
	const { success, data } = refusedAnswer.safeParse(value);
	if (!success) return new Unavailable("signer", `status ${status}`);
	const { refused: code, last_number: lastNumber, missing = [] } = data;
	log("error", "signer_refused", { kind, code, status });
	const rows = missing.map(({ serial, revoked_at, reason }) => ({
		serial,
		revokedAt: revoked_at,
		revocationReason: reason,
	}));
	return new SignerRefusal(code, status, lastNumber === undefined ? null : { lastNumber, missing: rows });
}

function readOrThrow<Schema extends typeof signedAnswer | typeof healthAnswer>(
	schema: Schema,
	value: unknown,
): Schema["_output"] {
	const { success, data, error } = schema.safeParse(value);
	if (!success)
		throw new Unavailable("signer", `departs from the contract at ${error.issues[0]?.path.join(".")}`);
	return data as Schema["_output"];
}
