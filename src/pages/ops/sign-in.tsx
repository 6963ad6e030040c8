import { Hono } from "hono";
import { findToken } from "../../api/ops/authorize.ts";
import { BODY_MAX } from "../../domain/limits.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { errorAnswer } from "../../http/errors.ts";
import { OPS_CONSOLE as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import type { Done } from "../kit/first-answer.ts";
import { Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import type { Form } from "../kit/read-form.ts";
import { greet, receive, show } from "./console.tsx";
import { HOME } from "./nav.ts";
import { beginSession, hasSignIn } from "./session.ts";

/* Signing in by a token, in local and dev alone. Tokens have 256 random bits: trying them is not limited. */

export const signIn = new Hono<AppEnv>();

const NOBODY = "";

signIn.get("/sign_in", async (c) => {
	if (!hasSignIn(c)) return errorAnswer(c, "not_found");
	await greet(c, NOBODY);
	return showForm(c, nextOf(c.req.query("next")));
});

signIn.post("/sign_in", refuseLarge(BODY_MAX), takeBody(BODY_MAX), async (c) => {
	if (!hasSignIn(c)) return errorAnswer(c, "not_found");
	await greet(c, NOBODY);
	return receive(c, exchangeToken, async (c, form) => {
		const token = await tokenIn(c, form);
		if (token) await beginSession(c, token);
	});
});

async function exchangeToken(c: Call, form: Form): Promise<Response | Done> {
	const next = nextOf(form.text("next"));
	return (await tokenIn(c, form)) ? { to: next ?? HOME } : showForm(c, next, 401);
}

function tokenIn(c: Call, form: Form) {
	return findToken(form.text("token"), c.get("platform").settings.ops.tokens);
}

/** @param status - 401: the token that was sent opens nothing */
function showForm(c: Call, next: string | null, status: 200 | 401 = 200) {
	const say = sayIn(c);
	return show(
		c,
		{ title: T.signIn, status },
		<>
			<p>{say(T.signInWith)}</p>
			<PostForm action="/ops/console/sign_in" csrf={c.get("csrf")}>
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
			</PostForm>
		</>,
	);
}

/** Back to the page that asked for the sign-in; never to another site. */
function nextOf(sent: string | undefined): string | null {
	return sent !== undefined && /^\/ops\/console\/[\w/-]{1,100}(\?[\w=&%.*+-]{1,500})?$/.test(sent)
		? sent
		: null;
}
