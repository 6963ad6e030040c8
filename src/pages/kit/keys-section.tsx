import type { Child } from "hono/jsx";
import type { ApiKeyRow } from "../../db/api-keys.ts";
import { hasEnded } from "../../domain/decide-keys.ts";
import { KEYS_PAGE as T } from "../../texts/console-settings.ts";
import type { Text } from "../../texts/language.ts";
import type { Call } from "./call.ts";
import { sayIn } from "./language.ts";
import { Table, Time } from "./parts.tsx";

interface KeysSectionProps {
	c: Call;
	caption: string;
	keys: readonly ApiKeyRow[];
	empty: Child;
	words: Readonly<Record<"label" | "ends", Text>>;
	/** The key's name: the first cell. */
	name: (key: ApiKeyRow) => Child;
	/** Columns that this viewer alone sees. */
	more?: readonly (readonly [heading: Text, cell: (key: ApiKeyRow, isOver: boolean) => Child])[];
}

/** Keys as a partner and ops see them: nothing that could be sent as one. */
export function KeysSection({ c, caption, keys, empty, words, name, more = [] }: KeysSectionProps) {
	const say = sayIn(c);
	const locale = c.get("language");
	const now = c.get("platform").clock();
	return (
		<Table
			caption={caption}
			columns={[words.label, T.scopes, T.lastUsed, words.ends, ...more.map(([heading]) => heading)].map(say)}
			rows={keys.map((key) => [
				name(key),
				key.scopes.join(", "),
				key.lastUsedAt === null ? say(T.never) : <Time at={key.lastUsedAt} locale={locale} />,
				<KeyEnd c={c} apiKey={key} />,
				...more.map(([, cell]) => cell(key, hasEnded(key, now))),
			])}
			empty={empty}
		/>
	);
}

/** Shows the time at which a key ends or ended. */
export function KeyEnd({ c, apiKey }: { c: Call; apiKey: ApiKeyRow }) {
	const ends = [apiKey.expiresAt, apiKey.revokedAt].filter((at) => at !== null);
	if (ends.length === 0) return sayIn(c)(T.noEnd);
	return <Time at={Math.min(...ends)} locale={c.get("language")} />;
}
