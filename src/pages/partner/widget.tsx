import { LOGO_BODY_MAX } from "../../domain/limits.ts";
import { errorAnswer } from "../../http/errors.ts";
import { findOwnPartner, partnerCaller } from "../../services/caller.ts";
import { setWidget } from "../../services/widget.ts";
import { WIDGET_PAGE as T } from "../../texts/console-settings.ts";
import { presentWidget, widgetChange } from "../../wire/widget.ts";
import type { Call } from "../kit/call.ts";
import { doneIn } from "../kit/console.tsx";
import { Choices, Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { checkForm, NO_PROBLEMS, type Problems, refusedField } from "../kit/problems.ts";
import type { Form } from "../kit/read-form.ts";
import { readWidget, type SentWidget, WidgetForm, widgetOf } from "../kit/widget-form.tsx";
import { goBack, page, post, show } from "./console.ts";

export const widgetPages = [
	page("/widget", { trips: 2 }, (c) => showWidget(c)),

	post("/widget", { bodyMax: LOGO_BODY_MAX }, async (c, form) => {
		const sent = readWidget(form);
		const read = checkForm(c, widgetChange, { ...widgetOf(sent), ...(await logoOf(form)) });
		if (!read.ok) return showWidget(c, { sent, problems: read.problems });
		const set = await setWidget(partnerCaller(c), read.data);
		if (set.kind === "refused")
			return set.reason === "not_found"
				? errorAnswer(c, "not_found")
				: showWidget(c, { sent, problems: refusedField(c, set.reason) });
		return goBack("/widget");
	}),
];

/** An absent logo stays, as in the API's call. */
async function logoOf(form: Form): Promise<{ logo?: string | null }> {
	if (form.text("remove_logo") === "1") return { logo: null };
	const file = form.file("logo");
	return file ? { logo: new Uint8Array(await file.arrayBuffer()).toBase64() } : {};
}

interface Shown {
	sent?: SentWidget;
	problems?: Problems;
}

async function showWidget(c: Call, { sent, problems = NO_PROBLEMS }: Shown = {}) {
	const say = sayIn(c);
	const partner = await findOwnPartner(partnerCaller(c));
	const { logo } = presentWidget(partner);
	const isWrong = problems !== NO_PROBLEMS;
	const notice = doneIn(c, T.done);
	return show(
		c,
		{ title: T.title, status: isWrong ? 400 : 200, notice },
		<>
			<p>{say(T.introduction)}</p>
			<WidgetForm
				c={c}
				action="/console/widget"
				partner={partner}
				sent={sent}
				problems={problems}
				words={T}
				accentHint={say(T.accentHint)}
				multipart
			>
				<Field
					name="logo"
					type="file"
					accept="image/png,image/webp"
					label={say(T.logo)}
					hint={say(T.logoHint)}
					problem={problems.logo}
				/>
				{logo && (
					<>
						<p>
							<img class="logo" src={logo} alt={say(T.logoNow)} />
						</p>
						<Choices
							name="remove_logo"
							label={say(T.logoNow)}
							options={[{ value: "1", label: say(T.removeLogo) }]}
							chosen={[]}
						/>
					</>
				)}
			</WidgetForm>
		</>,
	);
}
