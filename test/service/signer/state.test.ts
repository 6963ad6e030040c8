import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/bindings.ts";
import { DAY_MS, HOUR_MS } from "../../../src/domain/durations.ts";
import { digestAudit } from "../../../src/jobs/audit/take-digests.ts";
import { cronCaller } from "../../../src/jobs/job.ts";
import { runJob } from "../../../src/jobs/run.ts";
import { watchAuthority } from "../../../src/jobs/watch-authority.ts";
import { platformOf } from "../../../src/platform.ts";
import { OPS_UPKEEP } from "../../../src/texts/ops-console-upkeep.ts";
import { setTime } from "../../support/clock.ts";
import { askConsole, signInOps } from "../../support/ops-console.ts";
import { createProd } from "../../support/prod.ts";
import { callWith, freshService, ops } from "../../support/service.ts";
import { TestSigner } from "../../support/signer.ts";

/* The state of the signer, as probes, ops and the log are told. */

let signer: TestSigner;
beforeEach(async () => {
	await freshService();
	signer = new TestSigner();
});

const get = (path: string) =>
	callWith(signer.bindings, "GET", path, { headers: { authorization: `Bearer ${env.OPS_TOKEN}` } });

async function run(job: typeof watchAuthority, bindings = signer.bindings) {
	const platform = await platformOf(bindings);
	return (await runJob(cronCaller(platform, job, platform.clock()), job)).report;
}

const STATES: [
	state: keyof typeof OPS_UPKEEP.signerStates,
	health: Record<string, unknown> | null,
	shown: object,
][] = [
	["ok", {}, { entries: 0, refused: {}, stopped: null }],
	[
		"stopped",
		{ status: "stopped", stopped: { reason: "night", since: 1_000, all: false }, refused: { STOPPED: 3 } },
		{
			entries: 0,
			refused: { STOPPED: 3 },
			stopped: { reason: "night", since: "1970-01-01T00:00:01.000Z", all: false },
		},
	],
	["failing", { status: "failing", head_signature: null }, {}],
	["other_key", { key_id: "00" }, {}],
	["silent", null, { entries: null, refused: {} }],
	["silent", { entries: "many" }, {}],
];

describe("/readyz stays 200; it, ops and watch-authority say how the signer is", () => {
	test.each(STATES)("%s", async (state, health, shown) => {
		const lines = vi.spyOn(console, "error").mockImplementation(() => {});
		if (health) signer.health = health;
		else signer.answer = () => Promise.reject(new Error("gone"));
		const { status, body } = await get("/ops/v1/authority");
		expect([status, body.data.issuing_key]).toEqual([200, "signer"]);
		expect(body.data.signer).toMatchObject({ state, head_kept_at: null, ...shown });
		const ready = await get("/readyz");
		const { refused } = body.data.signer as { refused: object };
		expect([ready.status, ready.body.data.signer]).toEqual([200, { state, head_kept_at: null, refused }]);
		const browser = await signInOps();
		const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
		const page = await askConsole(signer.bindings, "/authority", { headers: { cookie } });
		expect(page.status).toBe(200);
		const refusals = Object.entries(refused).map(([code, n]) => `${code} ${n}`);
		const texts = [OPS_UPKEEP.inSigner, OPS_UPKEEP.signerStates[state]].map(({ es }) => es);
		for (const text of [...texts, ...refusals]) expect(page.text).toContain(text);
		expect(page.text.includes("#it-does-not-sign")).toBe(state !== "ok");
		expect(await run(watchAuthority)).toMatchObject({ issuing_key: "signer", signer: state });
		const logged = lines.mock.calls.map(([line]) => JSON.parse(line) as { event: string });
		expect(logged.filter(({ event }) => event === "signer_not_well")).toMatchObject(
			state === "ok" ? [] : [{ state }],
		);
	});
});

test("without a signer ops read that the key is in the Worker, and prod's log says so once a day", async () => {
	expect((await ops("GET", "/authority")).body.data).toMatchObject({ issuing_key: "worker", signer: null });
	const prod = (await createProd()) as unknown as Bindings;
	const lines = vi.spyOn(console, "warn").mockImplementation(() => {});
	const day = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
	for (let hour = 0; hour < 24; hour++) {
		setTime(day + hour * HOUR_MS);
		for (const bindings of [prod, env as unknown as Bindings])
			expect(await run(watchAuthority, bindings)).toMatchObject({ issuing_key: "worker" });
	}
	const warned = lines.mock.calls.filter(([line]) => line.includes('"issuing_key_in_worker"'));
	expect(warned).toHaveLength(1);
});

test("a head of the signer's log is kept each day beside the digests, as soon as the signer answers", async () => {
	vi.spyOn(console, "error").mockImplementation(() => {});
	const day = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
	const heads = async () => (await env.AUDIT.list({ prefix: "signer-heads/" })).objects.map(({ key }) => key);
	const dayOf = (time: number) => `signer-heads/${new Date(time).toISOString().slice(0, 10)}`;
	setTime(day + 17 * 60_000);
	expect(await run(digestAudit)).toMatchObject({ heads: 1 });
	expect(await run(digestAudit)).toMatchObject({ heads: 0 });
	setTime(day + DAY_MS);
	signer.answer = () => Promise.reject(new Error("gone"));
	expect(await run(digestAudit)).toMatchObject({ heads: 0 });
	signer.answer = null;
	signer.health = { entries: 7, head: "a".repeat(64) };
	setTime(day + DAY_MS + 3 * HOUR_MS);
	expect(await run(digestAudit)).toMatchObject({ heads: 1 });
	expect(await heads()).toEqual([dayOf(day), dayOf(day + DAY_MS)]);
	const last = await env.AUDIT.get(dayOf(day + DAY_MS));
	expect(await last!.json()).toMatchObject({ entry: 7, head: "a".repeat(64), takenAt: Date.now() });
	expect((await get("/ops/v1/authority")).body.data.signer).toMatchObject({
		head_kept_at: new Date().toISOString(),
	});
	expect(await run(watchAuthority)).toMatchObject({ head_hours: 0 });
});
