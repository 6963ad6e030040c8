import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { passTime, setTime } from "../../support/clock.ts";
import { activeCode, operate, STEPS, validatedCode } from "../../support/codes.ts";
import { delayingAt, interceptDb } from "../../support/failing-db.ts";
import {
	codeObject,
	codeRow,
	heldAtRegistry,
	LEASE_OVER,
	leaseOf,
	select,
	unsettledIn,
} from "../../support/look-inside.ts";
import { freezePlaces, thawPlaces } from "../../support/places.ts";
import { dropQueue } from "../../support/receiver.ts";
import { refusal } from "../../support/refusal.ts";
import { freshService, JUANA, type Partner } from "../../support/service.ts";
import { makeSession, session, submit } from "../../support/widget.ts";

beforeAll(freshService);
beforeEach(dropQueue);

/** Two changes by ops. What is thrown inside a round trip reads as D1's failure, so their statuses are compared after it. */
async function change(pCode: string): Promise<number[]> {
	return [(await operate(pCode, "block")).status, (await operate(pCode, "unblock")).status];
}

const goOn = (name: string, partner: Partner, pCode: string) =>
	name.startsWith("claim") ? partner.claim(pCode) : partner.request({ pCode, ...JUANA });

test.each(Object.entries(STEPS))(
	"a %s, changed by ops before its commit: 503, the code is free at once, and no attempt is spent then or later",
	async (name, { ready, act }) => {
		const { partner, pCode } = await ready();
		let changed: number[] | null = null;
		const answer = await interceptDb(
			async (_, deliver, sql) => {
				if (!changed && /insert into "audit_events"/i.test(sql)) {
					changed = [];
					changed = await change(pCode);
				}
				return deliver();
			},
			() => act(partner, pCode),
		);
		expect([changed, refusal(answer)]).toEqual([
			[200, 200],
			[503, "SERVICE_UNAVAILABLE"],
		]);
		expect(await unsettledIn(partner, pCode)).toEqual({});
		const free = { validation_failures: 0, claim_failures: 0, processing_until: null, issued_at: null };
		expect(await codeRow(pCode)).toMatchObject(free);

		passTime(LEASE_OVER);
		await runDurableObjectAlarm(codeObject(partner, pCode));
		expect(await codeRow(pCode)).toMatchObject(free);
		expect((await goOn(name, partner, pCode)).status).toBe(200);
	},
);

test.each(Object.entries(STEPS))(
	"a %s, refused at any of its writes since its partner moves: 503, and once the partner is open the next call goes on at once",
	async (name, { ready, act }) => {
		for (let frozenAt = 1; frozenAt <= 3; frozenAt++) {
			const { partner, pCode } = await ready();
			const answer = await interceptDb(
				async (nth, deliver) => {
					if (nth === frozenAt) await freezePlaces(partner.id);
					return deliver();
				},
				() => act(partner, pCode),
			);
			if (answer.status !== 503) {
				// The step had fewer trips: it was over.
				expect(frozenAt).toBe(3);
				continue;
			}
			expect([refusal(answer), answer.headers.get("retry-after")]).toEqual([
				[503, "SERVICE_UNAVAILABLE"],
				"30",
			]);
			const lease = await leaseOf(partner, pCode);
			expect((await act(partner, pCode)).status).toBe(503);

			await thawPlaces(partner.id);
			expect((await goOn(name, partner, pCode)).status).toBe(200);
			expect(await codeRow(pCode)).toMatchObject({ validation_failures: 0, claim_failures: 0 });
			if (lease?.serial)
				expect(
					await select(
						"SELECT revoked_at IS NOT NULL AS revoked FROM certificates WHERE serial = ?",
						lease.serial,
					),
				).toEqual([{ revoked: 1 }]);
		}
	},
);

test("a session that a partner could not make since it moves leaves its code as it was", async () => {
	const { partner, pCode } = await activeCode();
	const before = await codeRow(pCode);
	await freezePlaces(partner.id);
	expect((await makeSession(partner, pCode)).status).toBe(503);
	await thawPlaces(partner.id);
	expect((await partner.claim(pCode)).status).toBe(404);
	expect(await codeRow(pCode)).toEqual(before);
});

test("a submission that is refused since its partner moves takes no place of the partner's rate", async () => {
	const made = await session();
	const { partner, pCode } = made;
	await freezePlaces(partner.id);
	expect((await submit(made)).status).toBe(503);
	await thawPlaces(partner.id);
	const { headers } = await partner.request({ pCode, ...JUANA });
	expect(headers.get("ratelimit")).toContain(";r=9;");
});

const REQUEST_MARK = 2;

test("a request whose code ops changed after it was read does not ask the registry: 503, nothing is spent", async () => {
	const { partner, pCode } = await activeCode();
	const registry = vi.spyOn(CivilRegistrySandbox.prototype, "fetch");
	let changed: number[] = [];
	const answer = await interceptDb(
		async (nth, deliver) => {
			if (nth === REQUEST_MARK) changed = await change(pCode);
			return deliver();
		},
		() => partner.request({ pCode, ...JUANA }),
	);
	expect([changed, refusal(answer)]).toEqual([
		[200, 200],
		[503, "SERVICE_UNAVAILABLE"],
	]);
	expect(registry).not.toHaveBeenCalled();
	expect(await unsettledIn(partner, pCode)).toEqual({});
	expect(await codeRow(pCode)).toMatchObject({ validation_failures: 0, processing_until: null });
	expect((await partner.request({ pCode, ...JUANA })).status).toBe(200);
});

test("a clock set back by a second does not end a running lease, for a request, a claim or the alarm", async () => {
	const { partner, pCode } = await validatedCode();
	const { registry, running } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	const lease = await leaseOf(partner, pCode);

	setTime(lease!.until - LEASE_OVER - SECOND_MS);
	const second = await partner.request({ pCode, ...JUANA });
	expect(refusal(second)).toEqual([406, "VALIDATION_ERROR", "OTHER_VALIDATION_IN_PROGRESS"]);
	expect((await partner.claim(pCode)).status).toBe(202);
	await runDurableObjectAlarm(codeObject(partner, pCode));
	expect(await leaseOf(partner, pCode)).toEqual(lease);

	registry.release();
	expect((await running).status).toBe(200);
	expect(registry.heard()).toBe(1);
});

const REQUEST_UNMARK = 3;

test("an unmark that reaches D1 late leaves the next run's mark", async () => {
	const { partner, pCode } = await activeCode();
	setTime(Date.now());
	const registryDown = vi
		.spyOn(CivilRegistrySandbox.prototype, "fetch")
		.mockRejectedValue(new Error("Network connection lost."));
	const { answer, arriveLate } = await delayingAt(REQUEST_UNMARK, () => partner.request({ pCode, ...JUANA }));
	expect(answer.status).toBe(503);
	expect(await codeRow(pCode)).toMatchObject({ processing_until: null, validation_failures: 0 });
	registryDown.mockRestore();

	passTime(SECOND_MS);
	const { registry, running: next } = await heldAtRegistry(() => partner.request({ pCode, ...JUANA }));
	await arriveLate();
	const { until } = (await leaseOf(partner, pCode))!;
	expect(await codeRow(pCode)).toMatchObject({
		processing_until: until,
		processing_rut_index: expect.any(String),
	});
	registry.release();
	expect((await next).status).toBe(200);
});
