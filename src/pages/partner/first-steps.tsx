import type { Overview } from "../../db/overview.ts";
import { FIRST_STEPS, OVERVIEW_PAGE as T } from "../../texts/console-overview.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Steps } from "../kit/steps.tsx";

type FirstStep = keyof typeof FIRST_STEPS;
const STEPS = Object.keys(FIRST_STEPS) as FirstStep[];

/** The first steps of a partner, ticked off by what it has done; nothing once all are. Open until the first certificate. */
export function FirstSteps({ c, overview: { begun, webhook, partner } }: { c: Call; overview: Overview }) {
	const say = sayIn(c);
	const done: Record<FirstStep, boolean> = {
		code: begun.code === 1,
		validation: begun.validation === 1,
		certificate: begun.certificate === 1,
		webhook: webhook.arrived > 0,
		ownKey: begun.ownKey === 1,
		widget: partner.widgetOrigins.length > 0,
	};
	const n = STEPS.filter((step) => done[step]).length;
	if (n === STEPS.length) return null;
	const steps = STEPS.map((step) => {
		const { text, here, guide } = FIRST_STEPS[step];
		const says = say(text);
		const link = (href: string, label: string) => (
			<a href={href} aria-label={`${label}: ${says}`}>
				{label}
			</a>
		);
		const next = (
			<>
				{!done[step] && link(here, say(T.go))}{" "}
				{link(`/docs/${c.get("language")}/${guide}.html`, say(T.guide))}
			</>
		);
		return {
			tone: done[step] ? "good" : "quiet",
			word: say(done[step] ? T.done : T.open),
			says,
			next,
		} as const;
	});
	return (
		<details class="card" open={!done.certificate}>
			<summary>{say(fill(T.begin, { done: n, all: STEPS.length }))}</summary>
			<Steps steps={steps} />
		</details>
	);
}
