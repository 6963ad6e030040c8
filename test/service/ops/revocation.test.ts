import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { bytesToHex } from "@noble/hashes/utils.js";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { openDb } from "../../../src/db/query.ts";
import { REVOCATION_REASONS } from "../../../src/domain/revocation-reason.ts";
import { crlKey, findPublishedCrl, refreshCrl } from "../../../src/pki/publish-crl.ts";
import { platformOf } from "../../../src/platform.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { auditOf, codeRow, DAY, HOUR, MINUTE, passTime, SECOND, setTime } from "../../support/look-inside.ts";
import { type Asked, encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import { freshService, JUANA, loadHolder, ops, Partner } from "../../support/service.ts";

/* What is void is known to be void: ops, the CRL and OCSP, on the real register and bucket. */

const { authority, responder } = await platformOf(env);

beforeEach(async () => {
	vi.useRealTimers();
	await freshService();
});
/** What an answer left to be built is done before the register goes. */
afterEach(async () => {
	vi.useRealTimers();
	await vi.waitFor(async () => {
		await refreshCrl(context());
		const state = await env.DB.prepare("SELECT revocations, building_until FROM crl_state").first();
		expect(state).toEqual({ revocations: (await published())?.revocations, building_until: 0 });
	}, 5_000);
});

/** A partner's emitted code and its certificate's serial. */
async function emitted(partner?: Partner, holder: object = JUANA) {
	const by = partner ?? (await Partner.create({ mode: "B2B" }));
	const pCode = await by.code();
	const { status, text } = await by.request({ pCode, ...holder });
	if (status !== 200) throw new Error(text);
	const serial = String((await codeRow(pCode)).certificate_serial);
	return { partner: by, pCode, serial };
}

/** The register as it is after years of revocations: rows without codes. */
async function enterRevoked(
	count: number,
	{ notAfter = Date.now() + 300 * DAY, revokedAt = Date.now() } = {},
) {
	const serials = Array.from({ length: count }, () =>
		`7${crypto.randomUUID().replaceAll("-", "").slice(1)}`.toUpperCase(),
	);
	await env.DB.prepare(
		`INSERT INTO certificates (serial, partner_id, code, issued_at, not_before, not_after, revoked_at, revocation_reason)
		SELECT value, 'pt_x', 'x', 1, 1, ?2, ?3, 'superseded' FROM json_each(?1)`,
	)
		.bind(JSON.stringify(serials), notAfter, revokedAt)
		.run();
	return serials.sort();
}

async function fetchPki(path: string, init: RequestInit = {}) {
	const response = await exports.default.fetch(new Request(`http://service.test/pki${path}`, init));
	return { response, body: new Uint8Array(await response.arrayBuffer()) };
}

async function readCrl() {
	const { body } = await fetchPki("/issuing.crl");
	const crl = new x509.X509Crl(body);
	const octets = new Uint8Array(crl.getExtension("2.5.29.20")!.value).subarray(2);
	return {
		number: octets.reduce((value, octet) => value * 256 + octet, 0),
		serials: crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase()),
		entries: crl.entries,
		crl,
	};
}

/** Until the CRL that the answer left to be built is out. */
function listed(serial: string) {
	return vi.waitFor(
		async () => {
			const entry = (await readCrl()).entries.find(
				({ serialNumber }) => serialNumber.toUpperCase() === serial,
			);
			if (!entry) throw new Error("not listed yet");
			return entry;
		},
		{ timeout: 5_000, interval: 50 },
	);
}

const context = (clock = Date.now) => ({ db: openDb(env.DB), pki: env.PKI, authority, clock });
const published = () => findPublishedCrl(env.PKI, crlKey(authority));

async function askByPost(asked: readonly Asked[], nonce?: Uint8Array) {
	const { response, body } = await fetchPki("/ocsp", {
		method: "POST",
		headers: { "content-type": "application/ocsp-request" },
		body: encodeRequest(responder, asked, nonce),
	});
	return { response, ...readResponse(body) };
}

async function askByGet(
	asked: readonly Asked[],
	nonce?: Uint8Array,
	encode: (base64: string) => string = encodeURIComponent,
) {
	const { response, body } = await fetchPki(
		`/ocsp/${encode(encodeRequest(responder, asked, nonce).toBase64())}`,
	);
	return { response, body, ...readResponse(body) };
}

const MALFORMED = "30030a0101";
const TRY_LATER = "30030a0103";
const UNAUTHORIZED = "30030a0106";

