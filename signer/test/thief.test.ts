import { createHash, randomBytes, verify, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tag } from "../../src/x509/der.ts";
import { encodeResponder, generateResponderKey } from "../../src/x509/responder-certificate.ts";
import { createSerial } from "../../src/x509/serial.ts";
import { frameSigned } from "../../src/x509/signatures.ts";
import { byTurns } from "../../test/support/run-size.ts";
import { createTestAuthority, maria } from "../../test/unit/x509/test-authority.ts";
import { readCrl } from "../src/crl.ts";
import { element, oid } from "../src/der.ts";
import { readLeaf } from "../src/leaf.ts";
import { Refusal } from "../src/refusal.ts";
import type { Entry } from "../src/register.ts";
import { headText } from "../src/sign.ts";
import {
	crlOf,
	DAY_MS,
	edit,
	editAt,
	editExtensions,
	leafOf,
	NOW,
	newKey,
	replace,
	startSigner,
	type TestSigner,
} from "./fixture.ts";

const MINUTE_MS = 60_000;

/** TBSCertificate of an OCSP responder as the Worker makes it. */
async function responderOf({ worker, time }: TestSigner, days = 7): Promise<Uint8Array> {
	const { spki: publicKey } = await generateResponderKey(worker.signer.algorithm);
	const validity = { notBefore: new Date(time.now), notAfter: new Date(time.now + days * DAY_MS) };
	return encodeResponder(worker, { serial: createSerial(randomBytes(16)), publicKey, ...validity });
}

for (const keyType of ["rsa-3072", "p-384"] as const)
	test(`a leaf, a CRL and a responder of the Worker are signed, entered and verified (${keyType})`, async () => {
		await using signer = await startSigner(keyType);
		const serial = "4A".repeat(16);
		const asked = {
			certificates: await leafOf(signer, { publicKey: newKey("rsa") }),
			crls: await crlOf(signer, 7, [[serial, NOW - DAY_MS, "keyCompromise"]]),
			"ocsp-responders": await responderOf(signer),
		};
		for (const [n, [kind, tbs]] of Object.entries(asked).entries()) {
			const { status, body } = await signer.ask(kind, tbs);
			expect([kind, status, body.entry]).toEqual([kind, 200, n + 1]);
			const signature = Buffer.from(body.signature, "base64");
			expect(verify(signer.authority.hash, tbs, signer.authority.publicKey, signature)).toBe(true);
			const head = Buffer.from(body.head_signature, "base64");
			const text = headText({ n: body.entry, hash: body.head });
			expect(verify(null, text, signer.config.log_public_key, head)).toBe(true);
			expect(await signer.ask(kind, tbs)).toMatchObject({ status: 200, body });
		}
		const certificate = frameSigned(
			signer.worker.signer,
			asked.certificates,
			Buffer.from((await signer.ask("certificates", asked.certificates)).body.signature, "base64"),
		);
		expect(new X509Certificate(certificate).verify(signer.authority.publicKey)).toBe(true);
		expect(signer.token.asked).toEqual(Array(3).fill(["issuing", "log"]).flat());
		const { body } = await signer.ask("log?from=2", null, { caller: "watcher" });
		expect(body).toMatchObject({ next: null, entries: [{ n: 2, kind: "crls", note: "7" }, { n: 3 }] });
	});

/** The holder's RUT in the subject alone: the last one is in the alternative name. */
const inSubject = (tbs: Uint8Array, from: string, to: string) =>
	editAt(tbs, 5, (name) => resize(replace(name, from, to)));
const resize = (sequence: Uint8Array) => edit(sequence, (elements) => elements);
const withKey = (signer: TestSigner, publicKey: Uint8Array) => leafOf(signer, { publicKey });
const withHolder = (signer: TestSigner, holder: object) =>
	leafOf(signer, { holder: { ...maria, ...holder } });
const until = (at: number) => ({ notAfter: new Date(at) });
const extension = (name: string, value: Uint8Array, critical = false) =>
	element(
		tag.sequence,
		oid(name),
		...(critical ? [Buffer.from("0101ff", "hex")] : []),
		element(tag.octetString, value),
	);
