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

/** Continues to the certificate, twice. */
async function finish(fixture: Fixture, _: Partner, pCode: string): Promise<string[]> {
	return [
		...(await expectAnswer(submit(fixture, pCode), "submit again")),
		...(await expectAnswer(claim(fixture, pCode), "claim")),
		...(await expectAnswer(claim(fixture, pCode), "claim again")),
	];
}

/** Signs on anew, whatever the state of the earlier sign-on, and finishes. */
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

type Act = (fixture: Fixture, pCode: string) => Promise<Answer>;

/** A step of the widget, on the code of the target. */
const onCode = (ready: UseCase["ready"], act: Act, more: Partial<UseCase> = {}): UseCase => ({
	success: 200,
	inObject: true,
	ready,
	act: (fixture, _, pCode) => act(fixture, pCode),
	...more,
});
/** Repeats the step at once. */
const repeated = (act: Act, success = 200) => ({
	after: (fixture: Fixture, _: Partner, pCode: string) => expectAnswer(act(fixture, pCode), "again", success),
});

const makeKeyed: Act = (fixture, pCode) => make(fixture, pCode, keyed(pCode));
const open: Act = (fixture, pCode) => step(fixture, pCode, "POST", "/open");
const save: Act = (fixture, pCode) => step(fixture, pCode, "PUT", "/answers", { step: "review" });
const inPlace: Act = (fixture, pCode) => make(fixture, pCode);

export const WIDGET_CALLS: Record<string, UseCase> = {
	"session in another's place": onCode(typed, inPlace, {
		success: 201,
		asks: true,
		...repeated(inPlace, 201),
	}),
	"session, idempotent": onCode(freshCode, makeKeyed, {
		success: 201,
		asks: true,
		after: async (fixture, _, pCode) => {
			const [first, second] = [await makeKeyed(fixture, pCode), await makeKeyed(fixture, pCode)];
			return first.status === 201 && first.text === second.text
				? []
				: [`after: session again: ${second.text}`];
		},
	}),
	"session ended by its partner": onCode(typed, end, repeated(end)),
	"frame opens": onCode(made, open, repeated(open)),
	"frame saves": onCode(typed, save),
	"frame submits": onCode(typed, submit, { asks: true, settings: EVERY_EVENT, after: finish }),
	"frame submits, B2B": onCode(typed, submit, {
		asks: true,
		settings: { mode: "B2B", ...EVERY_EVENT },
		...repeated(submit),
	}),
	"frame claims": onCode(submitted, claim, { asks: true, settings: EVERY_EVENT, after: finish }),
	"frame begins a sign-on": onCode(typedInFull, beginSignOn, { settings: SIGNED_ON, after: signOnAndFinish }),
	"window comes back from a sign-on": onCode(away, comeBack, { settings: SIGNED_ON, after: signOnAndFinish }),
	"frame submits, signed on": onCode(signedOn, submit, { asks: true, settings: SIGNED_ON, after: finish }),
};