describe("ops: POST /ops/v1/certificates/{serial}/revoke", () => {
	test("voids the certificate and leaves the code as it is, with its audit row", async () => {
		const { partner, pCode, serial } = await emitted();
		const { status, body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		expect(status).toBe(200);
		expect(body.data.certificate).toMatchObject({
			serial,
			p_code: pCode,
			revocation_reason: "keyCompromise",
		});
		expect(await partner.status(pCode)).toBe("EMITTED");
		expect((await partner.listed(pCode)).status).toBe("emitido");
		expect((await auditOf(pCode)).at(-1)).toBe(`revoke ${serial} keyCompromise`);
		expect((await ops("GET", `/certificates/${serial}`)).body).toEqual(body);
	});

	test.each(REVOCATION_REASONS)("takes the reason %s", async (reason) => {
		const { serial } = await emitted();
		const { status, body } = await ops("POST", `/certificates/${serial}/revoke`, { reason });
		expect([status, body.data.certificate.revocation_reason]).toEqual([200, reason]);
	});

	test.each([
		"certificateHold",
		"removeFromCRL",
		"cACompromise",
		"aACompromise",
		"KEYCOMPROMISE",
		"",
		1,
		null,
		undefined,
		["keyCompromise"],
	])("RFC 5280 §5.3.1: refuses the reason %j", async (reason) => {
		const { status, body } = await ops("POST", `/certificates/${"7A".repeat(16)}/revoke`, { reason });
		expect([status, body.error, body.details[0].field]).toEqual([400, "VALIDATION_ERROR", "reason"]);
	});

	test("the first revocation stands: a second one changes nothing", async () => {
		const { pCode, serial } = await emitted();
		const first = await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
		const { version } = await codeRow(pCode);
		const second = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		expect([second.status, second.body]).toEqual([200, first.body]);
		expect((await codeRow(pCode)).version).toBe(version);
	});

	test("ten at once revoke once", async () => {
		const { pCode, serial } = await emitted();
		const answers = await Promise.all(
			Array.from({ length: 10 }, () =>
				ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }),
			),
		);
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		expect((await auditOf(pCode)).filter((entry) => entry.startsWith("revoke"))).toHaveLength(1);
	});

	test("when D1 is lost on the way, says so, and the next call revokes once", async () => {
		const { pCode, serial } = await emitted();
		const revoke = () => ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
		for (let nth = 1; nth <= 4; nth++) {
			const { status } = await interceptDb(
				(n, deliver) => (n === nth ? Promise.reject(new Error("D1 is away")) : deliver()),
				revoke,
			);
			expect([503, 200]).toContain(status);
		}
		expect((await revoke()).status).toBe(200);
		expect((await auditOf(pCode)).filter((entry) => entry.startsWith("revoke"))).toHaveLength(1);
	});

	test("reads the serial as other programs show it, and knows no other", async () => {
		const { serial } = await emitted();
		const colons = serial.toLowerCase().match(/../g)!.join(":");
		expect(
			(await ops("GET", `/certificates/${encodeURIComponent(colons)}`)).body.data.certificate.serial,
		).toBe(serial);
		for (const other of ["7A".repeat(16), "x", "0", "7a".repeat(15)]) {
			expect((await ops("GET", `/certificates/${other}`)).status).toBe(404);
			expect((await ops("POST", `/certificates/${other}/revoke`, { reason: "superseded" })).status).toBe(404);
		}
	});

	test("is for ops only, and tells nothing of the holder", async () => {
		const { serial } = await emitted();
		expect((await ops("GET", `/certificates/${serial}`, undefined, "wrong")).status).toBe(401);
		expect(
			(await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" }, "wrong")).status,
		).toBe(401);
		const { body } = await ops("GET", `/certificates/${serial}`);
		expect(Object.keys(body.data.certificate)).toEqual([
			"serial",
			"partner_id",
			"p_code",
			"issued_at",
			"not_before",
			"not_after",
			"revoked_at",
			"revocation_reason",
		]);
	});
});

