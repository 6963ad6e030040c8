import type { Child } from "hono/jsx";
import type { Tone } from "../../texts/status-words.ts";
import { Badge } from "./badge.tsx";

export interface Step {
	tone: Tone;
	/** Word of the badge. */
	word: string;
	says: Child;
	/** Where it goes on. */
	next?: Child;
}

/** Lists things to be done, one a line, each with its next step. */
export function Steps({ steps }: { steps: readonly Step[] }) {
	return (
		<ul class="steps">
			{steps.map(({ tone, word, says, next }) => (
				<li>
					<Badge tone={tone}>{word}</Badge> <span>{says}</span> {next && <span>{next}</span>}
				</li>
			))}
		</ul>
	);
}
