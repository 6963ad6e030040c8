import type { Text } from "../../texts/language.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Facts } from "../kit/parts.tsx";
import { show } from "./console.tsx";

/** Shows secrets once: no redirect follows, and no page has an address that shows them again. */
export function showOnce(
	c: Call,
	title: Text,
	secrets: readonly (readonly [name: Text, secret: string])[],
	partnerId: string,
) {
	const say = sayIn(c);
	return show(
		c,
		{ title, notice: { kind: "done", text: T.shownOnce } },
		<>
			<Facts facts={secrets.map(([name, secret]) => [say(name), <code class="secret">{secret}</code>])} />
			<p>
				<a href={`/ops/console/partners/${partnerId}`}>{say(T.partner)}</a>
			</p>
		</>,
	);
}
