import type { PropsWithChildren } from "hono/jsx";
import { STATUS_WORDS, type Status, type Tone } from "../../texts/status-words.ts";
import type { Call } from "./call.ts";

/** A word that stands out. Its colour says nothing that the word does not. */
export function Badge({ tone, children }: PropsWithChildren<{ tone: Tone }>) {
	return <span class={`badge ${tone}`}>{children}</span>;
}

/** A status, with the one word and colour that it has on every page. */
export function StatusBadge({ c, status }: { c: Call; status: Status }) {
	const { tone, name } = STATUS_WORDS[status];
	return <Badge tone={tone}>{name[c.get("language")]}</Badge>;
}
