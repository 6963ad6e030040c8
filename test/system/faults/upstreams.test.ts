import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { giveUp } from "../../../src/deadlines.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { replaceTimers } from "../../support/clock.ts";
import { watchEveryTrip } from "../../support/failing-db.ts";
import { certificatesOf, codeRow, select, unsettledIn } from "../../support/look-inside.ts";
import { refusal } from "../../support/refusal.ts";
import { count } from "../../support/run-size.ts";
import type { Answer, Partner, Settings } from "../../support/service.ts";
import { refuse, signThrough, TestSigner } from "../../support/signer.ts";
import { LONGEST_ANSWER_MS } from "./answers.ts";
import { carryOn, checkInvariants } from "./check-invariants.ts";
import { Fixture } from "./fixture.ts";
import { handedOver, misbehave, RECOVERS, TRANSPORT, type Upstream } from "./upstream-answers.ts";

afterAll(() => {
	watchEveryTrip(null);
});

type Kinds = typeof TRANSPORT;

/** Under the emission rate, any the order. */
const CALLS_EACH = 8;

async function rutAsked(request: Request): Promise<string> {
	return ((await request.json()) as { rut: string }).rut;
}

async function rutSignedOn(request: Request): Promise<string> {
	return request.headers.get("authorization")!.replace("Bearer sso-", "");
}

interface Run {
	kind: string;
	pCode: string;
	before: Record<string, unknown>;
	answer: Answer;
	took: number;
}

/** Every kind at the same time, each with a code and a holder of its own. */
async function runAll(
	fixture: Fixture,
	settings: Settings,
	prototype: Upstream,
	kinds: Kinds,
	nameOf: typeof rutAsked,
) {
	const chosen = new Map<string, string>();
	const runs: Promise<Run>[] = [];
	const ready: { kind: string; pCode: string; before: Record<string, unknown>; fields: Settings }[] = [];
	let partner: Partner | undefined;
	for (const [i, kind] of Object.keys(kinds).entries()) {
		if (i % CALLS_EACH === 0) partner = await fixture.partner(settings);
		const pCode = await fixture.code(partner!);
		const { dni } = fixture.codes.get(pCode)!.holder;
		chosen.set(dni, kind);
		ready.push({
			kind,
			pCode,
			before: await codeRow(pCode),
			fields: settings.require_cedula_serie === 0 ? full(dni) : {},
		});
	}
	misbehave(prototype, kinds, chosen, nameOf);
	for (const { kind, pCode, before, fields } of ready)
		runs.push(
			(async () => {
				const start = performance.now();
				const answer = await fixture.request(pCode, fields);
				return { kind, pCode, before, answer, took: performance.now() - start };
			})(),
		);
	const done = await Promise.all(runs);
	vi.mocked(prototype.fetch).mockRestore();
	return done;
}

function full(dni: string): Settings {
	const names = `Titular ${dni.slice(0, -2)}`;
	return {
		serialNumber: undefined,
		names,
		fLastname: "Prueba",
		phone: "+56912345678",
		ssoCredential: `sso-${dni}`,
	};
}

async function expectNothingChanged(
	fixture: Fixture,
	{ kind, pCode, before, answer, took }: Run,
	error: string,
) {
	expect(refusal(answer), kind).toEqual([503, error]);
	expect(Number(answer.headers.get("Retry-After")), kind).toBeGreaterThan(0);
	expect(took, kind).toBeLessThan(LONGEST_ANSWER_MS);
	expect(await codeRow(pCode), kind).toEqual(before);
	expect(await unsettledIn(fixture.codes.get(pCode)!.partner, pCode), kind).toEqual({});
	expect(await select("SELECT * FROM audit_events WHERE entity = ?", `code:${pCode}`), kind).toEqual([]);
}

async function expectToGoOn(fixture: Fixture) {
	expect(await checkInvariants(fixture)).toEqual([]);
	expect(await carryOn(fixture)).toEqual([]);
	expect(await checkInvariants(fixture)).toEqual([]);
}

