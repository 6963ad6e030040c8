import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import type { Call } from "../kit/call.ts";

/** Attributes for fields described by {@link DateHint}. */
export const DESCRIBED = { "aria-describedby": "dates" };

/** Explains which dates a page's filters take. */
export function DateHint({ c }: { c: Call }) {
	return (
		<p class="hint" id="dates">
			{T.dateHint[c.get("language")]}
		</p>
	);
}
