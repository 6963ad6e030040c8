import type { Text } from "../../texts/language.ts";
import { OPS_CODES, OPS_CONSOLE } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { show } from "./console.tsx";

interface Search {
	title: Text;
	/** Of the page itself, which leads to what it finds. */
	path: string;
	/** Of the field, and of the query. */
	name: string;
	label: Text;
	/** What was looked for and is not there; '' before. */
	typed: string;
}

/** A page that finds one thing by its number. */
export function showSearch(c: Call, { title, path, name, label, typed }: Search) {
	const say = sayIn(c);
	return show(
		c,
		{ title, status: typed ? 404 : 200 },
		<form action={`/ops/console${path}`}>
			<Field
				name={name}
				label={say(label)}
				value={typed}
				problem={typed ? say(OPS_CODES.notFound) : undefined}
				required
				maxlength={64}
			/>
			<button type="submit">{say(OPS_CONSOLE.find)}</button>
		</form>,
	);
}