describe("ops: cancelling a code revokes its certificate", () => {
	test("for cessationOfOperation, or for the reason given", { tags: ["ops-cancel-reason"] }, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		const plain = await emitted(partner, loadHolder(1));
		await ops("POST", `/pcodes/${plain.pCode}/cancel`, { reason: "returned" });
		const told = await emitted(partner, loadHolder(2));
		await ops("POST", `/pcodes/${told.pCode}/cancel`, {
			reason: "stolen",
			revocation_reason: "keyCompromise",
		});
		for (const [{ serial, pCode }, reason, code] of [
			[plain, "cessationOfOperation", 5],
			[told, "keyCompromise", 1],
		] as const) {
			expect((await ops("GET", `/certificates/${serial}`)).body.data.certificate.revocation_reason).toBe(
				reason,
			);
			expect((await listed(serial)).reason).toBe(code);
			expect(await partner.status(pCode)).toBe("CANCELLED");
		}
	});

	test("that was revoked before keeps its reason and date", async () => {
		const { pCode, serial } = await emitted();
		const { body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		await ops("POST", `/pcodes/${pCode}/cancel`, { reason: "returned", revocation_reason: "superseded" });
		expect((await ops("GET", `/certificates/${serial}`)).body).toEqual(body);
	});

	test("a reason that is none is refused, and nothing happens", async () => {
		const { partner, pCode } = await emitted();
		const { status } = await ops("POST", `/pcodes/${pCode}/cancel`, {
			reason: "x",
			revocation_reason: "certificateHold",
		});
		expect(status).toBe(400);
		expect(await partner.status(pCode)).toBe("EMITTED");
	});
});

describe("RFC 5280 §5: GET /pki/issuing.crl", () => {
	test("is there from the first call on, empty and signed, for a day", async () => {
		const { crl, number, serials } = await readCrl();
		expect([number, serials]).toEqual([1, []]);
		expect(
			await crl.verify({ publicKey: new x509.X509Certificate(authority.certificate as BufferSource) }),
		).toBe(true);
		expect(crl.nextUpdate!.getTime() - crl.thisUpdate.getTime()).toBe(DAY);
		expect(crl.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId).toBe(
			bytesToHex(authority.subjectKeyId),
		);
	});

	test("lists a certificate soon after it was revoked, with time and reason, under a higher number", async () => {
		const before = await readCrl();
		const { serial } = await emitted();
		const { body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "affiliationChanged" });
		const entry = await listed(serial);
		expect(entry.reason).toBe(3);
		const second = Math.floor(Date.parse(body.data.certificate.revoked_at) / SECOND) * SECOND;
		expect(entry.revocationDate.getTime()).toBe(second);
		expect((await readCrl()).number).toBeGreaterThan(before.number);
	});

	test("is found by the cron when nobody else built it", async () => {
		await readCrl();
		const serials = await enterRevoked(3);
		await exports.default.scheduled({ cron: "* * * * *" });
		expect((await readCrl()).serials).toEqual(serials);
	});

	test("lists serials that were reserved and never handed out", async () => {
		const serial = `7${"0".repeat(31)}`;
		await env.DB.prepare(
			"INSERT INTO certificates (serial, partner_id, code, revoked_at, revocation_reason) VALUES (?, 'p', 'c', ?, 'cessationOfOperation')",
		)
			.bind(serial, Date.now())
			.run();
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual([serial]);
		expect((await askByPost([{ serial }])).statuses[0]).toMatch(/^revoked .* 5$/);
	});

	test("goes out with media type, validators and freshness; 304 to whom has it; HEAD alike", async () => {
		const { response, body } = await fetchPki("/issuing.crl");
		const { headers } = response;
		expect(headers.get("content-type")).toBe("application/pkix-crl");
		expect(headers.get("cache-control")).toMatch(/^public, max-age=300$/);
		expect(headers.get("content-length")).toBe(String(body.length));
		const etag = headers.get("etag")!;
		const modified = headers.get("last-modified")!;
		expect(Date.parse(modified)).toBe(new x509.X509Crl(body).thisUpdate.getTime());

		for (const condition of [
			{ "if-none-match": etag },
			{ "if-none-match": `"x", W/${etag}` },
			{ "if-none-match": "*" },
			{ "if-modified-since": modified },
		]) {
			const again = await fetchPki("/issuing.crl", { headers: condition as HeadersInit });
			expect([again.response.status, again.body.length]).toEqual([304, 0]);
			expect(again.response.headers.get("etag")).toBe(etag);
		}
		for (const condition of [
			{ "if-none-match": '"x"' },
			{ "if-none-match": '"x"', "if-modified-since": modified },
			{ "if-modified-since": new Date(Date.parse(modified) - SECOND).toUTCString() },
			{ "if-modified-since": "yesterday" },
		]) {
			const again = await fetchPki("/issuing.crl", { headers: condition as HeadersInit });
			expect([again.response.status, again.body.length]).toEqual([200, body.length]);
		}
		const head = await fetchPki("/issuing.crl", { method: "HEAD" });
		expect([head.response.status, head.body.length]).toEqual([200, 0]);
		expect(head.response.headers.get("content-length")).toBe(String(body.length));
		expect(head.response.headers.get("etag")).toBe(etag);
		expect((await fetchPki("/issuing.crl", { method: "POST" })).response.headers.get("allow")).toBe(
			"GET, HEAD",
		);
	});

	test("is built anew after six hours and not before, revocations or none", async () => {
		setTime(Date.now());
		await refreshCrl(context());
		passTime(6 * HOUR - MINUTE);
		expect((await refreshCrl(context()))?.number).toBe(1);
		passTime(MINUTE);
		expect((await refreshCrl(context()))?.number).toBe(2);
		expect((await refreshCrl(context()))?.number).toBe(2);
	});

	test("§3.3: drops a certificate only after a CRL issued past its end has listed it", async () => {
		setTime(Date.now());
		const [serial] = await enterRevoked(1, { notAfter: Date.now() + DAY });
		const seen: boolean[] = [];
		const pastEnd: boolean[] = [];
		for (let hours = 0; hours <= 72; hours += 6) {
			await refreshCrl(context());
			seen.push((await readCrl()).serials.includes(serial!));
			pastEnd.push(hours > 24);
			passTime(6 * HOUR);
		}
		expect(seen.filter((listed, i) => listed && pastEnd[i]).length).toBeGreaterThan(0);
		expect(seen.at(-1)).toBe(false);
		expect(seen.lastIndexOf(true)).toBe(seen.indexOf(false) - 1);
	});

	test("§3.3: after days without a build too, and of a certificate revoked after its end", async () => {
		setTime(Date.now());
		await refreshCrl(context());
		const [ended] = await enterRevoked(1, { notAfter: Date.now() + DAY });
		const [late] = await enterRevoked(1, { notAfter: Date.now() - 100 * DAY });
		passTime(30 * DAY);
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual([ended, late].sort());
		passTime(6 * HOUR);
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual([]);
	});
});

