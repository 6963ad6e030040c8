import type { Answer, Partner } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";
import { freshCode, type UseCase, WEBHOOK } from "./use-cases.ts";
import {
	away,
	beginSignOn,
	claim,
	comeBack,
	end,
	made,
	make,
	signOn,
	step,
	submit,
	submitted,
	typed,
	typedInFull,
} from "./widget-steps.ts";

const EVERY_EVENT = { ...WEBHOOK, webhook_events: ["onboarding.completed", "onboarding.expired"] };
const SIGNED_ON = { require_cedula_serie: 0 };

async function expectAnswer(answer: Promise<Answer>, what: string, expected = 200): Promise<string[]> {
	const { status, text } = await answer;
	return status === expected ? [] : [`after: ${what} answers ${status} ${text.slice(0, 80)}`];
}

/** What the holder does next: to the certificate, twice. */
async function finish(fixture: Fixture, _: Partner, pCode: string): Promise<string[]> {
	return [
		...(await expectAnswer(submit(fixture, pCode), "submit again")),
		...(await expectAnswer(claim(fixture, pCode), "claim")),
		...(await expectAnswer(claim(fixture, pCode), "claim again")),
	];
}

/** The same with a sign-on before it, whatever became of the one before. */
async function signOnAndFinish(fixture: Fixture, partner: Partner, pCode: string): Promise<string[]> {
	return [
		...(await expectAnswer(signOn(fixture, pCode), "sign-on")),
		...(await finish(fixture, partner, pCode)),
	];
}

async function signedOn(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await away(fixture, partner);
	await comeBack(fixture, pCode);
	return pCode;
}

const keyed = (target: string) => ({ "Idempotency-Key": `session-${target}` });
const inWidget = { success: 200, asks: false, inObject: true } as const;

export const WIDGET_CALLS: Record<string, UseCase> = {
	"session in another's place": {
		...inWidget,
		success: 201,
		asks: true,
		ready: typed,
		act: (fixture, _, pCode) => make(fixture, pCode),
		after: (fixture, _, pCode) => expectAnswer(make(fixture, pCode), "session again", 201),
	},
	"session, idempotent": {
		...inWidget,
		success: 201,
		asks: true,
		ready: freshCode,
		act: (fixture, _, pCode) => make(fixture, pCode, keyed(pCode)),
		after: async (fixture, _, pCode) => {
			const repeat = () => make(fixture, pCode, keyed(pCode));
			const [first, second] = [await repeat(), await repeat()];
			return first.status === 201 && first.text === second.text
				? []
				: [`after: session again: ${second.text}`];
		},
	},
	"session ended by its partner": {
		...inWidget,
		ready: typed,
		act: (fixture, _, pCode) => end(fixture, pCode),
		after: (fixture, _, pCode) => expectAnswer(end(fixture, pCode), "the same again"),
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
	"frame begins a sign-on": {
		...inWidget,
		settings: SIGNED_ON,
		ready: typedInFull,
		act: (fixture, _, pCode) => beginSignOn(fixture, pCode),
		after: signOnAndFinish,
	},
	"window comes back from a sign-on": {
		...inWidget,
		settings: SIGNED_ON,
		ready: away,
		act: (fixture, _, pCode) => comeBack(fixture, pCode),
		after: signOnAndFinish,
	},
	"frame submits, signed on": {
		...inWidget,
		asks: true,
		settings: SIGNED_ON,
		ready: signedOn,
		act: (fixture, _, pCode) => submit(fixture, pCode),
		after: finish,
	},
};
