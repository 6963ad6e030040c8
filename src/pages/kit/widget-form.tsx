import type { Child, PropsWithChildren } from "hono/jsx";
import type { PartnerRow } from "../../db/partners.ts";
import type { Text } from "../../texts/language.ts";
import { presentWidget } from "../../wire/widget.ts";
import type { Call } from "./call.ts";
import { Field, PostForm } from "./forms.tsx";
import { sayIn } from "./language.ts";
import type { Problems } from "./problems.ts";
import type { Form } from "./read-form.ts";

/** Typed values, to be corrected. */
export interface SentWidget {
	origins: string;
	accent: string;
}

export function readWidget(form: Form): SentWidget {
	return { origins: form.text("origins"), accent: form.text("accent") };
}

/** Input of the API's call. */
export function widgetOf({ origins, accent }: SentWidget) {
	return { origins: origins.split(/\s+/).filter(Boolean), accent: accent || null };
}

interface WidgetFormProps {
	c: Call;
	action: string;
	partner: PartnerRow;
	sent: SentWidget | undefined;
	problems: Problems;
	words: Readonly<Record<"origins" | "originsHint" | "accent" | "save", Text>>;
	accentHint?: Child;
	multipart?: boolean;
}

/** The form of a partner's widget. Its children are further fields. */
export function WidgetForm(props: PropsWithChildren<WidgetFormProps>) {
	const { c, action, partner, sent, problems, words, accentHint, multipart = false, children } = props;
	const say = sayIn(c);
	const { origins, accent } = presentWidget(partner);
	return (
		<PostForm action={action} csrf={c.get("csrf")} multipart={multipart}>
			<Field
				name="origins"
				rows={5}
				label={say(words.origins)}
				hint={say(words.originsHint)}
				value={sent?.origins ?? origins.join("\n")}
				problem={problems.origins}
			/>
			<Field
				name="accent"
				label={say(words.accent)}
				hint={accentHint}
				value={sent?.accent ?? accent ?? ""}
				problem={problems.accent}
				maxlength={7}
			/>
			{children}
			<button type="submit">{say(words.save)}</button>
		</PostForm>
	);
}