const CA = extension("2.5.29.19", Buffer.from("30030101ff", "hex"), true);
const SIGNS = extension("2.5.29.15", Buffer.from("03020106", "hex"), true);

/** SubjectPublicKeyInfo of an RSA key by its modulus. */
function rsaOf(modulus: bigint, exponent = 65_537n): Uint8Array {
	const integer = (value: bigint) => {
		const digits = value.toString(16);
		return element(tag.integer, Buffer.from(digits.length % 2 ? `0${digits}` : `00${digits}`, "hex"));
	};
	const rsa = element(tag.sequence, oid("1.2.840.113549.1.1.1"), element(tag.null));
	const key = element(tag.sequence, integer(modulus), integer(exponent));
	return element(tag.sequence, rsa, element(tag.bitString, Buffer.alloc(1), key));
}

const MODULUS = (1n << 2047n) + 0x1357_9bdfn;

function offCurve(): Uint8Array {
	const spki = Buffer.from(newKey());
	spki[spki.length - 1]! ^= 1;
	return spki;
}

type Make = (signer: TestSigner) => Promise<Uint8Array>;

const LEAVES: [what: string, code: string, make: Make][] = [
	["a CA certificate", "CA", async (s) => editExtensions(await leafOf(s), (all) => all.with(0, CA))],
	[
		"a key usage of keyCertSign",
		"EXTENSIONS",
		async (s) =>
			editExtensions(await leafOf(s), ([...all]) =>
				all.map((one) => (Buffer.from(one).includes(oid("2.5.29.15")) ? SIGNS : one)),
			),
	],
	[
		"another issuer",
		"ISSUER",
		async (s) => editAt(await leafOf(s), 3, (name) => resize(replace(name, "Issuing CA", "Issuing CB"))),
	],
	["another key id", "ISSUER", async (s) => replace(await leafOf(s), s.authority.keyId, randomBytes(20))],
	[
		"another authority's leaf",
		"ISSUER",
		async (s) =>
			leafOf({ ...s, worker: await createTestAuthority("p-384") } as TestSigner).then((tbs) =>
				editAt(tbs, 3, () => s.authority.subject),
			),
	],
	["ten years", "END", (s) => leafOf(s, until(NOW + 3_652 * DAY_MS))],
	["a day more than three years", "END", (s) => leafOf(s, until(NOW + 1_097 * DAY_MS))],
	["an end before the start", "END", (s) => leafOf(s, until(NOW - DAY_MS))],
	["a start a year back", "START", (s) => leafOf(s, { notBefore: new Date(NOW - 365 * DAY_MS) })],
	["a start in eleven minutes", "START", (s) => leafOf(s, { notBefore: new Date(NOW + 11 * MINUTE_MS) })],
	[
		"another's RUT in the subject",
		"RUT_MISMATCH",
		async (s) => inSubject(await leafOf(s), "12345678-5", "11111111-1"),
	],
	[
		"another's RUT as the alternative name",
		"RUT_MISMATCH",
		async (s) =>
			editExtensions(await leafOf(s), (all) =>
				all.map((one) =>
					Buffer.from(one).includes("12345678-5")
						? Buffer.from(replace(one, "12345678-5", "11111111-1"))
						: one,
				),
			),
	],
	["a RUT with another check digit", "SUBJECT", (s) => withHolder(s, { rut: "12345678-9" })],
	["a RUT with dots", "SUBJECT", (s) => withHolder(s, { rut: "12.345.678-5" })],
	[
		"another's e-mail address in one place",
		"EMAIL_MISMATCH",
		async (s) => inSubject(await leafOf(s), "maria.jose@", "pedro.jose@"),
	],
	["another country", "SUBJECT", async (s) => inSubject(await leafOf(s), "CL", "AR")],
	["a name with a line break", "SUBJECT", (s) => withHolder(s, { fullName: "María\nPérez" })],
	[
		"an attribute more in the subject",
		"SUBJECT",
		async (s) => editAt(await leafOf(s), 5, (name) => edit(name, (rdns) => [...rdns, rdns[0]!])),
	],
	["an RSA key of 1,024 bits", "WEAK_KEY", (s) => withKey(s, newKey("rsa", { modulusLength: 1024 }))],
	["an RSA key of 3,072 bits", "WEAK_KEY", (s) => withKey(s, newKey("rsa", { modulusLength: 3072 }))],
	["the exponent 3", "WEAK_KEY", (s) => withKey(s, newKey("rsa", { publicExponent: 3 }))],
	["a modulus with a small factor", "WEAK_KEY", (s) => withKey(s, rsaOf(MODULUS - (MODULUS % 1502n) + 751n))],
	["a point off the curve", "WEAK_KEY", (s) => withKey(s, offCurve())],
	["a key of P-384", "WEAK_KEY", (s) => withKey(s, newKey("ec", { namedCurve: "P-384" }))],
	[
		"the authority's own key",
		"WEAK_KEY",
		(s) => withKey(s, s.authority.publicKey.export({ format: "der", type: "spki" })),
	],
	["a serial of 15 bytes", "SERIAL", (s) => leafOf(s, { serial: randomBytes(15).fill(0x41, 0, 1) })],
	[
		"a serial with other first bits",
		"SERIAL",
		(s) => leafOf(s, { serial: randomBytes(16).fill(0x21, 0, 1) }),
	],
	["version 1", "VERSION", async (s) => editAt(await leafOf(s), 0, () => Buffer.from("a003020100", "hex"))],
	[
		"SHA-1",
		"ALGORITHM",
		async (s) => editAt(await leafOf(s), 2, () => element(tag.sequence, oid("1.2.840.10045.4.1"))),
	],
	[
		"an extension more",
		"EXTENSIONS",
		async (s) =>
			editExtensions(await leafOf(s), (all) => [
				...all,
				extension("2.5.29.54", Buffer.from("020100", "hex")),
			]),
	],
	["an extension less", "EXTENSIONS", async (s) => editExtensions(await leafOf(s), (all) => all.slice(1))],
	[
		"an extension twice",
		"EXTENSIONS",
		async (s) => editExtensions(await leafOf(s), (all) => [...all, all[0]!]),
	],
	[
		"an extension that is not critical",
		"EXTENSIONS",
		async (s) =>
			editExtensions(await leafOf(s), (all) =>
				all.with(0, extension("2.5.29.19", Buffer.from("3000", "hex"))),
			),
	],
	["another address of the CRL", "EXTENSIONS", async (s) => replace(await leafOf(s), "/crl", "/crx")],
	[
		"a server's purpose",
		"EXTENSIONS",
		async (s) => replace(await leafOf(s), oid("1.3.6.1.5.5.7.3.2"), oid("1.3.6.1.5.5.7.3.1")),
	],
	["bytes after the end", "NOT_DER", async (s) => Buffer.concat([await leafOf(s), Buffer.alloc(1)])],
	[
		"an indefinite length",
		"NOT_DER",
		async (s) => Buffer.concat([Buffer.from("3080", "hex"), (await leafOf(s)).subarray(4), Buffer.alloc(2)]),
	],
	[
		"a length longer than it need be",
		"NOT_DER",
		async (s) => {
			const tbs = await leafOf(s);
			return Buffer.concat([Buffer.from([0x30, 0x83, 0]), tbs.subarray(2)]);
		},
	],
	[
		"a unique identifier",
		"NOT_DER",
		async (s) =>
			edit(await leafOf(s), (all) => [...all.slice(0, -1), Buffer.from("81020001", "hex"), all.at(-1)!]),
	],
	["a CRL", "NOT_DER", (s) => crlOf(s, 1)],
	["a responder", "SUBJECT", (s) => responderOf(s)],
	["nothing", "NOT_DER", async () => new Uint8Array()],
];

