import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { giveUp } from "../../../src/deadlines.ts";
import { replaceTimers } from "../../support/clock.ts";
import { certificatesOf } from "../../support/look-inside.ts";
import { refusal } from "../../support/refusal.ts";
import { count } from "../../support/run-size.ts";
import type { Partner, Settings } from "../../support/service.ts";
import { refuse, signThrough, TestSigner } from "../../support/signer.ts";
import { LONGEST_ANSWER_MS } from "./answers.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";
import { misbehave, TRANSPORT } from "./upstream-answers.ts";

/* The signer. How the clients of the civil registry and the single sign-on read as many answers: test/unit/identity. */

afterAll(endFixtures);

type Kinds = typeof TRANSPORT;

/** Under the emission rate, any the order. */
const CALLS_EACH = 8;

/** The signer in every way at the same time, each with a code and a holder of its own. */
async function runAll(fixture: Fixture, settings: Settings, kinds: Kinds) {
	const chosen = new Map<string, string>();
	const ready: { kind: string; pCode: string }[] = [];
	let partner: Partner | undefined;
	for (const [i, kind] of Object.keys(kinds).entries()) {
		if (i % CALLS_EACH === 0) partner = await fixture.partner(settings);
		const pCode = await fixture.code(partner!);
		const { dni } = fixture.codes.get(pCode)!.holder;
		chosen.set(dni, kind);
		ready.push({ kind, pCode });
	}
	misbehave(TestSigner.prototype, kinds, chosen, rutCertified);
	const done = await Promise.all(
		ready.map(async ({ kind, pCode }) => {
			const start = performance.now();
			const answer = await fixture.request(pCode);
			return { kind, pCode, answer, took: performance.now() - start };
		}),
	);
	vi.mocked(TestSigner.prototype.fetch).mockRestore();
	return done;
}

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
	const settings = { mode: "B2B", webhook_url: "https://partner.example/hook" };
	const runs = await runAll(fixture, settings, SIGNER_KINDS);
	timers.mockRestore();
	for (const { kind, pCode, answer, took } of runs) {
		expect(took, kind).toBeLessThan(LONGEST_ANSWER_MS);
		expect(refusal(answer), kind).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(await certificatesOf(pCode), kind).toMatchObject([
			{ issued_at: null, revoked_at: expect.any(Number) },
		]);
	}
	await expectAllHolds(fixture);
	expect(runs).toHaveLength(Object.keys(SIGNER_KINDS).length);
	count(task, { "signer answers that sign nothing": runs.length });
}, 120_000);
