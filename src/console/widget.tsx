import { presentWidget, setWidget, widgetChange } from "../accounts/widget.ts";
import type { Call } from "../console-parts/call.ts";
import { checkForm, linesOf, type Problems } from "../console-parts/check-form.ts";
import { Choices, Field, PostForm } from "../console-parts/forms.tsx";
import { sayIn } from "../console-parts/language.ts";
import type { Form } from "../console-parts/read-form.ts";
import { callOf, findCaller } from "../desk/caller.ts";
import { LOGO_BODY_MAX } from "../domain/limits.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { WIDGET_PAGE as T } from "../texts/console-settings.ts";
import { page, post } from "./routes.ts";
import { show } from "./show.tsx";

const WRONG = { origins: T.badOrigins, accent: T.badAccent, logo: T.badLogo };

export const widgetPages = [
	page("/widget", { trips: 2 }, (c) => showWidget(c)),

	post("/widget", { bodyMax: LOGO_BODY_MAX }, async (c, form) => {
		const sent = { origins: form.text("origins"), accent: form.text("accent") };
		const wanted = { origins: linesOf(sent.origins), accent: sent.accent || null, ...(await logoOf(form)) };
		const read = checkForm(widgetChange, wanted, WRONG);
		if (!read.ok) return showWidget(c, { sent, problems: read.problems });
		const { db, settings } = platformIn(c);
		const { partnerId, origin } = callOf(c);
		const allowLoopback = settings.environment !== "prod";
		const partner = await setWidget(db, partnerId, read.data, { ...origin, allowLoopback });
		if (partner === null) return errorAnswer(c, "not_found");
		if (typeof partner === "string") return showWidget(c, { sent, problems: { origins: T.badOrigins } });
		return c.redirect("/console/widget?done=1", 303);
	}),
];

/** As the API's call has it: left out, it stays. */
async function logoOf(form: Form): Promise<{ logo?: string | null }> {
	if (form.text("remove_logo") === "1") return { logo: null };
	const file = form.file("logo");
	return file ? { logo: new Uint8Array(await file.arrayBuffer()).toBase64() } : {};
}

interface Shown {
	/** What was typed, to be mended. */
	sent?: { origins: string; accent: string };
	problems?: Problems;
}

async function showWidget(c: Call, { sent, problems = {} }: Shown = {}) {
	const say = sayIn(c);
	const { origins, accent, logo } = presentWidget(await findCaller(c));
	const wrong = (field: string) => problems[field]?.[c.get("language")];
	const isWrong = Object.keys(problems).length > 0;
	const notice = c.req.query("done") ? { kind: "done" as const, text: T.done } : undefined;
	return show(
		c,
		{ title: T.title, status: isWrong ? 400 : 200, notice },
		<>
			<p>{say(T.introduction)}</p>
			<PostForm action="/console/widget" csrf={c.get("csrf")} multipart>
				<Field
					name="origins"
					rows={5}
					label={say(T.origins)}
					hint={say(T.originsHint)}
					value={sent?.origins ?? origins.join("\n")}
					problem={wrong("origins")}
				/>
				<Field
					name="accent"
					label={say(T.accent)}
					hint={say(T.accentHint)}
					value={sent?.accent ?? accent ?? ""}
					problem={wrong("accent")}
				/>
				<Field
					name="logo"
					type="file"
					accept="image/png,image/webp"
					label={say(T.logo)}
					hint={say(T.logoHint)}
					problem={wrong("logo")}
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
				<button type="submit">{say(T.save)}</button>
			</PostForm>
		</>,
	);
}
