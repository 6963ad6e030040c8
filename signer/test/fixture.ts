import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCrl, CrlEntries, type CrlReason } from "../../src/x509/crl.ts";
import { frame, tag } from "../../src/x509/der.ts";
import { loadIssuingAuthority } from "../../src/x509/issuing-authority.ts";
import { encodeLeaf, type LeafInput } from "../../src/x509/leaf.ts";
import { createSerial } from "../../src/x509/serial.ts";
import { createTestSettings, maria, now } from "../../test/unit/x509/test-authority.ts";
import { readAuthority, splitSigned } from "../src/authority.ts";
import { readConfig } from "../src/config.ts";
import { Walk } from "../src/der.ts";
import { Register } from "../src/register.ts";
import { createSigner } from "../src/server.ts";
import { FileToken } from "./file-token.ts";

export const NOW = now.getTime();
export const DAY_MS = 86_400_000;

const people = Object.fromEntries(
	["worker", "watcher", "former", "slow", "ana", "luis", "eva"].map((name) => [
		name,
		generateKeyPairSync("ed25519"),
	]),
);

/** Private key of a caller or a person of the fixture. */
export function keyOf(name: string) {
	return people[name]!.privateKey;
}

function rawKey(name: string): string {
	return people[name]!.publicKey.export({ format: "der", type: "spki" }).subarray(12).toString("base64");
}

const begun = new Date(NOW - 7 * DAY_MS);
type Settings = ReturnType<typeof createTestSettings>;
const settings: { [keyType in "rsa-3072" | "p-384"]?: Settings } = {};

/** A signer on a free port with keys of this process, by the settings file that a host has. Its clock stands at NOW. */
export async function startSigner(keyType: keyof typeof settings = "p-384") {
	const folder = mkdtempSync(join(tmpdir(), "signer-"));
	settings[keyType] ??= createTestSettings(keyType, begun);
	const authority = await settings[keyType];
	const log = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const pkcs8 = createPrivateKey({ key: Buffer.from(authority.key, "base64"), format: "der", type: "pkcs8" });
	const token = new FileToken({ issuing: pkcs8, log: log.privateKey });
	writeFileSync(join(folder, "issuing.pem"), authority.certificate);
	const often = { per_minute: 60, per_day: 1_000 };
	const file = join(folder, "signer.json");
	const fields = {
		...{ port: 0, folder: "register", module: "none", token: "none", key: "issuing", log_key: "log" },
		log_public_key: log.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
		...{
			certificate: "issuing.pem",
			rut: authority.rut,
			policy_oid: authority.policyOid,
			cps_url: authority.cpsUrl,
		},
		...{ pki_url: authority.pkiUrl, longest_days: 1096 },
		callers: [
			{
				name: "worker",
				public_key: rawKey("worker"),
				rights: ["certificates", "crls", "ocsp-responders"],
				...often,
			},
			{ name: "watcher", public_key: rawKey("watcher"), rights: ["log"], ...often },
			{ name: "former", public_key: rawKey("former"), rights: ["certificates"], ...often, withdrawn_at: now },
			{
				name: "slow",
				public_key: rawKey("slow"),
				rights: ["certificates", "crls"],
				per_minute: 2,
				per_day: 3,
			},
		],
		people: ["ana", "luis", "eva"].map((name) => ({ name, public_key: rawKey(name) })),
	};
	writeFileSync(file, JSON.stringify(fields));
	const config = readConfig(file);
	const register = new Register(config.folder);
	const time = { now: NOW };
	const parts = { config, authority: readAuthority(config), register, token, clock: () => time.now };
	let server = createSigner(parts).listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const address = `http://127.0.0.1:${port}`;

	return {
		...{ ...parts, time, folder, file, address, worker: await loadIssuingAuthority(authority) },
		/** Asks as a Worker does; `more` says what a thief does otherwise. */
		async ask(
			kind: string,
			body: Uint8Array | null,
			more: { caller?: string; key?: string; at?: number; type?: string; signed?: Uint8Array } = {},
		) {
			const { caller = "worker", key = caller, at = time.now, type = "application/octet-stream" } = more;
			const [method, path] = [body ? "POST" : "GET", `/v1/${kind}`];
			const digest = createHash("sha256")
				.update(more.signed ?? body ?? "")
				.digest("hex");
			const authorization = sign(null, Buffer.from([method, path, at, digest].join("\n")), keyOf(key));
			const headers = {
				...{ "Signer-Caller": caller, "Signer-Time": String(at), "Content-Type": type },
				"Signer-Authorization": authorization.toString("base64"),
			};
			const response = await fetch(`${address}${path}`, { method, headers, body: body as BodyInit | null });
			return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
		},
		/** Starts the server again on the same port, with the register read anew; `register` stays the one from before. */
		async restart() {
			server.close().closeAllConnections();
			await once(server, "close");
			server = createSigner({ ...parts, register: new Register(config.folder) }).listen(port, "127.0.0.1");
			await once(server, "listening");
		},
		async [Symbol.asyncDispose]() {
			server.close().closeAllConnections();
			rmSync(folder, { recursive: true });
		},
	};
}

