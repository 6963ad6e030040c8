import { afterAll, expect, test } from "vitest";
import { certificatesOf } from "../../support/look-inside.ts";
import { goMute } from "../../support/mute.ts";
import { refusal } from "../../support/refusal.ts";
import { refuse, signThrough, TestSigner } from "../../support/signer.ts";
import { endFixtures, expectAllHolds, UNAVAILABLE } from "./expect-all-holds.ts";
import { Fixture } from "./fixture.ts";

/*
 * The signer. Its other answers: test/service/signer/issue.test.ts. How the clients of the civil registry and the single
 * sign-on read as many: test/unit/identity.
 */

afterAll(endFixtures);

const MIB = 1024 * 1024;

/** Begins an answer that has no end; the deadline of the question is over soon. */
function answerWithoutEnd(): Response {
	const mute = goMute(new Error("gone"));
	mute.ask().catch(() => undefined);
	return new Response(new ReadableStream());
}

function answerEndlessly(): Response {
	const body = new ReadableStream<Uint8Array>({
		pull: (controller) => controller.enqueue(new Uint8Array(MIB).fill(0x20)),
	});
	return new Response(body);
}

test.each<[string, () => Response]>([
	["refuses the certificate", () => refuse(422, "SUBJECT")],
	["answers nothing", () => new Response(null)],
	["answers 100,000 arrays in each other", () => new Response("[".repeat(100_000) + "]".repeat(100_000))],
	["answers megabyte after megabyte", answerEndlessly],
	["begins an answer and stays mute", answerWithoutEnd],
])("the signer %s: 503, the serial is revoked, and the code goes on", async (_, answer) => {
	const fixture = await Fixture.create();
	const signer = new TestSigner();
	await signThrough(signer);
	const b2b = await fixture.partner({ mode: "B2B", webhook_url: "https://partner.example/hook" });
	const pCode = await fixture.code(b2b);
	signer.answer = answer;
	expect(refusal(await fixture.request(pCode))).toEqual(UNAVAILABLE);
	signer.answer = null;
	expect(await certificatesOf(pCode)).toMatchObject([{ issued_at: null, revoked_at: expect.any(Number) }]);
	await expectAllHolds(fixture);
});
