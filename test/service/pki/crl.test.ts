import { env } from "cloudflare:workers";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { execute, executeOfNobody } from "../../support/db.ts";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import { refreshCrl } from "../../../src/pki/publish-crl.ts";
import { crlKey } from "../../../src/pki/published-crl.ts";
import type { SignedKind } from "../../../src/x509/authority-signer.ts";
import {
	askByPost,
	authority,
	CRL,
	context,
	emitted,
	enterRevoked,
	fetchPki,
	listed,
	published,
	readCrl,
	serialOf,
	usePki,
} from "../../support/pki.ts";
import { ops, Partner } from "../../support/service.ts";

usePki();

describe("RFC 5280 §5: GET /pki/<key id>/crl", () => {
	test("is served from the first call on, empty, for a day", async () => {
		const { crl, number, serials } = await readCrl();
		expect([number, serials]).toEqual([1, []]);
		expect(crl.nextUpdate!.getTime() - crl.thisUpdate.getTime()).toBe(DAY_MS);
	});

	test("lists a certificate soon after it was revoked, with time and reason, under a higher number", async () => {
		const before = await readCrl();
		const { serial } = await emitted();
		const { body } = await ops("POST", `/certificates/${serial}/revoke`, { reason: "affiliationChanged" });
		const entry = await listed(serial);
		expect(entry.reason).toBe(3);
		const second = Math.floor(Date.parse(body.data.certificate.revoked_at) / SECOND_MS) * SECOND_MS;
		expect(entry.revocationDate.getTime()).toBe(second);
		expect((await readCrl()).number).toBeGreaterThan(before.number);
	});

	test("lists serials that were reserved and never issued", async () => {
		const partner = await Partner.create();
		const serial = await serialOf(partner);
		await execute(
			"INSERT INTO certificates (serial, issuer_key_id, partner_id, code, revoked_at, revocation_reason) VALUES (?, ?, ?, 'c', ?, 'cessationOfOperation')",
			...[serial, authority.keyId, partner.id, Date.now()],
		);
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual([serial]);
		expect((await askByPost([{ serial }])).statuses[0]).toMatch(/^revoked .* 5$/);
	});

	test("has media type, validators and freshness; 304 when not modified; HEAD alike", async () => {
		// Apart from the bucket's own clock.
		setTime(Date.now() + HOUR_MS);
		const { response, body } = await fetchPki(CRL);
		const { headers } = response;
		expect(headers.get("content-type")).toBe("application/pkix-crl");
		expect(headers.get("cache-control")).toMatch(/^public, max-age=60$/);
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
			const again = await fetchPki(CRL, { headers: condition as HeadersInit });
			expect([again.response.status, again.body.length]).toEqual([304, 0]);
			expect(again.response.headers.get("etag")).toBe(etag);
		}
		for (const condition of [
			{ "if-none-match": '"x"' },
			{ "if-none-match": '"x"', "if-modified-since": modified },
			{ "if-modified-since": new Date(Date.parse(modified) - SECOND_MS).toUTCString() },
			{ "if-modified-since": "yesterday" },
		]) {
			const again = await fetchPki(CRL, { headers: condition as HeadersInit });
			expect([again.response.status, again.body.length]).toEqual([200, body.length]);
		}
		const head = await fetchPki(CRL, { method: "HEAD" });
		expect([head.response.status, head.body.length]).toEqual([200, 0]);
		expect(head.response.headers.get("content-length")).toBe(String(body.length));
		expect(head.response.headers.get("etag")).toBe(etag);
		expect((await fetchPki(CRL, { method: "POST" })).response.headers.get("allow")).toBe("GET, HEAD");
	});

	test("is rebuilt after six hours and not before, with or without revocations", async () => {
		setTime(Date.now());
		await refreshCrl(context());
		passTime(6 * HOUR_MS - MINUTE_MS);
		expect((await refreshCrl(context()))?.number).toBe(1);
		passTime(MINUTE_MS);
		expect((await refreshCrl(context()))?.number).toBe(2);
		const { thisUpdate } = (await refreshCrl(context()))!;
		// A clock that was set back sets no list back.
		passTime(-HOUR_MS);
		await enterRevoked(1);
		expect(await refreshCrl(context())).toMatchObject({ number: 3, thisUpdate });
	});

	test("is never one that caches would keep past its nextUpdate: where crons fail, the caller's wait makes the next one", async () => {
		setTime(Date.now());
		const { crl } = await readCrl();
		setTime(crl.nextUpdate!.getTime() - MINUTE_MS - 1);
		expect((await readCrl()).number).toBe(1);
		passTime(1);
		expect((await readCrl()).number).toBe(2);
		passTime(DAY_MS);
		// Somebody else is building.
		await executeOfNobody("UPDATE crl_state SET building_until = ?", Date.now() + MINUTE_MS);
		expect((await fetchPki(CRL)).response.status).toBe(503);
		passTime(MINUTE_MS);
		expect((await readCrl()).number).toBe(3);
	});

	test("§3.3: drops a certificate only after a CRL issued past its end has listed it", async () => {
		setTime(Date.now());
		const [serial] = await enterRevoked(1, { notAfter: Date.now() + DAY_MS });
		const seen: boolean[] = [];
		const pastEnd: boolean[] = [];
		for (let hours = 0; hours <= 72; hours += 6) {
			await refreshCrl(context());
			seen.push((await readCrl()).serials.includes(serial!));
			pastEnd.push(hours > 24);
			passTime(6 * HOUR_MS);
		}
		expect(seen.filter((listed, i) => listed && pastEnd[i]).length).toBeGreaterThan(0);
		expect(seen.at(-1)).toBe(false);
		expect(seen.lastIndexOf(true)).toBe(seen.indexOf(false) - 1);
	});

	test("§3.3: after days without a build too, and of a certificate revoked after its end", async () => {
		setTime(Date.now());
		await refreshCrl(context());
		const [ended] = await enterRevoked(1, { notAfter: Date.now() + DAY_MS });
		const [late] = await enterRevoked(1, { notAfter: Date.now() - 100 * DAY_MS });
		passTime(30 * DAY_MS);
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual([ended, late].sort());
		passTime(6 * HOUR_MS);
		await refreshCrl(context());
		expect((await readCrl()).serials).toEqual([]);
	});
});

