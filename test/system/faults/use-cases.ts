import type { Answer, Partner, Settings } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";

/** One thing the service does, as often as the matrix asks, each time on something fresh. */
export interface UseCase {
	settings?: Settings;
	/** Status of the answer without a fault; null where nobody waits for one. */
	success: number | null;
	/** The object asks for a commit that D1 leaves open, so that a 503 says that nothing changed. */
	asks?: boolean;
	/** A code's object takes part. */
	inObject?: boolean;
	ready(fixture: Fixture, partner: Partner): Promise<string>;
	act(fixture: Fixture, partner: Partner, target: string): Promise<Answer | undefined>;
	/** Goes on as the cron does afterwards, whatever the fault. */
	goesOn?(partner: Partner): Promise<unknown>;
	/** Once a lease has passed without faults: what the caller does next, and what was wrong with it. */
	after?(fixture: Fixture, partner: Partner, target: string): Promise<string[]>;
}

export const WEBHOOK = {
	webhook_url: "https://partner.example/hook",
	delivery_email: "entrega@partner.example",
};

/** Creates a use case's target: a code of nobody's yet, or a name that nobody has used. */
export const freshCode = (fixture: Fixture, partner: Partner) => fixture.code(partner);
export const freshName = async () => `name-${crypto.randomUUID()}`;
export const validated: UseCase["ready"] = (fixture, partner) => fixture.validated(partner);
export const emitted: UseCase["ready"] = (fixture, partner) => fixture.emitted(partner);

/** Repeats the call once no fault is left. */
export const again =
	(act: UseCase["act"], success = 200): NonNullable<UseCase["after"]> =>
	(fixture, partner, target) =>
		expectStatus(act(fixture, partner, target) as Promise<Answer>, success, "the same again");

export async function expectStatus(answer: Promise<Answer>, status: number, what: string): Promise<string[]> {
	const { status: reported, text } = await answer;
	return reported === status
		? []
		: [`after: ${what} answers ${reported} ${text.slice(0, 80)}, not ${status}`];
}