// biome-ignore lint/suspicious/noExplicitAny: tests compare the members of an answer one by one.
type Answer = Record<string, any>;

export type TestSigner = Awaited<ReturnType<typeof startSigner>>;

/** DER SubjectPublicKeyInfo of a new key. */
export function newKey(kind: "rsa" | "ec" = "ec", options: object = {}): Uint8Array {
	const pair =
		kind === "rsa"
			? generateKeyPairSync("rsa", { modulusLength: 2048, ...options })
			: generateKeyPairSync("ec", { namedCurve: "P-256", ...options });
	return pair.publicKey.export({ format: "der", type: "spki" });
}

/** TBSCertificate of a leaf as the Worker makes it, from five minutes ago for a year. */
export async function leafOf(
	{ worker, time }: TestSigner,
	differences: Partial<LeafInput> = {},
): Promise<Uint8Array> {
	return encodeLeaf(worker, {
		serial: createSerial(randomBytes(16)),
		notBefore: new Date(time.now - 5 * 60_000),
		notAfter: new Date(time.now + 365 * DAY_MS),
		holder: maria,
		publicKey: newKey(),
		...differences,
	});
}

/** TBSCertList as the Worker makes it, of the serials with the times and reasons that are given. */
export async function crlOf(
	{ worker, time }: TestSigner,
	number: number,
	revoked: [serial: string, revokedAt: number, reason: CrlReason][] = [],
	more: { thisUpdate?: Date; nextUpdate?: Date } = {},
): Promise<Uint8Array> {
	const entries = new CrlEntries();
	for (const entry of revoked) entries.add(...entry);
	const times = { thisUpdate: new Date(time.now), nextUpdate: new Date(time.now + DAY_MS), ...more };
	return splitSigned(await buildCrl(worker, { number, entries, ...times }))[0];
}

/** Takes a SEQUENCE apart, lets `change` replace its elements, and puts it together again. */
export function edit(
	der: Uint8Array,
	change: (elements: Uint8Array[]) => Uint8Array[],
	tagByte: number = tag.sequence,
) {
	const elements = Walk.over(der, tagByte, (walk) => {
		const found: Uint8Array[] = [];
		while (walk.next !== undefined) found.push(walk.whole(walk.next));
		return found;
	});
	return frame(tagByte, ...change(elements));
}

/** Replaces one element of a SEQUENCE; -1 is its last. */
export function editAt(der: Uint8Array, at: number, change: (element: Uint8Array) => Uint8Array): Uint8Array {
	return edit(der, (elements) => elements.with(at, change(elements.at(at)!)));
}

/** Changes the list of extensions of a TBSCertificate. */
export function editExtensions(
	tbs: Uint8Array,
	change: (extensions: Uint8Array[]) => Uint8Array[],
): Uint8Array {
	return editAt(tbs, -1, (framed) => edit(framed, ([list]) => [edit(list!, change)], tag.explicit(3)));
}

/** Replaces bytes that stand there once by others of any length, within one element. */
export function replace(der: Uint8Array, from: Uint8Array | string, to: Uint8Array | string): Uint8Array {
	const bytes = Buffer.from(der);
	const at = bytes.indexOf(from);
	if (at === -1) throw new Error("the bytes are not there");
	return Buffer.concat([
		bytes.subarray(0, at),
		Buffer.from(to as string),
		bytes.subarray(at + Buffer.from(from as string).length),
	]);
}
