import { giveUp } from "../../src/deadlines.ts";
import { SECOND_MS } from "../../src/domain/durations.ts";
import { passTime, replaceTimers } from "./clock.ts";

const MUTE_MS = 80 * SECOND_MS;
/** Time of the test's own after which a deadline is over, and after which what nobody waits for any more fails. */
const SOON_MS = 1;

interface Question {
	fail: (error: Error) => void;
	arrived: Promise<unknown>;
}

/**
 * Something that the service asks stays mute for 80 s by the service's clock; then it fails at once. Each deadline that
 * the service sets for it is over soon, and moves the clock on by as much; other deadlines take their time.
 */
export function goMute(error: Error) {
	const withoutDeadline: Question[] = [];
	const deadlines: number[] = [];
	let since: number | null = null;
	const timers = replaceTimers((setTimer) => (run, milliseconds, ...values) => {
		const question = run === giveUp ? withoutDeadline.pop() : undefined;
		if (!question) return setTimer(run, milliseconds, ...values);
		deadlines.push(milliseconds);
		const end = () => {
			passTime(milliseconds);
			giveUp(...(values as Parameters<typeof giveUp>));
			setTimer(question.fail, SOON_MS, error);
		};
		return void question.arrived.then(() => setTimer(end, SOON_MS));
	});
	return {
		/** Deadlines that the service has set for it, in milliseconds. */
		deadlines,
		/**
		 * Takes a question. The service must set its deadline in the turn in which it asks.
		 * @param deliver - for one that arrives, though nobody hears of it
		 */
		ask(deliver?: () => Promise<unknown>): Promise<never> {
			since ??= Date.now();
			if (Date.now() - since >= MUTE_MS) return Promise.reject(error);
			const arrived = deliver ? deliver().catch(() => undefined) : Promise.resolve();
			return new Promise((_, fail) => withoutDeadline.push({ fail, arrived }));
		},
		end: () => timers.mockRestore(),
	};
}