describe("RFC 5280 §5.2.3: the CRL number only grows", () => {
	test("under concurrent revocations and builds, and the last CRL has them all", async () => {
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
		// Simulates the death of an isolate, which gives no turn back.
		await executeOfNobody("UPDATE crl_state SET building_until = ?", Date.now() + MINUTE_MS);
		expect((await refreshCrl(context()))?.number).toBe(1);
		passTime(MINUTE_MS);
		expect((await refreshCrl(context()))?.number).toBe(3);
	});

	test("when a build is overtaken: it does not publish, and nothing is lost", async () => {
		await refreshCrl(context());
		const first = await enterRevoked(1);
		let later: string[] = [];
		let signs = 0;
		const slow = {
			...authority.signer,
			sign: async (kind: SignedKind, tbs: Uint8Array) => {
				if (signs++ === 0) {
					// The build outlived its turn, and another build began and ended.
					await executeOfNobody("UPDATE crl_state SET building_until = 0");
					later = await enterRevoked(1);
					expect((await refreshCrl(context()))?.number).toBe(3);
				}
				return authority.signer.sign(kind, tbs);
			},
		};
		expect((await refreshCrl({ ...context(), authority: { ...authority, signer: slow } }))?.number).toBe(3);
		expect(signs).toBe(1);
		const { number, serials } = await readCrl();
		expect([number, serials]).toEqual([3, [...first, ...later].sort()]);
	});

	test("when D1 was restored to an earlier day, or the bucket was emptied", async () => {
		await enterRevoked(1);
		await refreshCrl(context());
		await executeOfNobody("UPDATE crl_state SET crl_number = 0");
		expect((await refreshCrl(context()))?.number).toBe(2);
		await env.PKI.delete(crlKey(authority));
		expect((await refreshCrl(context()))?.number).toBe(3);
	});

	test("a revocation made while a CRL is built is on the next, which follows at once", async () => {
		let late: string[] = [];
		const signer = {
			...authority.signer,
			sign: async (kind: SignedKind, tbs: Uint8Array) => {
				if (late.length === 0) {
					late = await enterRevoked(1);
					// Another build is under way, so its own refresh does nothing.
					await refreshCrl(context());
				}
				return authority.signer.sign(kind, tbs);
			},
		};
		await refreshCrl({ ...context(), authority: { ...authority, signer } });
		expect((await readCrl()).serials).toEqual(late);
	});
});
