import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../../../src/domain/durations.ts";
import { hastenTimers, passTime, stopClock } from "../../../../support/clock.ts";
import { activeCode, validatedCode } from "../../../../support/codes.ts";
import { dropQueue } from "../../../../support/receiver.ts";
import { refusal, rejection } from "../../../../support/refusal.ts";
import { DOWN, RUBBISH, SILENT, SLOW } from "../../../../support/sandbox-identities.ts";
import { freshService, JUANA, Partner, PEDRO } from "../../../../support/service.ts";
import { readTablesWithoutKeyUse, rowsOfCode } from "../../../../support/tables.ts";

describe("the answer, and the certificate of a B2B partner", () => {
	beforeAll(freshService);

	test("§3.3 ACTIVE, success, partner B2B: EMITTED, and the response includes certificate info (§2.3)", {
		tags: ["request-emitted", "request-b2b-issues", "claim-b2b"],
	}, async () => {
		const { partner, pCode } = await activeCode({ mode: "B2B" });
		const before = Date.now();
		const { status, body } = await partner.request({ pCode, ...JUANA });
		expect(status).toBe(200);
		const { certificate, ...rest } = body.data;
		expect(rest).toEqual({
			p_code: pCode,
			referenceId: "order-1001",
			status: "EMITTED",
			titular: { rut: "11111111-1", nombreCompleto: "JUANA ANDREA PÉREZ SOTO", email: "juana@example.cl" },
		});
		expect(Object.keys(certificate).sort()).toEqual(["pfxFileName", "serialNumber", "validFrom", "validTo"]);
		expect(certificate.serialNumber).toMatch(/^[0-9A-F]{32}$/);
		expect(certificate.pfxFileName).toBe("certificado-11111111-1.pfx");
		const validFrom = Date.parse(certificate.validFrom);
		expect(Math.abs(validFrom - before)).toBeLessThan(10 * 60_000);
		expect(Date.parse(certificate.validTo)).toBeGreaterThan(before + 364 * DAY_MS);
		expect(await partner.status(pCode)).toBe("EMITTED");
		expect(await partner.listed(pCode)).toMatchObject({ status: "emitido", processing: 0 });
		expect(refusal(await partner.claim(pCode))).toEqual([201, "ALREADY_ISSUED"]);
	});

	test('decision "partnerCopy": a later request without one replaces the earlier copy', async () => {
		const { partner, pCode } = await activeCode();
		await partner.request({ pCode, ...JUANA, partnerCopy: "copia@example.cl" });
		await partner.request({ pCode, ...JUANA });
		expect((await partner.claim(pCode)).status).toBe(200);
		const emitted = (await rowsOfCode("outbox", pCode)).filter(
			({ event }) => event === "certificate.emitted",
		);
		expect(emitted).toEqual([]);
	});
});