test("what a thief asks of certificates is refused by its code, logged and counted, and nothing is signed", async () => {
	await using signer = await startSigner();
	signer.config.callers[0]!.per_minute = 1_000;
	const got: [string, number, string][] = [];
	for (const [what, , make] of LEAVES) {
		const { status, body } = await signer.ask("certificates", await make(signer));
		got.push([what, status, body.refused]);
		expect(body.message).toMatch(/^[A-Z].*\.$/);
	}
	expect(got).toEqual(LEAVES.map(([what, code]) => [what, code === "NOT_DER" ? 400 : 422, code]));
	expect(signer.token.asked).toEqual([]);
	const log = signer.register.all<Entry>("SELECT * FROM log ORDER BY n");
	expect(log.map(({ note }) => note)).toEqual(LEAVES.map(([, code]) => `refused ${code}`));
	expect(log.every(({ caller, digest }) => caller === "worker" && /^[0-9a-f]{64}$/.test(digest ?? ""))).toBe(
		true,
	);
	const health = await (await fetch(`${signer.address}/v1/health`)).json();
	expect(health).toMatchObject({
		status: "ok",
		entries: LEAVES.length,
		refused: { WEAK_KEY: 7, NOT_DER: 6, CA: 1 },
	});
	expect(await signer.ask("certificates", await leafOf(signer))).toMatchObject({ status: 200 });
});

