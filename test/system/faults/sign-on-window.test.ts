import { afterAll, expect, test, vi } from "vitest";
import { SingleSignOnSandbox } from "../../../src/sandbox/single-sign-on-sandbox.ts";
import { SIGN_ON } from "../../../src/texts/sign-on.ts";
import { codeRow } from "../../support/look-inside.ts";
import { count } from "../../support/run-size.ts";
import { LONGEST_ANSWER_MS } from "./answers.ts";
import { endFixtures, expectAllHolds } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";
import { signedOnFields } from "./partner-use-cases.ts";
import { misbehave, TRANSPORT } from "./upstream-answers.ts";
import { away, claim, comeBack, signOn, step, submit } from "./widget-steps.ts";

/* The single sign-on misbehaves when a holder's window comes back, at its token endpoint or at its userinfo. */

afterAll(endFixtures);

/** Under the emission rate, each holder submitting twice. */
const HOLDERS_EACH = 5;

/** The code that the window brought is what it means, in base64url; userinfo is asked by the credential. */
async function rutOf(request: Request): Promise<string> {
	const credential = request.headers.get("authorization");
	if (credential !== null) return credential.replace("Bearer sso-", "userinfo ");
	const code = String((await request.formData()).get("code"));
	const meaning = new TextDecoder().decode(Uint8Array.fromBase64(code, { alphabet: "base64url" }));
	return `token ${(JSON.parse(meaning) as { rut: string }).rut}`;
}

const WAYS = Object.keys(TRANSPORT);

const PLACES = ["token", "userinfo"].flatMap((place) => WAYS.map((kind) => ({ place, kind })));

test("the single sign-on dead, slow or rubbish at its token endpoint or userinfo: the page says so, nothing is stored, and the next sign-on succeeds", async ({
	task,
}) => {
	const fixture = await Fixture.create();
	const chosen = new Map<string, string>();
	const codes: string[] = [];
	let partner = await fixture.partner({ require_cedula_serie: 0 });
	for (const [i, { place, kind }] of PLACES.entries()) {
		if (i > 0 && i % HOLDERS_EACH === 0) partner = await fixture.partner({ require_cedula_serie: 0 });
		const pCode = await away(fixture, partner);
		const { holder } = fixture.codes.get(pCode)!;
		chosen.set(`${place} ${holder.dni}`, kind);
		codes.push(pCode);
		// The following API calls need these fields.
		Object.assign(holder, signedOnFields(holder));
	}
	misbehave(SingleSignOnSandbox.prototype, TRANSPORT, chosen, rutOf);
	const pages = await Promise.all(codes.map((pCode) => comeBack(fixture, pCode)));
	vi.mocked(SingleSignOnSandbox.prototype.fetch).mockRestore();
	for (const [i, { status, text }] of pages.entries())
		expect([PLACES[i], status, text.includes(SIGN_ON.unavailable.es)]).toEqual([PLACES[i], 200, true]);
	for (const { took } of fixture.seen) expect(took).toBeLessThan(LONGEST_ANSWER_MS);
	for (const pCode of codes) {
		expect((await step(fixture, pCode, "GET")).body.data.sign_on).toBe("unavailable");
		expect((await submit(fixture, pCode)).status).toBe(400);
		expect(await codeRow(pCode)).toMatchObject({ version: 1, validation_failures: 0 });
	}
	const [first] = codes;
	await signOn(fixture, first!);
	expect([(await submit(fixture, first!)).status, (await claim(fixture, first!)).status]).toEqual([200, 200]);
	await expectAllHolds(fixture);
	count(task, { "single sign-on answers to a window": PLACES.length });
}, 120_000);
