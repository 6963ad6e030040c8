import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { readLease } from "../../../src/objects/lease.ts";
import { WaitingKey } from "../../../src/objects/waiting-key.ts";
import { passTime, replaceTimers, stopClock, until } from "../../support/clock.ts";
import { activeCode, operate, STEPS, validatedCode } from "../../support/codes.ts";
import { certificatesOf, codeObject, codeRow, holdRegistry } from "../../support/look-inside.ts";
import { freshService, JUANA, type Partner } from "../../support/service.ts";

beforeAll(freshService);

async function blockAndUnblock(pCode: string): Promise<void> {
	for (const verb of ["block", "unblock"]) expect((await operate(pCode, verb)).status).toBe(200);
}

/** Signatures made with a private key, of whichever kind. */
function watchSigning() {
	const sign = vi.spyOn(crypto.subtle, "sign");
	return () => sign.mock.calls.filter(([, key]) => key.type === "private").length;
}

test.each(["claim", "B2B request"] as const)(
	"invariant 2: a %s signs nothing while the storage has not confirmed the serial",
	async (name) => {
		const { ready, act } = STEPS[name];
		const { partner, pCode } = await ready();
		const storage: DurableObjectStorage = await runInDurableObject(codeObject(partner, pCode), (_, state) =>
			Object.getPrototypeOf(state.storage),
		);
		const original = storage.sync;
		const sync = vi.spyOn(storage, "sync").mockImplementation(async function (this: DurableObjectStorage) {
			if (readLease(this)?.serial) throw new Error("storage: not confirmed");
			return original.call(this);
		});
		const signatures = watchSigning();
		const failed = await act(partner, pCode);
		await expect(sync.mock.results.at(-1)?.value).rejects.toThrow("not confirmed");
		expect(failed.status).toBeGreaterThanOrEqual(500);
		expect(signatures()).toBe(0);
		expect(await codeRow(pCode)).toMatchObject({ issued_at: null, certificate_serial: null });
		expect((await certificatesOf(pCode)).filter(({ issued_at }) => issued_at !== null)).toEqual([]);

		sync.mockRestore();
		// The object remembers a serial, but no certificate that D1 could have forgotten.
		await blockAndUnblock(pCode);
		expect((await act(partner, pCode)).status).toBe(200);
		expect(signatures()).toBeGreaterThan(0);
	},
);

/* ---------------------------------------------------------------- the key that is made while the registry is asked */

const ASKED = 'decision "private key"';

test.each([
	["B2C", {}],
	["B2B", { mode: "B2B" }],
])(
	`${ASKED}: a %s request notes its attempt, asks, lets the question leave, and then makes the key`,
	async (mode, settings) => {
		const { partner, pCode } = await activeCode(settings);
		const registry = holdRegistry();
		const order: string[] = [];
		const fetcher = Object.getPrototypeOf(env.CIVIL_REGISTRY) as Fetcher;
		const { fetch } = fetcher;
		vi.spyOn(fetcher, "fetch").mockImplementation(function (this: Fetcher, ...of: Parameters<typeof fetch>) {
			if (of[0] instanceof Request && of[0].url.endsWith("/v1/identity-checks")) order.push("asked");
			return fetch.apply(this, of);
		});
		replaceTimers((setTimer) => (run, milliseconds, ...values) => {
			if (milliseconds > 0) return setTimer(run, milliseconds, ...values);
			return setTimer(() => {
				order.push("a turn later");
				(run as () => void)();
			}, 0);
		});
		const storage: DurableObjectStorage = await runInDurableObject(codeObject(partner, pCode), (_, state) =>
			Object.getPrototypeOf(state.storage),
		);
		const { sync } = storage;
		vi.spyOn(storage, "sync").mockImplementation(async function (this: DurableObjectStorage) {
			await sync.call(this);
			order.push(
				`noted ${readLease(this)?.attemptReserved && "attempt"} ${readLease(this)?.serial && "serial"}`,
			);
		});
		const { generateKey } = crypto.subtle;
		vi.spyOn(crypto.subtle, "generateKey").mockImplementation(((...of: Parameters<typeof generateKey>) => {
			order.push("key");
			return generateKey.apply(crypto.subtle, of);
		}) as typeof generateKey);
		const request = partner.request({ pCode, ...JUANA });
		await until(() => order.includes("key"));
		expect(order).toEqual(["noted attempt null", "asked", "a turn later", "key"]);
		registry.release();
		expect((await request).status).toBe(200);
		if (mode === "B2C") expect((await partner.claim(pCode)).status).toBe(200);
		expect(order.filter((what) => what === "key")).toHaveLength(1);
	},
);

const TEN_MINUTES = 10 * MINUTE_MS;

type Between = (partner: Partner, pCode: string) => unknown;

test.each<[what: string, made: number, between: Between]>([
	["is used by the claim", 0, () => undefined],
	["is used just before its ten minutes are over", 0, () => passTime(TEN_MINUTES - 1)],
	["is not used after ten minutes", 1, () => passTime(TEN_MINUTES)],
	["is not used after the clock was set back", 1, () => passTime(-1)],
	["outlasts a wrong PIN", 0, (partner, pCode) => partner.claim(pCode, { pin: "0000" })],
	["outlasts another validation", 0, (partner, pCode) => partner.request({ pCode, ...JUANA })],
	["ends with its object", 1, (partner, pCode) => evictDurableObject(codeObject(partner, pCode))],
	["ends with a block, also one that is lifted", 1, (_, pCode) => blockAndUnblock(pCode)],
	["is not used for another algorithm", 1, (partner) => partner.change({ key_algorithm: "rsa-2048" })],
	[
		"is not used again after a claim that failed",
		1,
		async (partner, pCode) => {
			vi.spyOn(crypto.subtle, "exportKey").mockRejectedValueOnce(new Error("a bug"));
			expect((await partner.claim(pCode)).status).toBe(500);
		},
	],
])(`${ASKED}: the key that waits %s`, async (_what, made, between) => {
	stopClock();
	const { partner, pCode } = await validatedCode();
	const keys = vi.spyOn(crypto.subtle, "generateKey");
	await between(partner, pCode);
	expect(keys).not.toHaveBeenCalled();
	expect((await partner.claim(pCode)).status).toBe(200);
	expect(keys).toHaveBeenCalledTimes(made);
});

test(`${ASKED}: a cancel drops the key that waits`, async () => {
	const { pCode } = await validatedCode();
	const drop = vi.spyOn(WaitingKey.prototype, "drop");
	await operate(pCode, "cancel");
	expect(drop).toHaveBeenCalledTimes(1);
});