test("a serial or a key that was signed is refused in other bytes, whatever asks for it", async () => {
	await using signer = await startSigner();
	const publicKey = newKey();
	const serial = randomBytes(16).fill(0x55, 0, 1);
	expect(await signer.ask("certificates", await leafOf(signer, { serial, publicKey }))).toMatchObject({
		status: 200,
	});
	const again = [
		await signer.ask("certificates", await leafOf(signer, { serial })),
		await signer.ask("certificates", await leafOf(signer, { publicKey })),
		await signer.ask(
			"ocsp-responders",
			editAt(await responderOf(signer), 1, () => element(tag.integer, serial)),
		),
	];
	expect(again.map(({ status, body }) => [status, body.refused])).toEqual([
		[422, "SERIAL_REUSED"],
		[422, "KEY_REUSED"],
		[422, "SERIAL_REUSED"],
	]);
});

const A = "4A".repeat(16);
const B = "4B".repeat(16);
const LATER = new Date(NOW + 2 * DAY_MS);
const CRLS: [what: string, code: string, make: Make][] = [
	[
		"a next update in two days",
		"CRL_TIMES",
		(s) => crlOf(s, 9, [[A, NOW, "superseded"]], { nextUpdate: LATER }),
	],
	[
		"an update a day back",
		"CRL_TIMES",
		(s) =>
			crlOf(s, 9, [[A, NOW, "superseded"]], {
				thisUpdate: new Date(NOW - DAY_MS),
				nextUpdate: new Date(NOW),
			}),
	],
	[
		"a serial twice",
		"CRL_ENTRIES",
		(s) =>
			crlOf(s, 9, [
				[A, NOW, "superseded"],
				[A, NOW, "superseded"],
			]),
	],
	["a revocation of tomorrow", "CRL_ENTRIES", (s) => crlOf(s, 9, [[A, NOW + DAY_MS, "superseded"]])],
	[
		"removeFromCRL",
		"CRL_ENTRIES",
		async (s) =>
			replace(
				await crlOf(s, 9, [[A, NOW, "superseded"]]),
				Buffer.from("0a0104", "hex"),
				Buffer.from("0a0108", "hex"),
			),
	],
	[
		"a delta CRL",
		"EXTENSIONS",
		async (s) =>
			editAt(await crlOf(s, 9), -1, (framed) =>
				edit(
					framed,
					([list]) => [
						edit(list!, (all) => [...all, extension("2.5.29.27", Buffer.from("020101", "hex"), true)]),
					],
					0xa0,
				),
			),
	],
	["version 1", "NOT_DER", async (s) => edit(await crlOf(s, 9), ([, ...rest]) => rest)],
	[
		"another issuer",
		"ISSUER",
		async (s) => editAt(await crlOf(s, 9), 2, (name) => resize(replace(name, "Issuing CA", "Issuing CB"))),
	],
];

