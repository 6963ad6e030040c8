import { createHash, verify } from "node:crypto";
import type { Config, Right } from "./config.ts";
import { readCrl } from "./crl.ts";
import { readLeaf } from "./leaf.ts";
import { isApproved } from "./orders.ts";
import type { Token } from "./pkcs11-token.ts";
import { demand, Refusal } from "./refusal.ts";
import type { Entry, Register, Signed } from "./register.ts";
import { RENEWED_AFTER_MS, readResponder } from "./responder.ts";
import { type Authority, DAY_MS, START_MS } from "./tbs.ts";

export interface Parts {
	config: Pick<Config, "key" | "log_key" | "callers" | "people" | "folder">;
	authority: Authority;
	register: Register;
	token: Token;
	/** Epoch milliseconds. */
	clock: () => number;
}

/** Request for a signature: the right to it, who asks and when, and the digest of its bytes. */
export type Asked = Pick<Entry, "at" | "caller"> & { kind: Right; digest: string };

export function digestOf(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Reads what is to be signed, writes it down, then asks the module. The same bytes get the same signature; none leaves
 * before it was verified with the authority's public key and kept.
 */
export async function signBytes(parts: Parts, asked: Asked, bytes: Uint8Array): Promise<Signed> {
	const { authority, register } = parts;
	const known = register.find("digest", asked.digest);
	if (known?.kind === asked.kind && known.signature) return known;
	const enter = asked.kind === "crls" ? enterCrl : enterCertificate;
	const entered = enter(parts, asked, bytes);
	const [signature, headSignature] = await askModule(parts, bytes, entered);
	const isRight = verify(authority.hash, bytes, authority.publicKey, signature);
	demand(isRight, "MODULE", "Ask again later: the module's signature does not verify.");
	return register.keep(entered.n, signature, headSignature);
}

async function askModule({ config, token }: Parts, bytes: Uint8Array, entered: Pick<Entry, "n" | "hash">) {
	try {
		const head = headText(entered);
		return await Promise.all([token.sign(config.key, bytes), token.sign(config.log_key, head)]);
	} catch (error) {
		console.error(JSON.stringify({ level: "error", event: "module_failed", message: String(error) }));
		throw new Refusal("MODULE", "Ask again later: the module does not answer.");
	}
}

/** Bytes that the log's own key signs for an entry. */
export function headText({ n, hash }: Pick<Entry, "n" | "hash">): Buffer {
	return Buffer.from(`partner-certificates-signer-head\n${n}\n${hash}`);
}

function enterCertificate({ authority, register }: Parts, asked: Asked, bytes: Uint8Array) {
	const read = asked.kind === "certificates" ? readLeaf : readResponder;
	const { serial, keyHash: key_hash, ends } = read(bytes, authority, asked.at);
	return register.change(() => {
		const pending = register.find("digest", asked.digest);
		if (pending) return pending;
		demand(!register.find("serial", serial), "SERIAL_REUSED", "Send a serial that was not used before.");
		const isNew = key_hash !== authority.keyHash && !register.find("key_hash", key_hash);
		demand(isNew, "KEY_REUSED", "Send a public key that was not used before.");
		if (asked.kind === "ocsp-responders") demandLater(register, asked.at);
		return register.enter({ ...asked, serial, key_hash, ends });
	});
}

/** Refuses a responder soon after another: who took over a Worker must not collect them. */
function demandLater(register: Register, now: number): void {
	const ofLast =
		"FROM signed JOIN log USING (n) WHERE signed.kind = 'ocsp-responders' ORDER BY n DESC LIMIT 1";
	const [last] = register.all<Entry>(`SELECT n, at ${ofLast}`);
	const not_before = (last?.at ?? -Infinity) + RENEWED_AFTER_MS;
	const overrides = register.all("SELECT n FROM log WHERE kind = 'allow-responder' AND n > ?", last?.n ?? 0);
	if (now < not_before && overrides.length === 0)
		throw new Refusal("RESPONDER_EARLY", "Ask for the next responder from its third day on.", { not_before });
}

function enterCrl({ authority, config, register }: Parts, asked: Asked, bytes: Uint8Array) {
	const crl = readCrl(bytes, authority, asked.at);
	return register.change(() => {
		const pending = register.find("digest", asked.digest);
		demandSuccessor(register, config, crl, pending);
		if (pending) return pending;
		const entry = register.enter({ ...asked, note: String(crl.number) }, crl.number);
		register.list(crl.entries, entry.n);
		return entry;
	});
}

/** Life of a certificate that was not signed here: the longest product's, and a day. */
const UNKNOWN_LIFE_MS = (3 * 366 + 1) * DAY_MS;

/** Refuses a CRL unless its number grows and it keeps each entry whose certificate had not ended by the last CRL. */
function demandSuccessor(
	register: Register,
	{ people }: Pick<Config, "people">,
	{ number, entries }: ReturnType<typeof readCrl>,
	pending: Signed | undefined,
): void {
	const ofLast = "FROM signed JOIN log USING (n) WHERE number IS NOT NULL ORDER BY number DESC LIMIT 1";
	const [last] = register.all<{ number: number; at: number; n: number }>(`SELECT number, at, n ${ofLast}`);
	if (!last || last.n === pending?.n) return;
	const lacking = register.listedSerials().filter((serial) => !entries.has(serial));
	const missing = lacking
		.map((serial) => register.listed(serial)!)
		.filter(({ serial, revoked_at, ends, n, hash }) => {
			const hasEnded = (ends ?? revoked_at + UNKNOWN_LIFE_MS) < last.at - START_MS;
			const approval = { kind: "leave-out", serial, about: { n, hash } } as const;
			return !hasEnded && !isApproved(register, people, approval);
		});
	const named = missing.map(({ serial, revoked_at, reason }) => ({ serial, revoked_at, reason }));
	const more = { last_number: last.number, missing: named };
	if (number <= last.number) throw new Refusal("CRL_NUMBER", `Send a number above ${last.number}.`, more);
	if (missing.length > 0)
		throw new Refusal("CRL_MISSING_ENTRIES", "Send a CRL that keeps every entry.", more);
}
