import { Hono } from "hono";
import type { Call } from "../console-parts/call.ts";
import { Field } from "../console-parts/forms.tsx";
import { sayIn } from "../console-parts/language.ts";
import { isOwnForm, readForm } from "../console-parts/read-form.ts";
import { BODY_MAX } from "../domain/limits.ts";
import type { AppEnv } from "../http/app-env.ts";
import { refuseLarge, takeBody } from "../http/body.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { findToken } from "../ops/authorize.ts";
import { CONSOLE_PARTS } from "../texts/console-parts.ts";
import { OPS_CONSOLE as T } from "../texts/ops-console.ts";
import { HOME } from "./nav.ts";
import { beginSession, hasSignIn } from "./session.ts";
import { show, showProblem } from "./show.tsx";

/* Signing in by a token, in local and dev alone. Tokens have 256 random bits: trying them is not limited. */

export const signIn = new Hono<AppEnv>();

signIn.get("/sign_in", (c) =>
	hasSignIn(c) ? showForm(c, nextOf(c.req.query("next"))) : errorAnswer(c, "not_found"),
);

signIn.post("/sign_in", refuseLarge(BODY_MAX), takeBody(BODY_MAX), async (c) => {
	if (!hasSignIn(c)) return errorAnswer(c, "not_found");
	if (!isOwnForm(c)) return showProblem(c, 403, CONSOLE_PARTS.foreignForm);
	const form = await readForm(c);
	if (form === null) return showProblem(c, 400, CONSOLE_PARTS.unreadableForm);
	const next = nextOf(form.text("next"));
	const token = await findToken(form.text("token"), platformIn(c).settings.ops.tokens);
	if (token === null) return showForm(c, next, 401);
	await beginSession(c, token);
	return c.redirect(next ?? HOME, 303);
});

/** @param status - 401: the token that was sent opens nothing */
function showForm(c: Call, next: string | null, status: 200 | 401 = 200) {
	const say = sayIn(c);
	return show(
		c,
		{ title: T.signIn, status },
		<>
			<p>{say(T.signInWith)}</p>
			<form method="post" action="/ops/console/sign_in">
				{next && <input type="hidden" name="next" value={next} />}
				<Field
					name="token"
					type="password"
					label={say(T.token)}
					problem={status === 401 ? say(T.tokenWrong) : undefined}
					required
					autofocus
					autocomplete="current-password"
				/>
				<button type="submit">{say(T.signIn)}</button>
			</form>
		</>,
	);
}

/** Back to the page that asked for the sign-in; never to another site. */
function nextOf(sent: string | undefined): string | null {
	return sent !== undefined && /^\/ops\/console\/[\w/-]{1,100}$/.test(sent) ? sent : null;
}
