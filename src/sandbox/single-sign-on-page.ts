import { Hono } from "hono";
import { html } from "hono/html";
import { NONCE, secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "../http/app-env.ts";
import { fullName } from "../identity/compare-names.ts";
import { type Language, preferredLanguage } from "../texts/language.ts";
import { SANDBOX_SIGN_IN as TEXTS } from "../texts/sandbox-sign-in.ts";
import { IDENTITIES, type SandboxIdentity } from "./identities.ts";
import { createCode } from "./single-sign-on-codes.ts";
import { answerServer, redirectUriOf, type SandboxClient } from "./single-sign-on-sandbox.ts";

/*
 * The single sign-on of local and dev as a browser sees it, under /sandbox. `authorize` shows the sandbox's people and
 * sends the browser back with a code (RFC 6749 §4.1); a client or an address that it does not know, it sends nowhere.
 */

const headers = secureHeaders({
	contentSecurityPolicy: {
		defaultSrc: ["'none'"],
		styleSrc: [NONCE],
		imgSrc: ["'self'"],
		formAction: ["'self'"],
		frameAncestors: ["'none'"],
		baseUri: ["'none'"],
	},
	// ClaveÚnica may set this too: the opener loses its reference to the window.
	crossOriginOpenerPolicy: "same-origin",
});

export const signInPage = new Hono<AppEnv>();
for (const path of ["/openid/authorize", "/openid/authorize/"])
	signInPage.use(path, headers).on(["GET", "POST"], path, async (c) => {
		const language = preferredLanguage(c.req.header("accept-language") ?? "es");
		const asked = new URL(c.req.url).searchParams;
		const nonce = c.get("secureHeadersNonce");
		if (!isKnown(asked, c.env))
			return c.html(page(language, nonce, html`<p>${TEXTS.refused[language]}</p>`), 400);
		const problem = problemOf(asked);
		if (problem !== null) return c.redirect(returnTo(asked, { error: problem }), 303);
		if (c.req.method === "GET") return c.html(page(language, nonce, choices(language)));
		const chosen = await c.req.formData();
		return c.redirect(returnTo(asked, outcomeOf(asked, chosen)), 303);
	});
signInPage.all("/openid/*", (c) => {
	const url = new URL(c.req.url);
	url.pathname = url.pathname.replace(/^\/sandbox/, "");
	return answerServer(new Request(url, c.req.raw), c.env);
});

function isKnown(asked: URLSearchParams, client: SandboxClient): boolean {
	return (
		asked.get("client_id") === client.SINGLE_SIGN_ON_CLIENT_ID &&
		asked.get("redirect_uri") === redirectUriOf(client)
	);
}

/** RFC 6749 §4.1.2.1, RFC 7636 §4.4.1. */
function problemOf(asked: URLSearchParams): string | null {
	if (asked.get("response_type") !== "code") return "unsupported_response_type";
	const scopes = (asked.get("scope") ?? "").split(" ");
	if (!["openid", "run", "name"].every((scope) => scopes.includes(scope))) return "invalid_scope";
	const challenged = asked.has("code_challenge") || asked.has("code_challenge_method");
	return challenged && asked.get("code_challenge_method") !== "S256" ? "invalid_request" : null;
}

function outcomeOf(asked: URLSearchParams, chosen: FormData): Record<string, string> {
	const rut = chosen.get("rut");
	const isDown = chosen.get("other") === "down";
	if (rut === null && !isDown) return { error: "access_denied" };
	const code = createCode({
		rut: rut === null ? IDENTITIES[0]!.rut : String(rut),
		behaviour: isDown ? "answers_503" : chosen.has("slow") ? "slow" : "grants",
		clientId: asked.get("client_id")!,
		redirectUri: asked.get("redirect_uri")!,
		nonce: asked.get("nonce"),
		codeChallenge: asked.get("code_challenge"),
	});
	return { code };
}

function returnTo(asked: URLSearchParams, outcome: Record<string, string>): string {
	const url = new URL(asked.get("redirect_uri")!);
	const state = asked.get("state");
	const answer = { ...outcome, ...(state !== null && { state }) };
	for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
	return url.href;
}

function choices(language: Language) {
	const text = (key: keyof typeof TEXTS) => TEXTS[key][language];
	return html`<p>${text("introduction")}</p>
<form method="post">
<label><input type="checkbox" name="slow"> ${text("slow")}</label>
<h2 id="people">${text("people")}</h2>
<ul aria-labelledby="people">${IDENTITIES.map((identity) => html`<li>${person(identity, language)}</li>`)}</ul>
<h2>${text("other")}</h2>
<button name="other" value="cancel">${text("cancel")}</button>
<button name="other" value="down">${text("down")}</button>
</form>`;
}

function person({ rut, person, behaviour }: SandboxIdentity, language: Language) {
	const happens = TEXTS[behaviour === "slow" ? "registry_slow" : behaviour][language];
	return html`<button name="rut" value="${rut}"><b>${fullName(person)}</b> <span>${rut} · ${happens}</span></button>`;
}

function page(language: Language, nonce: string, content: ReturnType<typeof html>) {
	return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TEXTS.title[language]}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 32rem; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.4rem; margin: 0; }
h1::before { content: ""; display: block; width: 3rem; height: .35rem; margin-bottom: 1rem; background: linear-gradient(90deg, #0a5bd3 50%, #e0293d 50%); }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .4rem; }
button { font: inherit; text-align: start; padding: .6rem .9rem; border: 1px solid #8886; border-radius: .5rem; background: Canvas; color: CanvasText; cursor: pointer; }
form > button { margin: 0 .4rem .4rem 0; }
li button { width: 100%; }
button:hover { border-color: #0a5bd3; }
button:focus-visible { outline: 3px solid #0a5bd3; outline-offset: 2px; }
button span { display: block; font-size: .875rem; opacity: .75; }
</style>
<h1>${TEXTS.title[language]}</h1>
${content}
</html>`;
}