test("a CRL keeps every entry and its number grows; the refusal names both", async () => {
	await using signer = await startSigner();
	expect(
		await signer.ask(
			"crls",
			await crlOf(signer, 7, [
				[A, NOW - DAY_MS, "keyCompromise"],
				[B, NOW - DAY_MS, "unspecified"],
			]),
		),
	).toMatchObject({ status: 200 });
	for (const [what, code, make] of CRLS)
		expect([what, (await signer.ask("crls", await make(signer))).body.refused]).toEqual([what, code]);
	const missing = [{ serial: A, revoked_at: NOW - DAY_MS, reason: "keyCompromise" }];
	const asked = [
		await signer.ask("crls", await crlOf(signer, 8, [[B, NOW, "superseded"]])),
		await signer.ask("crls", await crlOf(signer, 7, [[B, NOW, "superseded"]])),
		await signer.ask(
			"crls",
			await crlOf(signer, 6, [
				[A, NOW, "superseded"],
				[B, NOW, "superseded"],
			]),
		),
	];
	expect(asked.map(({ status, body }) => ({ status, ...body, message: undefined }))).toEqual([
		{ status: 409, refused: "CRL_MISSING_ENTRIES", last_number: 7, missing },
		{ status: 409, refused: "CRL_NUMBER", last_number: 7, missing },
		{ status: 409, refused: "CRL_NUMBER", last_number: 7, missing: [] },
	]);
	expect(
		await signer.ask(
			"crls",
			await crlOf(signer, 9, [
				[A, NOW, "superseded"],
				[B, NOW, "superseded"],
			]),
		),
	).toMatchObject({ status: 200 });
});

test("an entry is left out once a CRL was signed after its certificate's end, or three years after its revocation", async () => {
	await using signer = await startSigner();
	const serial = randomBytes(16).fill(0x41, 0, 1);
	const known = serial.toString("hex").toUpperCase();
	await signer.ask("certificates", await leafOf(signer, { serial, notAfter: new Date(NOW + 30 * DAY_MS) }));
	const both = (at: number): Parameters<typeof crlOf>[2] => [
		[known, at, "superseded"],
		[A, at, "superseded"],
	];
	const askAfter = async (days: number, number: number, entries: Parameters<typeof crlOf>[2]) => {
		signer.time.now = NOW + days * DAY_MS;
		return (await signer.ask("crls", await crlOf(signer, number, entries))).status;
	};
	expect(await askAfter(1, 1, both(NOW))).toBe(200);
	expect(await askAfter(31, 2, [[A, NOW, "superseded"]])).toBe(409);
	expect(await askAfter(31, 3, both(NOW))).toBe(200);
	expect(await askAfter(32, 4, [[A, NOW, "superseded"]])).toBe(200);
	expect(await askAfter(1098, 5, [])).toBe(409);
	expect(await askAfter(1100, 6, [[A, NOW, "superseded"]])).toBe(200);
	expect(await askAfter(1101, 7, [])).toBe(200);
});

test("a responder's certificate is one of a week, and no other comes before its third day but by an order", async () => {
	await using signer = await startSigner();
	const year = await signer.ask("ocsp-responders", await responderOf(signer, 365));
	expect([year.status, year.body.refused]).toEqual([422, "END"]);
	const server = editExtensions(await responderOf(signer), (all) => all.slice(0, -1));
	expect((await signer.ask("ocsp-responders", server)).body.refused).toBe("EXTENSIONS");
	expect(await signer.ask("ocsp-responders", await leafOf(signer))).toMatchObject({
		status: 422,
		body: { refused: "SUBJECT" },
	});
	expect(await signer.ask("ocsp-responders", await responderOf(signer))).toMatchObject({ status: 200 });
	const early = await signer.ask("ocsp-responders", await responderOf(signer));
	expect(early).toMatchObject({
		status: 409,
		body: { refused: "RESPONDER_EARLY", not_before: NOW + 2 * DAY_MS },
	});
	signer.register.append({ at: NOW, kind: "allow-responder", caller: "root", note: "lost" });
	expect(await signer.ask("ocsp-responders", await responderOf(signer))).toMatchObject({ status: 200 });
	expect(await signer.ask("ocsp-responders", await responderOf(signer))).toMatchObject({ status: 409 });
	signer.time.now = NOW + 2 * DAY_MS;
	expect(await signer.ask("ocsp-responders", await responderOf(signer))).toMatchObject({ status: 200 });
});

