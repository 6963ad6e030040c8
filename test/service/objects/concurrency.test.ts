import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { PurchaseCodeObject } from "../../../src/objects/purchase-code.ts";
import { passTime, until } from "../../support/clock.ts";
import { activeCode, operate, STEPS, validatedCode } from "../../support/codes.ts";
import { interceptDb } from "../../support/failing-db.ts";
import {
	auditOf,
	certificatesOf,
	codeRow,
	expectAtRest,
	heldAtRegistry,
	holdRegistry,
	leaseOf,
	outboxOf,
	select,
	unsettledIn,
} from "../../support/look-inside.ts";
import { dropQueue } from "../../support/receiver.ts";
import { type Answer, freshService, JUANA, loadHolder, ops, Partner, PEDRO } from "../../support/service.ts";
import { sessionOf, submit } from "../../support/widget.ts";

beforeAll(freshService);
beforeEach(dropQueue);

function times<T>(count: number, act: (i: number) => Promise<T>): Promise<T[]> {
	return Promise.all(Array.from({ length: count }, (_, i) => act(i)));
}

function statuses(answers: readonly Answer[]): number[] {
	return answers.map(({ status }) => status).sort();
}

function ruleOf({ status, body }: Answer): string {
	return `${status} ${body.details?.[0]?.code ?? body.error}`;
}

/** Makes the issue of a certificate wait once it has its key. */
function holdIssuing() {
	const released = Promise.withResolvers<void>();
	const exportKey = crypto.subtle.exportKey.bind(crypto.subtle);
	const spy = vi.spyOn(crypto.subtle, "exportKey").mockImplementation(async (format, key) => {
		await released.promise;
		return exportKey(format, key);
	});
	return { isAsked: () => spy.mock.calls.length > 0, release: released.resolve };
}

/* ---------------------------------------------------------------- claims */

test("invariant 1: of ten simultaneous claims of one code exactly one is 200, the rest are 202 or 201", {
	tags: ["claim-once"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const exported = vi.spyOn(crypto.subtle, "exportKey");
	const answers = await times(10, () => partner.claim(pCode));
	expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1);
	expect(statuses(answers).every((status) => [200, 201, 202].includes(status))).toBe(true);
	expect(exported.mock.calls.map(([format]) => format).sort()).toEqual(["pkcs8", "spki"]);
	const certificates = await certificatesOf(pCode);
	expect(certificates.map(({ serial }) => serial)).toEqual([
		answers.find(({ status }) => status === 200)!.body.data.serialNumber,
	]);
	expect(await auditOf(pCode)).toEqual(["validated ok", "emitted ok"]);
	await expectAtRest(partner, pCode);
});