describe("RFC 5280 §5.2.3: the CRL number only grows", () => {
	test("under revocations and builds all at once, and the last CRL has them all", async () => {
		const numbers: number[] = [];
		const all = await Promise.all(
			Array.from({ length: 12 }, async () => {
				const serials = await enterRevoked(5);
				await refreshCrl(context());
				numbers.push((await published())?.number ?? 0);
				return serials;
			}),
		);
		expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual(all.flat().sort());
	});

	test("when a build crashes: its number is skipped and its turn ends by itself", async () => {
		setTime(Date.now());
		await refreshCrl(context());
		await enterRevoked(1);
		const broken = { ...authority.signer, sign: () => Promise.reject(new Error("crash")) };
		await expect(refreshCrl({ ...context(), authority: { ...authority, signer: broken } })).rejects.toThrow(
			"crash",
		);
		// As after the death of an isolate, which gives no turn back.
		await env.DB.prepare("UPDATE crl_state SET building_until = ?")
			.bind(Date.now() + MINUTE)
			.run();
		expect((await refreshCrl(context()))?.number).toBe(1);
		passTime(MINUTE);
		expect((await refreshCrl(context()))?.number).toBe(3);
	});

	test("when a build is overtaken: it does not publish, and nothing is lost", async () => {
		await refreshCrl(context());
		const first = await enterRevoked(1);
		let later: string[] = [];
		let signs = 0;
		const slow = {
			...authority.signer,
			sign: async (tbs: Uint8Array) => {
				if (signs++ === 0) {
					// It took so long that its turn was over, and another build began and ended.
					await env.DB.prepare("UPDATE crl_state SET building_until = 0").run();
					later = await enterRevoked(1);
					expect((await refreshCrl(context()))?.number).toBe(3);
				}
				return authority.signer.sign(tbs);
			},
		};
		expect((await refreshCrl({ ...context(), authority: { ...authority, signer: slow } }))?.number).toBe(3);
		expect(signs).toBe(1);
		const { number, serials } = await readCrl();
		expect([number, serials]).toEqual([3, [...first, ...later].sort()]);
	});

	test("when the register was restored to an earlier day, or the bucket was emptied", async () => {
		await enterRevoked(1);
		await refreshCrl(context());
		await env.DB.prepare("UPDATE crl_state SET crl_number = 0, revocations = 0").run();
		expect((await refreshCrl(context()))?.number).toBe(2);
		await env.PKI.delete(crlKey(authority));
		expect((await refreshCrl(context()))?.number).toBe(3);
	});

	test("and a revocation made while a CRL is built is on the next, which follows at once", async () => {
		let late: string[] = [];
		const signer = {
			...authority.signer,
			sign: async (tbs: Uint8Array) => {
				if (late.length === 0) {
					late = await enterRevoked(1);
					// Its own refresh finds somebody building and leaves it to them.
					await refreshCrl(context());
				}
				return authority.signer.sign(tbs);
			},
		};
		await refreshCrl({ ...context(), authority: { ...authority, signer } });
		expect((await readCrl()).serials).toEqual(late);
	});
});

