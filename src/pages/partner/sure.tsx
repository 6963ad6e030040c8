import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import type { Call } from "../kit/call.ts";
import { Choices } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import type { Problems } from "../kit/problems.ts";
import type { Form } from "../kit/read-form.ts";

/** The problem of a form that is not confirmed. */
export function unsure(c: Call, form: Form, what: "cancel" | "revoke"): Problems {
	return form.text(what) === "sure" ? {} : { [what]: sayIn(c)(T.notSure) };
}

/** The box to tick before what cannot be undone. */
export function Sure({ c, name, problem }: { c: Call; name: string; problem: string | undefined }) {
	const say = sayIn(c);
	const options = [{ value: "sure", label: say(T.sure) }];
	return <Choices name={name} label={say(T.confirm)} options={options} chosen={[]} problem={problem} />;
}
