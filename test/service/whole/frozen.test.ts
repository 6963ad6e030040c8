import {
	createExecutionContext,
	createMessageBatch,
	createScheduledController,
	getQueueResult,
	runDurableObjectAlarm,
	runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { Bindings } from "../../../src/bindings.ts";
import worker from "../../../src/dev.ts";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import type { DeliveryMessage } from "../../../src/platform.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime } from "../../support/clock.ts";
import { dyingAt } from "../../support/failing-db.ts";
import { certificatesOf, codeObject, leaseOf, selectOfNobody } from "../../support/look-inside.ts";
import { published, untilCrlIsBuilt } from "../../support/pki.ts";
import { bindingsWith, callWith, freshService, JUANA, ops, Partner } from "../../support/service.ts";
import { PARTNER_ROUTES } from "./partner-routes.ts";

/* FROZEN: partners write nothing while D1 is being restored; reads, /pki and ops go on. */

const FROZEN = { FROZEN: "1" };
const frozen = bindingsWith(FROZEN) as Bindings;

let partner: Partner;
beforeEach(async () => {
	await freshService();
	partner = await Partner.create();
});

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
	const init = { headers, ...(method === "POST" && { body: "{}" }) };
	const answer = await callWith(FROZEN, method, `http://service.test${path}`, init);
	return [answer.status, answer.headers.get("retry-after")];
}

test("partners' writes are 503 with Retry-After before the key is looked at; reads, /pki and ops go on", async () => {
	const READS = ["POST /api/partner/v1/certificates/search"];
	const writes = PARTNER_ROUTES.map(({ method, path }) => [method, path] as const).filter(
		([method, path]) => method !== "GET" && !READS.includes(`${method} ${path}`),
	);
	expect(writes.length).toBeGreaterThan(15);
	const steps = ["open", "submit", "claim"].map(
		(step) => ["POST", `/widget/v1/sessions/os_1/${step}`] as const,
	);
	for (const [method, path] of [...writes, ...steps])
		expect([path, ...(await ask(method, path, { "x-gw": "nonsense" }))]).toEqual([path, 503, "300"]);
	expect(await ask("POST", "/revocar")).toEqual([503, "30"]);
	expect(await ask("POST", "/correo/x")).toEqual([503, "30"]);
	expect((await ask("POST", "/api/partner/v1/certificates/search", { "x-gw": "nonsense" }))[0]).toBe(401);
	expect((await ask("GET", "/widget/v1/sessions/os_1"))[0]).toBe(401);
	const key = { "x-gw": partner.key };
	expect((await ask("GET", "/api/partner/v1/pcodes", key))[0]).toBe(200);
	expect((await ask("GET", "/api/partners/v1/status?p_code=X", key))[0]).toBe(200);
	// Not even the use of the key is written.
	const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
	expect(keys[0].last_used_at).toBeNull();
	expect((await ask("GET", "/pki/root.cer"))[0]).toBe(200);
	expect((await ask("GET", "/ops/v1/partners", { authorization: `Bearer ${env.OPS_TOKEN}` }))[0]).toBe(200);
	expect((await ask("GET", "/readyz"))[0]).toBe(200);
});

test("the queue's messages wait; the cron runs no job and no sweep, but publishes the CRL", async () => {
	const message = {
		id: "m1",
		timestamp: new Date(),
		attempts: 1,
		body: { partnerId: "pt_1", id: "delivery" },
	};
	const batch = createMessageBatch<DeliveryMessage>("partner-certificates-deliveries", [message]);
	const context = createExecutionContext();
	await worker.queue(batch, frozen);
	const { retryBatch, explicitAcks } = await getQueueResult(batch, context);
	expect([retryBatch.retry, explicitAcks]).toEqual([true, []]);

	await worker.scheduled(
		createScheduledController({ scheduledTime: new Date("2026-11-23T12:18:00Z") }),
		frozen,
	);
	expect(await selectOfNobody("SELECT job FROM upkeep_jobs")).toEqual([]);
	expect(await published()).not.toBeNull();
	await untilCrlIsBuilt();
});

/** The object's own settings, as a deployment gives them. */
async function setFrozen(pCode: string, value: boolean): Promise<void> {
	await runInDurableObject(codeObject(partner, pCode), async (instance) => {
		const { databases } = await platformOf((instance as unknown as { env: Bindings }).env);
		for (const database of databases) database.isFrozen = value;
	});
}

test("a code's object takes no step and recovers none, also for a Worker that is not frozen yet; ops go on", async () => {
	const [crashed, issued] = [await partner.code(), await partner.code()];
	for (const pCode of [crashed, issued]) await partner.request({ pCode, ...JUANA });
	await partner.claim(issued);
	await dyingAt(2, "is lost", () => partner.claim(crashed));
	const lease = await leaseOf(partner, crashed);
	await setFrozen(crashed, true);
	try {
		passTime(61 * SECOND_MS);
		expect((await partner.claim(crashed)).body.error).toBe("SERVICE_UNAVAILABLE");
		expect(await runDurableObjectAlarm(codeObject(partner, crashed))).toBe(true);
		expect(await leaseOf(partner, crashed)).toEqual(lease);
		const [{ serial }] = (await certificatesOf(issued)) as [{ serial: string }];
		expect((await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" })).status).toBe(200);
	} finally {
		await setFrozen(crashed, false);
	}
	// Nothing is lost: the alarm comes again.
	passTime(301 * SECOND_MS);
	expect(await runDurableObjectAlarm(codeObject(partner, crashed))).toBe(true);
	expect(await leaseOf(partner, crashed)).toBeNull();
	expect((await partner.claim(crashed)).status).toBe(200);
});