describe("the holder: RUT, e-mail, window and repeated requests", () => {
	beforeAll(freshService);
	beforeEach(stopClock);

	const EMAIL_IN_USE = rejection("EMAIL_IN_USE", "email");
	const MISMATCH = [406, "VALIDATION_ERROR", "CREDENTIALS_MISMATCH"];

	async function twoCodes(partner: Partner): Promise<[string, string]> {
		const { body } = await partner.bulk(2);
		return body.data.pcodes;
	}

	test('decision "e-mail": one RUT per partner, compared in lower case, answered as it was sent; another partner is free; a failed validation binds no RUT and takes no e-mail', {
		tags: [
			"email-lower-case",
			"request-email-in-use",
			"email-per-partner",
			"email-from-success",
			"rut-binding-success-only",
		],
	}, async () => {
		const [partner, other] = [await Partner.create(), await Partner.create()];
		const [first, second] = await twoCodes(partner);
		const failed = await partner.request({ pCode: first, ...JUANA, serialNumber: "999999999" });
		expect(failed.status).toBe(406);
		const { body } = await partner.request({ pCode: first, ...PEDRO, email: "Juana@Example.CL" });
		expect(body.data.titular.email).toBe("Juana@Example.CL");
		const answer = await partner.request({ pCode: second, ...JUANA, email: "jUANA@example.cl" });
		expect(refusal(answer)).toEqual(EMAIL_IN_USE);
		expect(await partner.status(second)).toBe("ACTIVE");
		expect((await other.request({ pCode: await other.code(), ...JUANA })).status).toBe(200);
	});

	test('decision "request on a VALIDATED code": one that fails leaves PIN, e-mail and reference, the next success replaces them', {
		tags: ["request-again", "request-again-success-only"],
	}, async () => {
		const { partner, pCode } = await validatedCode();
		const renewed = { pCode, ...JUANA, pin: "7777", email: "nueva@example.cl", referenceId: "order-1002" };
		expect((await partner.request({ ...renewed, serialNumber: "999999999" })).status).toBe(406);
		expect(await partner.status(pCode)).toBe("VALIDATED");
		expect((await partner.listed(pCode)).external_reference_id).toBe("order-1001");
		expect(refusal(await partner.claim(pCode, { pin: "7777" }))).toEqual(MISMATCH);

		const { body } = await partner.request(renewed);
		expect(body.data).toMatchObject({ status: "VALIDATED", referenceId: "order-1002" });
		expect(body.data.titular.email).toBe("nueva@example.cl");
		expect((await partner.listed(pCode)).external_reference_id).toBe("order-1002");
		expect((await partner.list("?external_reference_id=order-1001")).body.data.pagination.total).toBe(0);
		expect(refusal(await partner.claim(pCode))).toEqual(MISMATCH);
		expect((await partner.claim(pCode, { pin: "7777" })).status).toBe(200);
	});

	test('decision "request on an EMITTED code": 406 CODE_ALREADY_USED, B2C and B2B, nothing changed', {
		tags: ["request-code-used"],
	}, async () => {
		// Deliveries of earlier tests, and messages to their holders, would change the figures.
		await freshService();
		dropQueue();
		for (const mode of ["B2C", "B2B"]) {
			const { partner, pCode } = await validatedCode({ mode });
			if (mode === "B2C") await partner.claim(pCode);
			const before = await readTablesWithoutKeyUse();
			for (const holder of [JUANA, PEDRO]) {
				const answer = await partner.request({ pCode, ...holder });
				expect(refusal(answer)).toEqual(rejection("CODE_ALREADY_USED", "pCode"));
			}
			expect(await readTablesWithoutKeyUse()).toEqual(before);
		}
	});

	test('decision "14-day window": from expires_at on CODE_EXPIRED and expirado, computed at each read, while /status says ACTIVE', {
		tags: ["request-code-expired", "code-window", "status-active-past-window"],
	}, async () => {
		const partner = await Partner.create();
		const [early, late] = await twoCodes(partner);
		const { created_at, expires_at } = await partner.listed(late);
		expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(14 * DAY_MS);
		const seen = async () => {
			const [unused, expired] = [
				await partner.list("?status=sin_utilizar"),
				await partner.list("?status=expirado"),
			];
			const totals = [unused, expired].map(({ body }) => body.data.pagination.total);
			return [(await partner.listed(late)).status, await partner.status(late), ...totals];
		};
		passTime(14 * DAY_MS - 1);
		expect((await partner.request({ pCode: early, ...JUANA })).status).toBe(200);
		expect(await seen()).toEqual(["sin_utilizar", "ACTIVE", 1, 0]);
		const stored = await rowsOfCode("purchase_codes", late);
		passTime(1);
		expect(refusal(await partner.request({ pCode: late, ...JUANA }))).toEqual(
			rejection("CODE_EXPIRED", "pCode"),
		);
		expect(await seen()).toEqual(["expirado", "ACTIVE", 0, 1]);
		expect(await rowsOfCode("purchase_codes", late)).toEqual(stored);
	});
});

describe("the civil registry", () => {
	beforeAll(freshService);

	/** Milliseconds. So long the client waits, the sandbox before it answers, and its silence lasts. */
	const [DEADLINE, SLOWLY, SILENCE] = [8_000, 4_000, 60_000];

	test.for([
		["10000005-9: the registry answers 503", DOWN, []],
		["10000006-7: the registry never answers", SILENT, [SILENCE]],
		["10000007-5: the registry answers something that is not its format", RUBBISH, []],
	] as const)(
		"sandbox %s: REGISTRY_UNAVAILABLE, nothing changed, no attempt spent",
		{ tags: ["registry-unavailable", "registry-timeout", "attempt-given-back"] },
		async ([, person, waits]) => {
			const { partner, pCode } = await activeCode();
			const before = await readTablesWithoutKeyUse();
			const timers = hastenTimers(20, [DEADLINE, SILENCE]);
			const answer = await partner.request({ pCode, ...JUANA, ...person });
			expect(timers).toEqual(expect.arrayContaining([DEADLINE, ...waits]));
			expect(refusal(answer)).toEqual([503, "REGISTRY_UNAVAILABLE"]);
			expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
			expect(await readTablesWithoutKeyUse()).toEqual(before);
			vi.mocked(setTimeout).mockRestore();
			expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
		},
	);

	test("sandbox 10000004-0: the registry takes 4 s, then valid; the code reads processing meanwhile", {
		tags: ["list-en-proceso"],
	}, async () => {
		const { partner, pCode } = await activeCode();
		const timers = hastenTimers(2, [SLOWLY]);
		const slow = partner.request({ pCode, ...JUANA, ...SLOW });
		while ((await partner.listed(pCode)).processing !== 1);
		expect((await partner.listed(pCode)).status).toBe("en_proceso");
		expect(await partner.status(pCode)).toBe("ACTIVE");
		const { body } = await slow;
		expect(timers.filter((ms) => ms > 0).slice(-2)).toEqual([DEADLINE, SLOWLY]);
		expect(body.data.titular.nombreCompleto).toBe("TITO LENTO PRUEBA");
		expect(await partner.listed(pCode)).toMatchObject({ status: "validado", processing: 0 });
	});
});
