import { LISTS } from "../../texts/console-find.ts";
import { EMPTY_LISTS } from "../../texts/empty-lists.ts";
import type { Call } from "./call.ts";
import { sayIn } from "./language.ts";
import { EmptyState } from "./parts.tsx";

interface NothingProps {
	c: Call;
	of: keyof typeof EMPTY_LISTS;
	/** Address of the list without the filters that it has; null where it has none. */
	clear?: string | null;
}

/** Says which rows an empty list would have and how to get them; where it is filtered, leads to the whole list. */
export function Nothing({ c, of, clear = null }: NothingProps) {
	const say = sayIn(c);
	if (clear !== null) {
		const { title, text } = EMPTY_LISTS.filtered;
		return (
			<EmptyState title={say(title)} next={{ href: clear, label: say(LISTS.clear) }}>
				{say(text)}
			</EmptyState>
		);
	}
	const list = EMPTY_LISTS[of];
	const next = "next" in list ? list.next : null;
	const href = next && ("guide" in next ? `/docs/${c.get("language")}/${next.guide}.html` : next.href);
	return (
		<EmptyState title={say(list.title)} {...(next && href && { next: { href, label: say(next.label) } })}>
			{say(list.text)}
		</EmptyState>
	);
}
