import type { Answer, Partner } from "../../support/service.ts";
import { endSession, frame, type Made, makeSession, TERMS } from "../../support/widget.ts";
import type { Fixture } from "./fixture.ts";
import { freshCode, type UseCase, WEBHOOK } from "./use-cases.ts";

/* What partners and the frame do with a session. A target is a code; its session is looked up by it. */

const sessions = new Map<string, Made>();
const EVERY_EVENT = { ...WEBHOOK, webhook_events: ["onboarding.completed", "onboarding.expired"] };

async function made(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await fixture.code(partner);
	const { body } = await widget(fixture, partner, pCode, () => makeSession(partner, pCode));
	const { session_id: session, token } = body.data;
	fixture.secrets.add(token);
	sessions.set(pCode, { partner, pCode, session, token });
	return pCode;
}

/** A session whose holder has typed everything. */
export async function typed(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await made(fixture, partner);
	const { dni, serialNumber, email } = fixture.codes.get(pCode)!.holder;
	await step(fixture, pCode, "PUT", "/answers", { dni, serialNumber, email });
	return pCode;
}

async function submitted(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await typed(fixture, partner);
	await submit(fixture, pCode);
	return pCode;
}

function widget(fixture: Fixture, partner: Partner, pCode: string, act: () => Promise<Answer>) {
	return fixture.call("widget", act, { partner, pCode });
}

function step(fixture: Fixture, pCode: string, method: "GET" | "POST" | "PUT", path = "", body?: unknown) {
	const session = sessions.get(pCode)!;
	return widget(fixture, session.partner, pCode, () => frame(session, method, path, body));
}

function submit(fixture: Fixture, pCode: string, pin = fixture.codes.get(pCode)!.holder.pin) {
	return step(fixture, pCode, "POST", "/submit", { pin, terms_version: TERMS });
}

/** The PFX leaves with it. */
async function claim(fixture: Fixture, pCode: string): Promise<Answer> {
	const answer = await step(fixture, pCode, "POST", "/claim", { pin: fixture.codes.get(pCode)!.holder.pin });
	if (answer.status === 200)
		fixture.left.push({ pCode, serial: answer.body.data.serialNumber, how: "claim" });
	return answer;
}

async function expectAnswer(answer: Promise<Answer>, what: string): Promise<string[]> {
	const { status, text } = await answer;
	return status === 200 ? [] : [`after: ${what} answers ${status} ${text.slice(0, 80)}`];
}

/** What the holder does next: to the certificate, twice. */
async function finish(fixture: Fixture, _: Partner, pCode: string): Promise<string[]> {
	return [
		...(await expectAnswer(submit(fixture, pCode), "submit again")),
		...(await expectAnswer(claim(fixture, pCode), "claim")),
		...(await expectAnswer(claim(fixture, pCode), "claim again")),
	];
}

const keyed = (target: string) => ({ "Idempotency-Key": `session-${target}` });
const inWidget = { success: 200, asks: false, inObject: true } as const;

export const WIDGET_CALLS: Record<string, UseCase> = {
	"session, idempotent": {
		...inWidget,
		success: 201,
		asks: true,
		ready: freshCode,
		act: (fixture, partner, pCode) =>
			widget(fixture, partner, pCode, () => makeSession(partner, pCode, {}, keyed(pCode))),
		after: async (fixture, partner, pCode) => {
			const repeat = () =>
				widget(fixture, partner, pCode, () => makeSession(partner, pCode, {}, keyed(pCode)));
			const [first, second] = [await repeat(), await repeat()];
			fixture.secrets.add(first.body.data?.token ?? "");
			return first.status === 201 && first.text === second.text
				? []
				: [`after: session again: ${second.text}`];
		},
	},
	"session ended by its partner": {
		...inWidget,
		ready: typed,
		act: (fixture, partner, pCode) => widget(fixture, partner, pCode, () => endSession(sessions.get(pCode)!)),
		after: (fixture, partner, pCode) =>
			expectAnswer(
				widget(fixture, partner, pCode, () => endSession(sessions.get(pCode)!)),
				"the same again",
			),
	},
	"frame opens": {
		...inWidget,
		ready: made,
		act: (fixture, _, pCode) => step(fixture, pCode, "POST", "/open"),
		after: (fixture, _, pCode) => expectAnswer(step(fixture, pCode, "POST", "/open"), "open again"),
	},
	"frame saves": {
		...inWidget,
		ready: typed,
		act: (fixture, _, pCode) => step(fixture, pCode, "PUT", "/answers", { step: "review" }),
	},
	"frame submits": {
		...inWidget,
		asks: true,
		settings: EVERY_EVENT,
		ready: typed,
		act: (fixture, _, pCode) => submit(fixture, pCode),
		after: finish,
	},
	"frame submits, B2B": {
		...inWidget,
		asks: true,
		settings: { mode: "B2B", ...EVERY_EVENT },
		ready: typed,
		act: (fixture, _, pCode) => submit(fixture, pCode),
		after: (fixture, _, pCode) => expectAnswer(submit(fixture, pCode), "submit again"),
	},
	"frame claims": {
		...inWidget,
		asks: true,
		settings: EVERY_EVENT,
		ready: submitted,
		act: (fixture, _, pCode) => claim(fixture, pCode),
		after: finish,
	},
};
