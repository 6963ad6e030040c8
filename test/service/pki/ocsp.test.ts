import { bytesToHex } from "@noble/hashes/utils.js";
import { HOUR_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { nextMidnight, passTime, setTime } from "../../support/clock.ts";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import { interceptDb } from "../../support/failing-db.ts";
import { type Asked, encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import { askByPost, emitted, fetchPki, responder, usePki } from "../../support/pki.ts";
import { call, callWith, ops } from "../../support/service.ts";

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
const UNAUTHORIZED = "30030a0106";
/** The bytes 30030a0103, as a text. */
const TRY_LATER = "0\u0003\n\u0001\u0003";

usePki();

describe("RFC 6960: /pki/ocsp", () => {
	const SERIAL = "7A".repeat(16);

	test("says good of an issued certificate, revoked with time and reason a minute after it is, by POST and GET, SHA-1 and SHA-256", async () => {
		const { serial } = await emitted();
		const ask = async () => [
			...(await askByPost([{ serial }, { serial, hash: "SHA-256" }])).statuses,
			...(await askByGet([{ serial }, { serial, hash: "SHA-256" }])).statuses,
		];
		expect(await ask()).toEqual(["good", "good", "good", "good"]);
		const { body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		passTime(MINUTE_MS);
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
		await askByPost([{ serial: SERIAL }]);
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

	test("RFC 9654: echoes a nonce of 1 to 128 bytes, and such an answer is not cached", async () => {
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
		const midnight = nextMidnight();
		setTime(midnight + 750);
		const { response, body, thisUpdate, nextUpdate } = await askByGet([{ serial: SERIAL }]);
		expect([thisUpdate, nextUpdate]).toEqual([new Date(midnight), new Date(midnight + HOUR_MS)]);
		const { headers } = response;
		expect(headers.get("content-type")).toBe("application/ocsp-response");
		expect(headers.get("content-length")).toBe(String(body.length));
		expect(headers.get("last-modified")).toBe(thisUpdate!.toUTCString());
		expect(headers.get("expires")).toBe(nextUpdate!.toUTCString());
		expect(headers.get("cache-control")).toBe("max-age=60, public, no-transform, must-revalidate");
		expect(headers.get("etag")).toBe(
			`"${bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-1", body)))}"`,
		);
		expect((await askByPost([{ serial: SERIAL }])).response.headers.get("cache-control")).toBe("no-store");
		// The responder's certificate ends within the minute, and so does the answer.
		setTime(responder.notAfter.getTime() - 31_500);
		const last = await askByGet([{ serial: SERIAL }]);
		expect(last.response.headers.get("cache-control")).toMatch(/^max-age=30,/);
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

	test("§4.2.1: answers malformedRequest, in OCSP, to what is no request", async () => {
		const paths = ["/ocsp/", "/ocsp/%00%FF%ZZ", "/ocsp/%ZZ", "/ocsp/AAAA", `/ocsp/${"MIIB".repeat(3000)}`];
		const octets = [200, 4097, 3_000_000].map((length) => new Uint8Array(length).fill(0x30));
		for (const [path, init] of [
			...["/ocsp", ...paths, `/ocsp/${encodeURIComponent("<script>")}`].map((path) => [path, {}] as const),
			...[undefined, "{}", ...octets].map((body) => ["/ocsp", { method: "POST", body }] as const),
		]) {
			const { response, body } = await fetchPki(path, init as RequestInit);
			expect([path.slice(0, 99), response.status, bytesToHex(body)]).toEqual([
				path.slice(0, 99),
				200,
				MALFORMED,
			]);
			expect(response.headers.get("content-type")).toBe("application/ocsp-response");
			expect(response.headers.get("cache-control")).toBe("no-store");
		}
	});

	test("RFC 9110 §9.3.2: HEAD is GET without its body, and another method is 405", async () => {
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
		const ask = async (send = call) => {
			const body = encodeRequest(responder, [{ serial: SERIAL }]);
			const { status, text } = await send("POST", "/pki/ocsp", { body });
			return [status, text];
		};

		test("its caller asks too often, with the time to wait in HTTP", async () => {
			const body = encodeRequest(responder, [{ serial: "5C".repeat(16) }]);
			const full = { ADDRESS_OCSP_RATE: { limit: async () => ({ success: false }) } };
			const asked = { headers: { "cf-connecting-ip": "203.0.113.9" }, body };
			const { status, text, headers } = await callWith(full, "POST", "/pki/ocsp", asked);
			expect([status, text, headers.get("retry-after")]).toEqual([429, TRY_LATER, "60"]);
		});

		test("D1 does not answer", async () => {
			const away = () => Promise.reject(new Error("D1 is away"));
			expect(await interceptDb(away, () => ask())).toEqual([200, TRY_LATER]);
		});

		test("the service's settings are invalid", async () => {
			expect(await ask((...asked) => callWith({ OCSP_KEY: "" }, ...asked))).toEqual([200, TRY_LATER]);
		});

		test("the responder's certificate has ended, and issuing continues", async () => {
			setTime(responder.notAfter);
			expect(await ask()).toEqual([200, TRY_LATER]);
			expect((await emitted()).serial).toMatch(/^[0-9A-F]{32}$/);
		});
	});
});
