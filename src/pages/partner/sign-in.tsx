import { type Context, Hono } from "hono";
import { permits } from "../../domain/key-scopes.ts";
import { BODY_MAX, SIGN_INS_PER_MINUTE } from "../../domain/limits.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { identifyKey } from "../../http/authenticate.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { errorAnswer } from "../../http/errors.ts";
import { frozenAnswer, refuseWhileFrozen } from "../../http/partner-checks.ts";
import { admits, limitAddress } from "../../http/rate-limit.ts";
import { CONSOLE as T } from "../../texts/console.ts";
import type { Text } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import type { Done } from "../kit/first-answer.ts";
import { Field, PostForm } from "../kit/forms.tsx";
import type { Form } from "../kit/read-form.ts";
import { greet, receive, show } from "./console.ts";
import { HOME } from "./nav.ts";
import { beginSession, giveCookie } from "./session.ts";

/* Signing in: a `manage` key is exchanged for a session. The key itself is kept nowhere. */

export const signIn = new Hono<AppEnv>();

const NOBODY = "";

signIn.get("/sign_in", async (c) => {
	await greet(c, NOBODY);
	const { ended, signed_out: signedOut, next } = c.req.query();
	const notice = signedOut
		? { kind: "done" as const, text: T.signedOut }
		: ended
			? { kind: "problem" as const, text: T.ended }
			: undefined;
	return showForm(c, { next: nextOf(next), notice });
});

signIn.post(
	"/sign_in",
	refuseWhileFrozen,
	limitAddress,
	refuseLarge(BODY_MAX),
	takeBody(BODY_MAX),
	async (c) => {
		await greet(c, NOBODY);
		return receive(c, exchangeKey, (_, form) => giveCookie(c, form.text("key")));
	},
);

async function exchangeKey(c: Call, form: Form): Promise<Response | Done> {
	const next = nextOf(form.text("next"));
	const found = await identifyKey(c, form.text("key"));
	if (found.kind === "refused") {
		c.header("Retry-After", String(Math.ceil(found.retryAfterMs / 1000)));
		return errorAnswer(c, "too_many_unknown_keys");
	}
	if (found.kind === "unknown") return showForm(c, { next, problem: T.keyRefused }, 401);
	if (!permits(found.owner.scopes, { scope: "manage", reads: false }))
		return showForm(c, { next, problem: T.manageRequired }, 403);
	if (found.owner.isFrozen) return frozenAnswer(c);
	if (!(await admits(c.env.SIGN_IN_RATE, found.owner.partnerId))) {
		c.header("Retry-After", "60");
		return errorAnswer(c, "rate_limit_exceeded", { values: { quota: SIGN_INS_PER_MINUTE } });
	}
	await beginSession(c, found.owner);
	return { to: next ?? HOME };
}

interface SignInForm {
	next: string | null;
	problem?: Text;
	notice?: { kind: "done" | "problem"; text: Text } | undefined;
}

function showForm(c: Context<AppEnv>, { next, problem, notice }: SignInForm, status: 200 | 401 | 403 = 200) {
	const language = c.get("language");
	return show(
		c,
		{ title: T.signIn, status, notice },
		<>
			<p>{T.signInIntroduction[language]}</p>
			<PostForm action="/console/sign_in" csrf={c.get("csrf")}>
				{next && <input type="hidden" name="next" value={next} />}
				<Field
					name="key"
					type="password"
					label={T.key[language]}
					hint={T.keyHint[language]}
					problem={problem?.[language]}
					required
					autofocus
					autocomplete="current-password"
				/>
				<button type="submit">{T.signInButton[language]}</button>
			</PostForm>
		</>,
	);
}

/** Back to the page that asked for the sign-in; never to another site. */
function nextOf(sent: string | undefined): string | null {
	return sent !== undefined && /^\/console\/[\w/-]{1,100}(\?[\w=&%.*+-]{1,500})?$/.test(sent) ? sent : null;
}
