import type { Text } from "../../texts/language.ts";
import { OPS_CODES, OPS_CONSOLE } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { show } from "./console.tsx";

interface Search {
	title: Text;
	/** Path of the page itself, which leads to the record found. */
	path: string;
	/** Name of the field and of the query. */
	name: string;
	label: Text;
	/** Search text without a result; '' before a search. */
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