const NOBODY = { caller: "nobody", key: "worker" };

test("who asks is checked before what is asked", async () => {
	await using signer = await startSigner();
	const tbs = await leafOf(signer);
	const asked: [string, number, string, ...Parameters<TestSigner["ask"]>][] = [
		["nobody", 401, "UNKNOWN_CALLER", "certificates", tbs, NOBODY],
		["a withdrawn caller", 401, "UNKNOWN_CALLER", "certificates", tbs, { caller: "former" }],
		["another's key", 401, "BAD_SIGNATURE", "certificates", tbs, { caller: "worker", key: "watcher" }],
		["other bytes", 401, "BAD_SIGNATURE", "certificates", tbs, { signed: new Uint8Array(3) }],
		["two minutes ago", 401, "STALE", "certificates", tbs, { at: NOW - 2 * MINUTE_MS }],
		["in 61 seconds", 401, "STALE", "certificates", tbs, { at: NOW + MINUTE_MS + 1_000 }],
		["a right that it lacks", 403, "NOT_REGISTERED_FOR", "certificates", tbs, { caller: "watcher" }],
		["the log", 403, "NOT_REGISTERED_FOR", "log", null, {}],
		[
			"nobody, another media type",
			401,
			"UNKNOWN_CALLER",
			"certificates",
			tbs,
			{ ...NOBODY, type: "text/plain" },
		],
		["another media type", 400, "BAD_REQUEST", "certificates", tbs, { type: "application/json" }],
		["16 KiB and a byte", 413, "TOO_LARGE", "certificates", new Uint8Array(16_385), {}],
		["another path", 404, "NOT_FOUND", "roots", tbs, {}],
		["a GET of certificates", 404, "NOT_FOUND", "certificates", null, {}],
	];
	for (const [what, status, code, ...args] of asked) {
		const { body, ...answer } = await signer.ask(...args);
		expect([what, answer.status, body.refused]).toEqual([what, status, code]);
	}
	expect(signer.token.asked).toEqual([]);
	expect(await signer.ask("certificates", tbs, { at: NOW - 59_000 })).toMatchObject({ status: 200 });
	expect(await signer.ask("certificates", tbs, { at: NOW + 59_000 })).toMatchObject({
		status: 200,
		body: { entry: 4 },
	});
});

test("each right of a caller has its own minute and day, which a start forgets as little", async () => {
	await using signer = await startSigner();
	const askSlow = async () => {
		const { status, headers } = await signer.ask("certificates", await leafOf(signer), { caller: "slow" });
		return [status, headers.get("retry-after")];
	};
	expect([await askSlow(), await askSlow(), await askSlow(), await askSlow()]).toEqual([
		[200, null],
		[200, null],
		[429, "60"],
		[429, "60"],
	]);
	expect(await signer.ask("crls", await crlOf(signer, 1), { caller: "slow" })).toMatchObject({ status: 200 });
	await signer.restart();
	expect(await askSlow()).toEqual([429, "60"]);
	signer.time.now += 61_000;
	expect([await askSlow(), await askSlow()]).toEqual([
		[200, null],
		[429, "86339"],
	]);
	const notes = signer.register.all<Entry>("SELECT note FROM log ORDER BY n").map(({ note }) => note);
	expect(notes).toEqual([null, null, "refused RATE", "1", null, "refused RATE"]);
});

