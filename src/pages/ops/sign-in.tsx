import { Hono } from "hono";
import { findToken } from "../../api/ops/authorize.ts";
import { BODY_MAX } from "../../domain/limits.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { errorAnswer } from "../../http/errors.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { readOwnForm, show } from "./console.tsx";
import { HOME } from "./nav.ts";
import { beginSession, hasSignIn } from "./session.ts";

/* Signing in by a token, in local and dev alone. Tokens have 256 random bits: trying them is not limited. */

export const signIn = new Hono<AppEnv>();

signIn.get("/sign_in", (c) =>
	hasSignIn(c) ? showForm(c, nextOf(c.req.query("next"))) : errorAnswer(c, "not_found"),
);

signIn.post("/sign_in", refuseLarge(BODY_MAX), takeBody(BODY_MAX), async (c) => {
	if (!hasSignIn(c)) return errorAnswer(c, "not_found");
	const form = await readOwnForm(c);
	if (form instanceof Response) return form;
	const next = nextOf(form.text("next"));
	const token = await findToken(form.text("token"), c.get("platform").settings.ops.tokens);
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