test("§3.3: while one claim makes the certificate, the others are 202 and the list shows processing 1, en_proceso", {
	tags: ["claim-while-claiming"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const issuing = holdIssuing();
	const claim = partner.claim(pCode);
	await until(issuing.isAsked);
	expect(ruleOf(await partner.claim(pCode))).toBe("202 VALIDATION_IN_PROGRESS");
	expect(await partner.listed(pCode)).toMatchObject({ status: "en_proceso", processing: 1 });
	expect(await partner.status(pCode)).toBe("VALIDATED");
	expect((await partner.list("?status=en_proceso")).body.data.pagination.total).toBe(1);
	issuing.release();
	expect((await claim).status).toBe(200);
	expect(await partner.listed(pCode)).toMatchObject({ status: "emitido", processing: 0 });
});

test('decision "wrong RUT or PIN": guesses sent at once are not compared concurrently: each 406 is counted', {
	tags: ["claim-guesses-at-once"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const answers: Answer[] = [];
	for (let round = 0; round < 8; round++)
		answers.push(...(await times(5, () => partner.claim(pCode, { pin: "0000" }))));
	const count = (status: number) => answers.filter((answer) => answer.status === status).length;
	expect(count(406)).toBe(5);
	expect(count(406) + count(202) + count(429)).toBe(40);
	expect(await codeRow(pCode)).toMatchObject({ claim_failures: 0, claim_locks: 1, issued_at: null });
	await expectAtRest(partner, pCode);
});

/* ---------------------------------------------------------------- requests */

test('decision "another validation running": two simultaneous requests of one code, for one RUT or two: one goes on, the registry is asked once', {
	tags: ["request-same-code-at-once", "request-other-validation"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const { registry, running: both } = await heldAtRegistry(() =>
		times(2, (i) => partner.request({ pCode, ...(i === 0 ? JUANA : PEDRO) })),
	);
	expect(await partner.listed(pCode)).toMatchObject({ status: "en_proceso", processing: 1 });
	expect(await partner.status(pCode)).toBe("ACTIVE");
	registry.release();
	expect((await both).map(ruleOf).sort()).toEqual(["200 undefined", "406 OTHER_VALIDATION_IN_PROGRESS"]);
	expect(registry.heard()).toBe(1);
	expect(await auditOf(pCode)).toEqual(["validated ok"]);
	await expectAtRest(partner, pCode);
});

test('decision "another validation running": two codes of one RUT of one partner: exactly one goes on; another partner is free', {
	tags: ["request-same-rut-at-once", "request-other-validation"],
}, async () => {
	const one = await Partner.create();
	const two = await Partner.create();
	const [first, second, third] = (await one.bulk(3)).body.data.pcodes;
	const strangers = await two.code();
	const registry = holdRegistry();
	const asked = Promise.all([
		one.request({ pCode: first, ...JUANA }),
		one.request({ pCode: second, ...JUANA }),
		two.request({ pCode: strangers, ...JUANA }),
		one.request({ pCode: third, ...PEDRO }),
	]);
	await until(() => registry.heard() === 3);
	registry.release();
	const answers = await asked;
	expect(answers.slice(0, 2).map(ruleOf).sort()).toEqual([
		"200 undefined",
		"406 OTHER_VALIDATION_IN_PROGRESS",
	]);
	expect(answers.slice(2).map(ruleOf)).toEqual(["200 undefined", "200 undefined"]);
	const refused = answers[0]!.status === 406 ? first : second;
	expect(await codeRow(refused)).toMatchObject({ validation_failures: 0, version: 0 });
	expect((await one.request({ pCode: refused, ...JUANA })).status).toBe(200);
});

test.each(["B2C", "B2B"])(
	'decision "e-mail": two codes, one e-mail, two RUTs at once (%s): EMAIL_IN_USE for exactly one',
	{ tags: ["email-at-once"] },
	async (mode) => {
		const partner = await Partner.create({ mode });
		const codes: string[] = (await partner.bulk(2)).body.data.pcodes;
		const registry = holdRegistry();
		const asked = Promise.all([
			partner.request(
				{ pCode: codes[0], ...JUANA, email: "shared@example.cl" },
				{ "Idempotency-Key": "one" },
			),
			partner.request(
				{ pCode: codes[1], ...PEDRO, email: "Shared@Example.CL" },
				{ "Idempotency-Key": "two" },
			),
		]);
		await until(() => registry.heard() === 2);
		registry.release();
		const answers = await asked;
		expect(answers.map(ruleOf).sort()).toEqual(["200 undefined", "406 EMAIL_IN_USE"]);

		const loser = answers[0].status === 406 ? 0 : 1;
		const pCode = codes[loser]!;
		expect(await partner.status(pCode)).toBe("ACTIVE");
		expect(await codeRow(pCode)).toMatchObject({
			bound_rut_index: null,
			external_reference_id: null,
			validation_failures: 0,
			issued_at: null,
		});
		expect(await outboxOf(pCode)).toEqual([]);
		expect(await select("SELECT * FROM holders WHERE code = ?", pCode)).toEqual([]);
		const certificates = await certificatesOf(pCode);
		expect(certificates.map(({ revoked_at }) => revoked_at)).toEqual(
			mode === "B2B" ? [expect.any(Number)] : [],
		);
		await auditOf(pCode);
		expect((await partner.listed(pCode)).processing).toBe(0);
		// The refusal is kept, and the lease is not.
		expect(Object.keys(await unsettledIn(partner, pCode))).toEqual([expect.stringMatching(/^answer:/)]);
		const holder = loser === 0 ? JUANA : PEDRO;
		expect((await partner.request({ pCode, ...holder })).status).toBe(200);
	},
);

test("§8: of eleven certificate_requests at once exactly ten are admitted, and another partner is not held back", {
	tags: ["emission-rate-at-once"],
}, async () => {
	const partner = await Partner.create();
	const codes: string[] = (await partner.bulk(11)).body.data.pcodes;
	const stranger = await activeCode();
	const answers = await Promise.all(codes.map((pCode, i) => partner.request({ pCode, ...loadHolder(i) })));
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
	const [refused] = answers.filter(({ status }) => status === 429);
	expect(refused!.body.error).toBe("RATE_LIMIT_EXCEEDED");
	expect(Number(refused!.headers.get("Retry-After"))).toBeGreaterThan(0);
	const remaining = answers.map(({ headers }) => /r=(\d+)/.exec(headers.get("RateLimit")!)![1]);
	expect(remaining.map(Number).sort((a, b) => a - b)).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	expect((await stranger.partner.request({ pCode: stranger.pCode, ...JUANA })).status).toBe(200);
});

test("§8: a submission that asks the registry nothing gives back its own place, and none that was taken meanwhile", async () => {
	const partner = await Partner.create();
	const made = await sessionOf(partner, await partner.code());
	const codes: string[] = (await partner.bulk(11)).body.data.pcodes;
	const ask = (i: number) => partner.request({ pCode: codes[i]!, ...loadHolder(i) });
	const meanwhile: Answer[] = [];
	vi.spyOn(PurchaseCodeObject.prototype, "submitOnboarding").mockImplementationOnce(async () => {
		passTime(1);
		meanwhile.push(await ask(0));
		return { answer: { kind: "rejected", rejection: { reason: "not_found" }, unasked: true } } as never;
	});
	await submit(made);
	expect(statuses(meanwhile)).toEqual([200]);
	const answers = await times(10, (i) => ask(i + 1));
	expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});

/* ---------------------------------------------------------------- ops against a running step */

test('decision "who sets CANCELLED": cancelled by ops while the registry is asked: at once for ops, 423 for the request', async () => {
	const { partner, pCode } = await activeCode();
	const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	expect(await leaseOf(partner, pCode)).toMatchObject({ attemptReserved: true });
	const before = await ops("GET", `/pcodes/${pCode}`);
	expect(before.body.data.pcode).toMatchObject({ processing: 1, list_status: "en_proceso" });
	const { status, body } = await operate(pCode, "cancel");
	expect([status, body]).toEqual([200, (await ops("GET", `/pcodes/${pCode}`)).body]);
	expect(body.data.pcode).toMatchObject({ processing: 0, processing_until: null });
	expect(await partner.status(pCode)).toBe("CANCELLED");
	expect(await partner.listed(pCode)).toMatchObject({ status: "anulado", processing: 0 });
	registry.release();

	expect(ruleOf(await running)).toBe("423 LOCKED");
	expect(await codeRow(pCode)).toMatchObject({ validated_at: null, bound_rut_index: null });
	expect(await select("SELECT * FROM holders WHERE code = ?", pCode)).toEqual([]);
	expect(await auditOf(pCode)).toEqual(["cancel test"]);
	await expectAtRest(partner, pCode);
	expect(await partner.status(pCode)).toBe("CANCELLED");
});

test('decision "who sets a permanent block": blocked while the registry is asked: 423', async () => {
	const { partner, pCode } = await activeCode();
	const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	expect((await operate(pCode, "block")).status).toBe(200);
	registry.release();
	expect(ruleOf(await running)).toBe("423 LOCKED");
	await expectAtRest(partner, pCode);
});

test.each(["claim", "B2B request"] as const)(
	'decision "cancelling an issued code revokes its certificate": also when ops cancel while a %s signs: 423, nothing is delivered',
	async (name) => {
		const { ready, act } = STEPS[name];
		const { partner, pCode } = await ready();
		const before = await auditOf(pCode);
		const issuing = holdIssuing();
		const running = act(partner, pCode);
		await until(issuing.isAsked);
		const serial = (await leaseOf(partner, pCode))!.serial;
		expect((await operate(pCode, "cancel")).status).toBe(200);
		issuing.release();
		expect(ruleOf(await running)).toBe("423 LOCKED");
		expect(await partner.status(pCode)).toBe("CANCELLED");
		expect(await outboxOf(pCode)).toEqual([]);
		expect(await certificatesOf(pCode)).toEqual([
			expect.objectContaining({ serial, issued_at: null, revoked_at: expect.any(Number) }),
		]);
		expect(await codeRow(pCode)).toMatchObject({ issued_at: null, validation_failures: 0 });
		expect(await auditOf(pCode)).toEqual([...before, "cancel test", "step_abandoned nothing_spent"]);
		await expectAtRest(partner, pCode);
	},
);

test("invariant 3: ops that another change overtakes decide again on the code as it is then", async () => {
	const { pCode } = await activeCode();
	let overtaken: number | null = null;
	const cancelled = await interceptDb(
		async (_, deliver, sql) => {
			if (overtaken === null && /insert into "audit_events"/i.test(sql)) {
				overtaken = 0;
				overtaken = (await operate(pCode, "block")).status;
			}
			return deliver();
		},
		() => operate(pCode, "cancel"),
	);
	expect([overtaken, cancelled.status]).toEqual([200, 200]);
	expect(await auditOf(pCode)).toEqual(["block test", "cancel test"]);
});