describe("RFC 6960: /pki/ocsp", () => {
	const SERIAL = "7A".repeat(16);

	test("says good of an issued certificate, revoked with time and reason once it is, by POST and GET, SHA-1 and SHA-256", async () => {
		const { serial } = await emitted();
		const ask = async () => [
			...(await askByPost([{ serial }, { serial, hash: "SHA-256" }])).statuses,
			...(await askByGet([{ serial }, { serial, hash: "SHA-256" }])).statuses,
		];
		expect(await ask()).toEqual(["good", "good", "good", "good"]);
		const { body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		const at = `${body.data.certificate.revoked_at.slice(0, 19)}.000Z`;
		expect(await ask()).toEqual(Array(4).fill(`revoked ${at} 1`));
	});

	test("§2.2: says unknown of a serial that was never issued, the responder's own and odd ones", async () => {
		const serials = [
			SERIAL,
			"00",
			"7f",
			"ff",
			new x509.X509Certificate(responder.certificate as BufferSource).serialNumber,
		];
		const { statuses } = await askByPost(serials.map((serial) => ({ serial })));
		expect(statuses).toEqual(serials.map(() => "unknown"));
	});

	test("answers several questions in their order, those of another issuer with unknown", async () => {
		const { serial } = await emitted();
		const asked = [{ serial: SERIAL }, { serial, foreign: true }, { serial }, { serial }];
		expect((await askByPost(asked)).statuses).toEqual(["unknown", "unknown", "good", "good"]);
	});

	test("RFC 5019 §2.2.3: is unauthorized where every question is of another issuer", async () => {
		const { response, body } = await fetchPki("/ocsp", {
			method: "POST",
			body: encodeRequest(responder, [{ serial: SERIAL, foreign: true }]),
		});
		expect([response.status, bytesToHex(body)]).toEqual([200, UNAUTHORIZED]);
	});

	test("RFC 9654: echoes a nonce of 1 to 128 octets, and such an answer is nobody else's", async () => {
		for (const length of [1, 32, 128]) {
			const nonce = crypto.getRandomValues(new Uint8Array(length));
			for (const answer of [
				await askByPost([{ serial: SERIAL }], nonce),
				await askByGet([{ serial: SERIAL }], nonce),
			]) {
				expect(answer.nonce).toBe(bytesToHex(nonce));
				expect(answer.response.headers.get("cache-control")).toBe("no-store");
				expect(answer.response.headers.has("etag")).toBe(false);
			}
		}
		for (const length of [0, 129]) {
			const { responseStatus } = await askByPost([{ serial: SERIAL }], new Uint8Array(length));
			expect(responseStatus).toBe(1);
		}
	});

	test("RFC 5019 §6.2: an answer to GET without a nonce carries what caches need", async () => {
		setTime(new Date("2027-03-01T12:00:00.750Z"));
		const { response, body, thisUpdate, nextUpdate } = await askByGet([{ serial: SERIAL }]);
		expect([thisUpdate, nextUpdate]).toEqual([
			new Date("2027-03-01T12:00:00Z"),
			new Date("2027-03-01T13:00:00Z"),
		]);
		const { headers } = response;
		expect(headers.get("content-type")).toBe("application/ocsp-response");
		expect(headers.get("content-length")).toBe(String(body.length));
		expect(headers.get("last-modified")).toBe("Mon, 01 Mar 2027 12:00:00 GMT");
		expect(headers.get("expires")).toBe("Mon, 01 Mar 2027 13:00:00 GMT");
		expect(headers.get("cache-control")).toBe("max-age=300, public, no-transform, must-revalidate");
		expect(headers.get("etag")).toBe(
			`"${bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-1", body)))}"`,
		);
		expect((await askByPost([{ serial: SERIAL }])).response.headers.get("cache-control")).toBe("no-store");
	});

	test("appendix A.1: GET takes base64 escaped or with its slashes and pluses as they are", async () => {
		// Every serial until both have occurred.
		for (let n = 0; n < 64; n++) {
			const asked = [{ serial: (0x7f - n).toString(16).padStart(2, "0").repeat(16) }];
			const text = encodeRequest(responder, asked).toBase64();
			expect((await askByGet(asked)).statuses).toEqual(["unknown"]);
			expect((await askByGet(asked, undefined, (base64) => base64)).statuses).toEqual(["unknown"]);
			if (/\/.*\+|\+.*\//.test(text)) return;
		}
		throw new Error("no request with both");
	});

	const octets = (length: number) => new Uint8Array(length).fill(0x30);
	test.each<[string, string, RequestInit]>([
		["GET without a request", "/ocsp", {}],
		["GET with an empty one", "/ocsp/", {}],
		["GET with what is not base64", "/ocsp/%00%FF%ZZ", {}],
		["GET with what is not URL-encoded", "/ocsp/%ZZ", {}],
		["GET with what is not DER", "/ocsp/AAAA", {}],
		["GET with HTML", `/ocsp/${encodeURIComponent("<script>")}`, {}],
		["GET with a long one", `/ocsp/${"MIIB".repeat(3000)}`, {}],
		["POST without a body", "/ocsp", { method: "POST" }],
		[
			"POST with JSON",
			"/ocsp",
			{ method: "POST", body: "{}", headers: { "content-type": "application/json" } },
		],
		["POST with random octets", "/ocsp", { method: "POST", body: octets(200) }],
		["POST with too many", "/ocsp", { method: "POST", body: octets(4097) }],
		["POST with far too many", "/ocsp", { method: "POST", body: octets(3_000_000) }],
	])("§4.2.1: answers malformedRequest, in OCSP, to %s", async (_name, path, init) => {
		const { response, body } = await fetchPki(path, init);
		expect([response.status, bytesToHex(body)]).toEqual([200, MALFORMED]);
		expect(response.headers.get("content-type")).toBe("application/ocsp-response");
		expect(response.headers.get("cache-control")).toBe("no-store");
	});

	test("RFC 9110 §9.3.2: HEAD is GET without its body, and another method is HTTP's own matter: 405", async () => {
		const path = `/ocsp/${encodeURIComponent(encodeRequest(responder, [{ serial: SERIAL }]).toBase64())}`;
		const head = await fetchPki(path, { method: "HEAD" });
		expect([head.response.status, head.body.length]).toEqual([200, 0]);
		expect(head.response.headers.get("content-type")).toBe("application/ocsp-response");
		expect(Number(head.response.headers.get("content-length"))).toBeGreaterThan(1000);
		for (const [to, allow] of [
			["/ocsp", "GET, HEAD, POST"],
			[path, "GET, HEAD"],
		] as const) {
			const { response } = await fetchPki(to, { method: "PUT" });
			expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
		}
	});

	describe("§4.2.1: answers tryLater, in OCSP, when", () => {
		const ask = (to = (request: Request) => exports.default.fetch(request)) =>
			to(
				new Request("http://service.test/pki/ocsp", {
					method: "POST",
					body: encodeRequest(responder, [{ serial: SERIAL }]),
				}),
			);
		const hexOf = async (response: Response) => [
			response.status,
			bytesToHex(new Uint8Array(await response.arrayBuffer())),
		];

		test("D1 does not answer", async () => {
			const response = await interceptDb(
				() => Promise.reject(new Error("D1 is away")),
				() => ask(),
			);
			expect(await hexOf(response)).toEqual([200, TRY_LATER]);
		});

		test("the service's settings are not sound", async () => {
			const unsound = { ...env, OCSP_KEY: "" };
			const response = await ask(async (request) => app.fetch(request, unsound, createExecutionContext()));
			expect(await hexOf(response)).toEqual([200, TRY_LATER]);
		});

		test("the responder's certificate has run out, and issuing goes on", async () => {
			setTime(responder.notAfter);
			expect(await hexOf(await ask())).toEqual([200, TRY_LATER]);
			expect((await emitted()).serial).toMatch(/^[0-9A-F]{32}$/);
		});
	});
});