test("a stop ends certificates at once, CRLs go on, and what was asked is in the log", async () => {
	await using signer = await startSigner();
	const folder = signer.config.folder;
	const tbs = await leafOf(signer);
	expect(await signer.ask("certificates", tbs)).toMatchObject({ status: 200 });
	signer.register.append({ at: NOW, kind: "stop", caller: "root", note: "a thief" });
	const refused = await signer.ask("certificates", tbs);
	const stopped = { reason: "a thief", since: NOW, all: false };
	expect(refused).toMatchObject({ status: 403, body: { refused: "STOPPED", stopped } });
	expect(await signer.ask("crls", await crlOf(signer, 1))).toMatchObject({ status: 200 });
	expect(await (await fetch(`${signer.address}/v1/health`)).json()).toMatchObject({
		status: "stopped",
		stopped,
	});
	writeFileSync(join(folder, "stop-all"), "the night\n");
	expect(await signer.ask("crls", await crlOf(signer, 2))).toMatchObject({
		status: 403,
		body: { stopped: { reason: "the night", since: NOW, all: true } },
	});
	const kinds = signer.register
		.all<Entry>("SELECT * FROM log ORDER BY n")
		.map(({ kind, note }) => [kind, note]);
	expect(kinds.slice(1)).toEqual([
		["stop", "a thief"],
		["certificates", "refused STOPPED"],
		["crls", "1"],
		["stop-all", "the night"],
		["crls", "refused STOPPED"],
	]);
});

test("a module that fails gets 503; the same bytes are signed later under the same entry", async () => {
	await using signer = await startSigner();
	const tbs = await leafOf(signer);
	const asked: unknown[] = [];
	for (const instead of [
		async () => Promise.reject(new Error("CKR_DEVICE_REMOVED")),
		async () => Buffer.from("3006020101020101", "hex"),
	]) {
		signer.token.instead = instead;
		const { status, body } = await signer.ask("certificates", tbs);
		asked.push([status, body.refused]);
	}
	expect(asked).toEqual([
		[503, "MODULE"],
		[503, "MODULE"],
	]);
	signer.token.instead = async () => Promise.reject(new Error("CKR_DEVICE_REMOVED"));
	const health = await fetch(`${signer.address}/v1/health`);
	expect([health.status, await health.json()]).toMatchObject([503, { status: "failing", entries: 1 }]);
	signer.token.instead = null;
	expect(await signer.ask("certificates", tbs)).toMatchObject({ status: 200, body: { entry: 1 } });
	const digest = createHash("sha256").update(tbs).digest("hex");
	expect(signer.register.all("SELECT n, digest FROM signed")).toEqual([{ n: 1, digest }]);
});

test("of twenty leaves with one serial at once, one is signed", async () => {
	await using signer = await startSigner();
	const serial = randomBytes(16).fill(0x41, 0, 1);
	const leaves = await Promise.all(Array.from({ length: 20 }, () => leafOf(signer, { serial })));
	const answers = await Promise.all(leaves.map((tbs) => signer.ask("certificates", tbs)));
	expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)]);
});

test("whatever byte is changed or cut off, the reader refuses or reads on; what it reads is of the profile", async () => {
	await using signer = await startSigner();
	const { authority } = signer;
	const tbs = await leafOf(signer, { publicKey: newKey("rsa") });
	const crl = await crlOf(signer, 7, [[A, NOW, "keyCompromise"]]);
	const outcome = (read: (bytes: Uint8Array) => unknown, bytes: Uint8Array): string => {
		try {
			return read(bytes) ? "read" : "nothing";
		} catch (error) {
			return error instanceof Refusal && error.status < 500 ? "refused" : String(error);
		}
	};
	const leafReader = (bytes: Uint8Array) => readLeaf(bytes, authority, NOW);
	const crlReader = (bytes: Uint8Array) => readCrl(bytes, authority, NOW);
	for (const [good, read] of [
		[tbs, leafReader],
		[crl, crlReader],
	] as const) {
		const cut = Array.from(good, (_, length) => outcome(read, good.subarray(0, length)));
		expect(new Set(cut)).toEqual(new Set(["refused"]));
		const changed = Array.from(good, (byte, at) =>
			byTurns([1, 0x20, 0x80], 3, at).map((bit) => outcome(read, Uint8Array.from(good).with(at, byte ^ bit))),
		).flat();
		expect(new Set(changed)).toEqual(new Set(["refused", "read"]));
		// Serial, name, times and the key's or the number's bits alone are anybody's.
		expect(changed.filter((one) => one === "read").length).toBeLessThan(good === tbs ? 3 * 40 : 3 * 30);
	}
});
