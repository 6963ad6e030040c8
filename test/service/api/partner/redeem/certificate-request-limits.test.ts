import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { PurchaseCodeObject } from "../../../../../src/objects/purchase-code.ts";
import { passTime, stopClock, yearOfNext } from "../../../../support/clock.ts";
import { activeCode } from "../../../../support/codes.ts";
import { execute } from "../../../../support/db.ts";
import { invalid, refusal, rejection } from "../../../../support/refusal.ts";
import {
	type Answer,
	call,
	freshService,
	JUANA,
	JUANA_FULL,
	ops,
	Partner,
} from "../../../../support/service.ts";

const YEAR = yearOfNext("01-15");

const WRONG_CARD = { ...JUANA, serialNumber: "999999999" };
const CARD_MISMATCH = rejection("ID_CARD_MISMATCH", "serialNumber");

/** Three wrong cards in a row, each of which must answer its own 406. */
async function lock(partner: Partner, pCode: string): Promise<void> {
	for (let attempt = 1; attempt <= 3; attempt++)
		expect(refusal(await partner.request({ pCode, ...WRONG_CARD }))).toEqual(CARD_MISMATCH);
}

describe("order of checks", () => {
	beforeAll(freshService);

	const PATH = "/api/partners/v1/certificate_request";
	const NEVER_EXISTED = "0000-0000-0000-0000";

	/** Headers that differ from call to call by design. */
	const OF_THE_CALL = ["ratelimit", "server-timing", "x-request-id"];

	/** Everything else of an answer that a caller can see. */
	function visible({ status, headers, text }: Answer) {
		const kept = [...headers].filter(([name]) => !OF_THE_CALL.includes(name));
		return { status, text, headers: kept };
	}

	test("order of checks: body size (413) before the key", { tags: ["order-size-before-key"] }, async () => {
		const answer = await call("POST", PATH, { body: new Uint8Array(12 * 1024 * 1024 + 1) });
		expect(refusal(answer)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
	});

	test("order of checks: shape (400) before existence (404); a name in the reduced flow is of the shape", {
		tags: ["order-shape-before-code", "request-reduced-names-refused", "request-reduced-names-named"],
	}, async () => {
		const partner = await Partner.create();
		const ask = async (fields: object) =>
			refusal(await partner.request({ pCode: NEVER_EXISTED, ...JUANA, ...fields }));
		expect(await ask({ pin: "1" })).toEqual(invalid("pin INVALID_VALUE"));
		expect(await ask({ names: "Juana", fLastname: "Pérez", phone: "+56912345678" })).toEqual(
			invalid("names NOT_ALLOWED", "fLastname NOT_ALLOWED", "phone NOT_ALLOWED"),
		);
		expect(await ask({})).toEqual([404, "NOT_FOUND"]);
	});

	test("§7 purchase code does not exist: another partner's, a never existing and an impossible one answer the same bytes", {
		tags: ["request-code-not-found"],
	}, async () => {
		const [owner, stranger] = [await Partner.create(), await Partner.create()];
		const { body } = await owner.bulk(2);
		const [active, validated] = body.data.pcodes;
		await owner.request({ pCode: validated, ...JUANA });
		const locked = await owner.code();
		await lock(owner, locked);
		const cancelled = await owner.code();
		await ops("POST", `/pcodes/${cancelled}/cancel`, { reason: "Refund" });

		const never = visible(await stranger.request({ pCode: NEVER_EXISTED, ...JUANA }));
		expect(never.status).toBe(404);
		for (const pCode of [active, validated, locked, cancelled, "impossible"])
			expect(visible(await stranger.request({ pCode, ...JUANA }))).toEqual(never);
		expect(await owner.status(active)).toBe("ACTIVE");
	});

	test("§1.7 behaviour follows the partner's configuration at the moment of the call", {
		tags: [
			"request-configuration-decides",
			"request-full-field-required",
			"request-full-missing-named",
			"request-sso-required",
		],
	}, async () => {
		const { partner, pCode } = await activeCode();
		await partner.change({ require_cedula_serie: 0 });
		const missing = ["names REQUIRED", "fLastname REQUIRED", "phone REQUIRED"];
		const unsigned = await partner.request({ pCode, ...JUANA });
		expect(refusal(unsigned)).toEqual(invalid(...missing, "ssoCredential REQUIRED"));
		await partner.change({ require_sso: 0 });
		expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual(invalid(...missing));
		const fields = { pCode, ...JUANA_FULL, serialNumber: JUANA.serialNumber };
		await partner.change({ validate_vencimiento: 1 });
		const required = rejection("EXPIRATION_DATE_REQUIRED", "fechaVencimiento");
		expect(refusal(await partner.request(fields))).toEqual(required);
		await partner.change({ validate_vencimiento: 0 });
		expect((await partner.request(fields)).body.data.status).toBe("VALIDATED");
		await partner.change({ mode: "B2B", delivery_email: "b2b@partner.example", require_cedula_serie: 1 });
		expect((await partner.request({ pCode, ...JUANA })).body.data.status).toBe("EMITTED");
	});

	test("decision 401: a suspension binds certificate_request at once, also where the key is still cached", async () => {
		const { partner, pCode } = await activeCode();
		await execute("UPDATE partners SET suspended_at = 1 WHERE id = ?", partner.id);
		for (const code of [pCode, NEVER_EXISTED, "not a code"])
			expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([401, "UNAUTHORIZED"]);
	});
});

describe("failed attempts and locks", () => {
	beforeAll(freshService);
	beforeEach(stopClock);

	const LOCK_MS = 30 * MINUTE_MS;

	async function failuresOf(pCode: string): Promise<{ failures: number; locks: number }> {
		const { body } = await ops("GET", `/pcodes/${pCode}`);
		return { failures: body.data.pcode.validation_failures, locks: body.data.pcode.validation_locks };
	}

	test("§7 attempt limit: the 3rd in a row answers its own 406 and opens a 30-minute security lock, 429", {
		tags: ["request-lock", "status-security-lock", "list-bloqueado"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		await lock(partner, pCode);
		const locked = await partner.request({ pCode, ...JUANA });
		expect(refusal(locked)).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
		expect(locked.headers.get("retry-after")).toBe("1800");
		expect((await partner.request({ pCode: await partner.code(), ...JUANA })).status).toBe(200);
		expect(await partner.status(pCode)).toBe("LOCKED");
		expect((await partner.listed(pCode)).status).toBe("bloqueado");
		expect((await partner.list("?status=bloqueado")).body.data.pagination.total).toBe(1);

		passTime(LOCK_MS - 1);
		for (let i = 0; i < 4; i++) await partner.request({ pCode, ...WRONG_CARD });
		expect(await failuresOf(pCode)).toEqual({ failures: 0, locks: 1 });
		const last = await partner.request({ pCode, ...JUANA });
		expect(refusal(last)).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
		expect(last.headers.get("retry-after")).toBe("1");

		passTime(1);
		expect(await partner.status(pCode)).toBe("ACTIVE");
		expect((await partner.list("?status=bloqueado")).body.data.pagination.total).toBe(0);
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
	});

	test("decision: the third lock of a code closes certificate_request for good, until ops lift it; a success between clears the count, not that of locks; a claim goes on", {
		tags: ["request-lock-permanent", "lock-count-kept", "attempt-cleared", "two-locks"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		for (let locks = 1; locks <= 2; locks++) {
			await lock(partner, pCode);
			expect(refusal(await partner.request({ pCode, ...JUANA }))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
			passTime(LOCK_MS);
			for (let i = 0; i < 2; i++) await partner.request({ pCode, ...WRONG_CARD });
			expect(await failuresOf(pCode)).toEqual({ failures: 2, locks });
			expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
			expect(await failuresOf(pCode)).toEqual({ failures: 0, locks });
			passTime(MINUTE_MS);
		}
		await partner.request({ pCode, ...WRONG_CARD });
		await partner.request({ pCode, ...WRONG_CARD });
		expect((await partner.request({ pCode, ...WRONG_CARD })).body.message).toMatch(
			/ certificate_request is now closed for good for this purchase code\. It can still be claimed\.$/,
		);
		for (const wait of [0, LOCK_MS, 48 * LOCK_MS]) {
			passTime(wait);
			const answer = await partner.request({ pCode, ...JUANA });
			expect([...refusal(answer), answer.headers.get("retry-after")]).toEqual([423, "LOCKED", null]);
			expect([await partner.status(pCode), (await partner.listed(pCode)).status]).toEqual([
				"VALIDATED",
				"validado",
			]);
		}
		await ops("POST", `/pcodes/${pCode}/unblock`, { reason: "Holder called" });
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
		await execute("UPDATE purchase_codes SET validation_blocked_at = 1 WHERE code = ?", pCode);
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(423);
		expect((await partner.claim(pCode)).status).toBe(200);
	});

	test("decision: failures of different reasons each spend an attempt, and add up to a lock; of all that is wrong the first is the one entry of details", {
		tags: ["attempt-reasons", "error-406-one-detail"],
	}, async () => {
		const { partner, pCode } = await activeCode({ require_cedula_serie: 0, validate_vencimiento: 1 });
		const right = { pCode, ...JUANA_FULL, fechaVencimiento: "2031-05-20" };
		const wrong = [
			["ID_CARD_MISMATCH", { dni: "10000001-6" }],
			["fechaVencimiento EXPIRATION_DATE_MISMATCH", { fechaVencimiento: "2031-05-21" }],
			["names NAME_MISMATCH", { names: "Otra" }],
			["ssoCredential SSO_REJECTED", { ssoCredential: "sso-22222222-2" }],
		] as const;
		for (const [i, [detail]] of wrong.entries()) {
			const failed = i < 3 ? pCode : await partner.code();
			const fields = Object.assign({}, ...wrong.slice(i).map(([, field]) => field));
			const answer = await partner.request({ ...right, ...fields, pCode: failed });
			expect(refusal(answer)).toEqual([406, "VALIDATION_ERROR", detail]);
			if (i === 0)
				expect(answer.body.message).toMatch(/^The civil registry has no ID card in force for this RUT\./);
			expect((await failuresOf(failed)).failures).toBe((i + 1) % 3 || 0);
		}
		expect(refusal(await partner.request(right))).toEqual([429, "ATTEMPT_LIMIT_REACHED"]);
	});

	test("decision: each failure says how many attempts are left, in Spanish too; the one that locks says until when, but for a repeat", {
		tags: ["attempts-left"],
	}, async () => {
		vi.setSystemTime(Date.UTC(YEAR, 0, 15, 12));
		const { partner, pCode } = await activeCode();
		const key = { "idempotency-key": crypto.randomUUID() };
		const left = async (headers: Record<string, string> = {}) => {
			const answer = await partner.request({ pCode, ...WRONG_CARD }, headers);
			return [answer.body.message.split(/(?<=[.]) /).at(-1), answer.headers.get("retry-after")];
		};
		expect(await left()).toEqual(["2 attempts are left.", null]);
		expect(await left({ "accept-language": "es" })).toEqual(["Queda 1 intento.", null]);
		const locked = `Demasiados intentos fallidos: bloqueado hasta el 15 de enero de ${YEAR}, 09:30 (hora de Chile).`;
		expect(await left({ ...key, "accept-language": "es" })).toEqual([locked, "1800"]);
		passTime(MINUTE_MS);
		expect(await left(key)).toEqual([locked, null]);
	});
});

describe("emission rate", () => {
	beforeAll(freshService);
	beforeEach(stopClock);

	const UNKNOWN = { pCode: "0000-0000-0000-0000", ...JUANA };
	const EXCEEDED = [429, "RATE_LIMIT_EXCEEDED"];

	test("§8 emission rate: 10 requests per minute per partner, whichever of its keys sends them; beyond it, 429", {
		tags: ["emission-rate", "rate-limit-429", "emission-rate-per-partner"],
	}, async () => {
		const [busy, calm] = [await Partner.create(), await Partner.create()];
		const { body } = await ops("POST", `/partners/${busy.id}/keys`, { label: "second" });
		for (let used = 1; used <= 10; used++) {
			const { headers, status } = await busy.request(UNKNOWN);
			expect(status).toBe(404);
			expect(headers.get("ratelimit-policy")).toBe('"emission";q=10;w=60');
			expect(headers.get("ratelimit")).toBe(`"emission";r=${10 - used};t=60`);
			expect(headers.get("retry-after")).toBeNull();
		}
		for (const key of [busy.key, body.data.api_key]) {
			const refused = await busy.request(UNKNOWN, { "x-gw": key });
			expect(refusal(refused)).toEqual(EXCEEDED);
			expect(refused.headers.get("retry-after")).toBe("60");
			expect(refused.headers.get("ratelimit-policy")).toBe('"emission";q=10;w=60');
			expect(refused.headers.get("ratelimit")).toBe('"emission";r=0;t=60');
		}
		expect((await calm.request(UNKNOWN)).headers.get("ratelimit")).toBe('"emission";r=9;t=60');
	});

	test('decision "emission rate": every authenticated request counts, whatever its outcome; the rate (429) before media type (415) before shape (400)', {
		tags: ["emission-rate-counts-all", "order-rate-before-shape", "order-media-type-before-shape"],
	}, async () => {
		const partner = await Partner.create();
		const { body } = await partner.bulk(2);
		const [pCode, failed] = body.data.pcodes;
		const outcomes = [
			await partner.request({ pCode, ...JUANA }),
			await partner.request({ ...WRONG_CARD, pCode: failed }),
			await partner.request(UNKNOWN),
			await partner.request({}),
			await partner.request({}, { "content-type": "text/plain" }),
			await partner.post("/api/partners/v1/certificate_request", "{"),
		];
		expect(outcomes.map(({ status }) => status)).toEqual([200, 406, 404, 400, 415, 400]);
		for (const { headers } of outcomes) expect(headers.get("ratelimit")).toMatch(/^"emission";r=[4-9];t=60$/);
		for (let i = 0; i < 4; i++) expect((await partner.request(UNKNOWN)).status).toBe(404);
		for (const [fields, type] of [
			[{ pCode, ...JUANA }, "application/json"],
			[{}, "text/plain"],
		] as const)
			expect(refusal(await partner.request(fields, { "content-type": type }))).toEqual(EXCEEDED);
	});

	test("§8 the object of a code fails by a bug: 500, counted, with the rate's fields", async () => {
		const partner = await Partner.create();
		vi.spyOn(PurchaseCodeObject.prototype, "requestCertificate").mockRejectedValueOnce(new Error("a bug"));
		const { status, headers } = await partner.request(UNKNOWN);
		expect([status, headers.get("ratelimit")]).toEqual([500, '"emission";r=9;t=60']);
	});
});
