import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import type { Call } from "../kit/call.ts";

/** Of a field that takes what {@link DateHint} says. */
export const DESCRIBED = { "aria-describedby": "dates" };

/** What the dates of a page's filters may be. */
export function DateHint({ c }: { c: Call }) {
	return (
		<p class="hint" id="dates">
			{T.dateHint[c.get("language")]}
		</p>
	);
}