test("the civil registry dead, slow, redirecting, huge, or rubbish: 503 within its 8 s, nothing changed", async ({
	task,
}) => {
	const fixture = await Fixture.create();
	const runs = await runAll(fixture, {}, CivilRegistrySandbox.prototype, TRANSPORT, rutAsked);
	for (const run of runs) await expectNothingChanged(fixture, run, "REGISTRY_UNAVAILABLE");
	expect(handedOver.bytes).toBeLessThan(8 * 1024 * 1024);
	await expectToGoOn(fixture);
	expect(runs).toHaveLength(Object.keys(TRANSPORT).length);
	count(task, { "registry answers that recover nothing": runs.length });
}, 120_000);

test("the single sign-on in as many ways, the registry well: 503, nothing changed, though the registry knew the holder", async ({
	task,
}) => {
	const fixture = await Fixture.create();
	const settings = { require_cedula_serie: 0 };
	const runs = await runAll(fixture, settings, SingleSignOnSandbox.prototype, TRANSPORT, rutSignedOn);
	for (const run of runs) await expectNothingChanged(fixture, run, "SERVICE_UNAVAILABLE");
	expect(await checkInvariants(fixture)).toEqual([]);
	count(task, { "single sign-on answers that recover nothing": runs.length });
}, 120_000);

/** Refusals of a signer, beside what every upstream can do. */
const SIGNER_KINDS: Kinds = {
	...TRANSPORT,
	"refuses the certificate": () => refuse(422, "SUBJECT"),
	"is stopped": () => refuse(403, "STOPPED"),
	"was asked too often": () => refuse(429, "RATE"),
	"has no module": () => refuse(503, "MODULE"),
};

/** Whether the deadline that is set in this turn is a signer's. */
let isSignerAsked = false;

/** Half a second in place of the fifty that a deadline lasts in tests; those of D1 stay. */
function hastenSigner() {
	return replaceTimers(
		(setTimer) =>
			(run, milliseconds, ...values) =>
				setTimer(run, run === giveUp && isSignerAsked ? milliseconds / 100 : milliseconds, ...values),
	);
}

/** The holder's RUT stands in the certificate as text, beside the authority's. */
async function rutCertified(request: Request): Promise<string> {
	isSignerAsked = true;
	queueMicrotask(() => {
		isSignerAsked = false;
	});
	const text = new TextDecoder("latin1").decode(await request.arrayBuffer());
	return text.match(/\d{7,8}-[\dK]/g)?.find((rut) => rut !== env.AUTHORITY_RUT) ?? "";
}

test("the signer in as many ways and by its refusals: 503, the serial is revoked, and the code goes on", async ({
	task,
}) => {
	const fixture = await Fixture.create();
	await signThrough(new TestSigner());
	const timers = hastenSigner();
	const runs = await runAll(
		fixture,
		{ mode: "B2B", webhook_url: "https://partner.example/hook" },
		TestSigner.prototype,
		SIGNER_KINDS,
		rutCertified,
	);
	timers.mockRestore();
	for (const { kind, pCode, answer } of runs) {
		expect(refusal(answer), kind).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(await certificatesOf(pCode), kind).toMatchObject([
			{ issued_at: null, revoked_at: expect.any(Number) },
		]);
	}
	await expectToGoOn(fixture);
	expect(runs).toHaveLength(Object.keys(SIGNER_KINDS).length);
	count(task, { "signer answers that sign nothing": runs.length });
}, 120_000);

test("a connection that fails once is made again, and the caller sees nothing of it", async () => {
	const fixture = await Fixture.create();
	const [registry] = await runAll(fixture, {}, CivilRegistrySandbox.prototype, RECOVERS, rutAsked);
	const settings = { require_cedula_serie: 0 };
	const [sso] = await runAll(fixture, settings, SingleSignOnSandbox.prototype, RECOVERS, rutSignedOn);
	expect([registry!.answer.status, sso!.answer.status]).toEqual([200, 200]);
	expect(await checkInvariants(fixture)).toEqual([]);
});
