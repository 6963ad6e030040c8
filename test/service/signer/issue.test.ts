import { bytesToHex } from "@noble/hashes/utils.js";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { certificatesOf, codeRow, storedIn } from "../../support/look-inside.ts";
import { goMute } from "../../support/mute.ts";
import { refusal } from "../../support/refusal.ts";
import { freshService, JUANA, type Partner } from "../../support/service.ts";
import { refuse, signThrough, TestSigner } from "../../support/signer.ts";

/* Certificates whose issuing key is behind a signer. */

let signer: TestSigner;
beforeEach(async () => {
	await freshService();
	signer = new TestSigner();
	await signThrough(signer);
});

const claim = (partner: Partner, pCode: string) => partner.claim(pCode);

test.each([
	["claim", validatedCode, claim],
	[
		"B2B request",
		() => activeCode({ mode: "B2B" }),
		(partner: Partner, pCode: string) => partner.request({ pCode, ...JUANA }),
	],
] as const)("a %s has its certificate signed once, and keeps entry and head", async (_, ready, act) => {
	const { partner, pCode } = await ready();
	expect((await act(partner, pCode)).status).toBe(200);
	expect(signer.asked.map(({ kind }) => kind)).toEqual(["certificates"]);
	const [row] = await certificatesOf(pCode);
	expect(bytesToHex(signer.asked[0]!.tbs).toUpperCase()).toContain(row!.serial);
	const kept = {
		signer_entry: 1,
		signer_head: expect.stringMatching(/^[0-9a-f]{64}$/),
		signer_head_signature: expect.any(String),
	};
	expect(row).toMatchObject(kept);
	// A restore of D1 takes nothing of it: the object remembers.
	expect((await storedIn(partner, pCode))[`certificate:${row!.serial}`]).toMatchObject({
		signerEntry: row!.signer_entry,
		signerHead: row!.signer_head,
		signerHeadSignature: row!.signer_head_signature,
	});
});

describe("a signer that does not sign: 503, nothing leaves, the serial is entered as revoked", () => {
	const json = (body: unknown) => Response.json(body);
	test.each<[string, TestSigner["answer"], code?: string]>([
		["refuses the certificate", () => refuse(422, "ISSUER"), "ISSUER"],
		[
			"is stopped",
			() => refuse(403, "STOPPED", { stopped: { reason: "why", since: 1, all: false } }),
			"STOPPED",
		],
		["names no code", () => json({})],
		["answers with a page", () => new Response("<html>")],
		["redirects", () => new Response(null, { status: 302, headers: { location: "http://elsewhere/" } })],
		["refuses every connection", () => Promise.reject(new Error("refused"))],
		["signs without a head", () => json({ signature: "AAAA", entry: 1 })],
	])("%s", async (_what, answer, code) => {
		const lines = vi.spyOn(console, "error").mockImplementation(() => {});
		const { partner, pCode } = await validatedCode();
		signer.answer = answer;
		const answered = await claim(partner, pCode);
		expect(refusal(answered)).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(Number(answered.headers.get("Retry-After"))).toBeGreaterThan(0);
		expect(answered.text).not.toMatch(/signer|refused|ISSUER|MODULE|STOPPED/i);
		const refused = lines.mock.calls.map(([line]) => JSON.parse(line)).filter(({ code }) => code);
		expect(refused).toMatchObject(code ? [{ event: "signer_refused", kind: "certificates", code }] : []);
		expect(await certificatesOf(pCode)).toMatchObject([{ issued_at: null, revoked_at: expect.any(Number) }]);
		expect(await codeRow(pCode)).toMatchObject({
			issued_at: null,
			claim_failures: 0,
			processing_until: null,
		});

		signer.answer = null;
		expect((await claim(partner, pCode)).status).toBe(200);
		expect((await certificatesOf(pCode)).length).toBe(2);
	});

	test("stays mute: given up after 5 s", async () => {
		const { partner, pCode } = await validatedCode();
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
		const mute = goMute(new Error("gone"));
		signer.answer = () => mute.ask();
		expect(refusal(await claim(partner, pCode))).toEqual([503, "SERVICE_UNAVAILABLE"]);
		mute.end();
		expect(mute.deadlines).toEqual([5_000]);
		signer.answer = null;
		expect((await claim(partner, pCode)).status).toBe(200);
	});

	test("signs other bytes: 500, and nothing leaves", async () => {
		vi.spyOn(console, "error").mockImplementation(() => {});
		const { partner, pCode } = await validatedCode();
		signer.answer = () =>
			json({ signature: "MAYCAQECAQE=", entry: 1, head: "0".repeat(64), head_signature: "AAAA" });
		expect(refusal(await claim(partner, pCode))).toEqual([500, "INTERNAL_ERROR"]);
		expect(await certificatesOf(pCode)).toMatchObject([{ issued_at: null, revoked_at: expect.any(Number) }]);
	});
});

test("a connection that fails once is made again with the same bytes, and the caller sees nothing of it", async () => {
	const { partner, pCode } = await validatedCode();
	const asked: Promise<{ tbs: Uint8Array }>[] = [];
	signer.answer = (one) => (asked.push(one) === 1 ? Promise.reject(new Error("refused")) : null);
	expect((await claim(partner, pCode)).status).toBe(200);
	const [first, second] = await Promise.all(asked);
	expect(second!.tbs).toEqual(first!.tbs);
	expect(asked).toHaveLength(2);
});
