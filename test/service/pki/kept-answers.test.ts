import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { refreshCrl } from "../../../src/pki/publish-crl.ts";
import { nextMidnight, passTime, setTime } from "../../support/clock.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import {
	authority,
	CRL,
	context,
	emitted,
	enterRevoked,
	fetchPki,
	responder,
	usePki,
} from "../../support/pki.ts";
import { ops } from "../../support/service.ts";

/* A repeated public request costs no D1, R2 or signature for a minute. */

async function ask(serial: string, how: "GET" | "POST" = "GET", nonce?: Uint8Array) {
	const der = encodeRequest(responder, [{ serial }], nonce);
	const { response, body } =
		how === "POST"
			? await fetchPki(`/${authority.keyId}/ocsp`, { method: "POST", body: der })
			: await fetchPki(`/${authority.keyId}/ocsp/${encodeURIComponent(der.toBase64())}`);
	return { response, body, ...readResponse(body) };
}

/** Runs it with D1 and R2 away. @returns how many signatures the responder made meanwhile. */
async function withoutStores(run: () => Promise<void>): Promise<number> {
	const signing = vi.spyOn(responder.signer, "sign");
	const away = () => Promise.reject(new Error("away"));
	const bucket = vi.spyOn(Object.getPrototypeOf(env.PKI), "get").mockImplementation(away);
	try {
		await interceptDb(away, run);
		return signing.mock.calls.length;
	} finally {
		bucket.mockRestore();
		signing.mockRestore();
	}
}

const nonce = () => crypto.getRandomValues(new Uint8Array(16));

usePki();

describe("an OCSP answer", () => {
	test("is made once: by GET and POST the same request has the same bytes, without D1 and a signature", async () => {
		const { serial } = await emitted();
		const { body } = await ask(serial);
		const signatures = await withoutStores(async () => {
			for (const how of ["GET", "POST", "GET"] as const) {
				const again = await ask(serial, how);
				expect([how, again.statuses, again.body]).toEqual([how, ["good"], body]);
			}
		});
		expect(signatures).toBe(0);
	});

	test("a nonce costs a signature, never a query, whatever form the first question had", async () => {
		const { serial } = await emitted();
		await ask(serial);
		const signatures = await withoutStores(async () => {
			for (const how of ["GET", "POST"] as const) {
				const answer = await ask(serial, how, nonce());
				expect([answer.statuses, answer.response.headers.get("cache-control")]).toEqual([
					["good"],
					"no-store",
				]);
			}
		});
		expect(signatures).toBe(2);
	});

	test("says so within a minute once the certificate is revoked, in every form", async () => {
		setTime(Date.now());
		const { serial } = await emitted();
		await ask(serial);
		await ask(serial, "POST", nonce());
		await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		passTime(MINUTE_MS - SECOND_MS);
		const late = await ask(serial);
		expect([late.statuses, late.response.headers.get("cache-control")]).toEqual([
			["good"],
			"max-age=1, public, no-transform, must-revalidate",
		]);
		// The facts of this answer were read then too: it must not begin another minute.
		expect((await ask(serial, "POST", nonce())).statuses).toEqual(["good"]);
		passTime(SECOND_MS);
		for (const how of ["GET", "POST"] as const)
			for (const answer of [await ask(serial, how), await ask(serial, how, nonce())])
				expect(answer.statuses).toEqual([expect.stringMatching(/^revoked .* 1$/)]);
	});

	test("holds its thisUpdate at the time when D1 was read", async () => {
		const midnight = nextMidnight();
		setTime(midnight + 750);
		const { serial } = await emitted();
		await ask(serial);
		passTime(30 * SECOND_MS);
		const { thisUpdate, response } = await ask(serial, "GET", nonce());
		expect(thisUpdate).toEqual(new Date(midnight));
		expect(response.status).toBe(200);
	});

	test("a clock that was set back finds nothing kept", async () => {
		setTime(Date.now());
		const { serial } = await emitted();
		await ask(serial);
		passTime(-MINUTE_MS);
		expect(await withoutStores(async () => expect((await ask(serial)).responseStatus).toBe(3))).toBe(0);
	});
});

describe("the CRL", () => {
	test("is read from R2 once: GET, HEAD and a conditional one are answered without it", async () => {
		const first = await fetchPki(CRL);
		const etag = first.response.headers.get("etag")!;
		await withoutStores(async () => {
			expect((await fetchPki(CRL)).body).toEqual(first.body);
			const head = await fetchPki(CRL, { method: "HEAD" });
			expect(head.response.headers.get("content-length")).toBe(String(first.body.length));
			const same = await fetchPki(CRL, { headers: { "if-none-match": etag } });
			expect([same.response.status, same.body.length]).toEqual([304, 0]);
		});
	});

	test("is the next one within a minute, and what is left of it is what other caches may keep", async () => {
		setTime(Date.now());
		const first = await fetchPki(CRL);
		expect(first.response.headers.get("cache-control")).toBe("public, max-age=60");
		await enterRevoked(1);
		await refreshCrl(context());
		passTime(MINUTE_MS - SECOND_MS);
		const late = await fetchPki(CRL);
		expect([late.body, late.response.headers.get("cache-control")]).toEqual([
			first.body,
			"public, max-age=1",
		]);
		passTime(SECOND_MS);
		expect((await fetchPki(CRL)).body).not.toEqual(first.body);
	});
});

test("an answer's minute begins before what it says is read, however long that takes", async () => {
	setTime(Date.now());
	const { serial } = await emitted();
	const slowly = async (deliver: () => Promise<unknown>) => {
		const read = await deliver();
		passTime(30 * SECOND_MS);
		return read;
	};
	const { response } = await interceptDb(
		(nth, deliver) => (nth === 1 ? slowly(deliver) : deliver()),
		() => ask(serial),
	);
	expect(response.headers.get("cache-control")).toMatch(/^max-age=30,/);

	await refreshCrl(context());
	const bucket = Object.getPrototypeOf(env.PKI);
	const { get } = bucket;
	const reading = vi.spyOn(bucket, "get").mockImplementation(function (this: R2Bucket, key) {
		return slowly(() => get.call(this, key));
	});
	const crl = await fetchPki(CRL);
	reading.mockRestore();
	expect(crl.response.headers.get("cache-control")).toBe("public, max-age=30");
});
