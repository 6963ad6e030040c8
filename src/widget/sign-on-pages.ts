import { html, raw } from "hono/html";
import { SIGN_ON } from "../texts/sign-on.ts";

/* The pages of the sign-on's own window. They load nothing but the icon; script and style run by the nonce of the answer's CSP. */

/** sessionStorage key of the state of the window's sign-on (docs/decisions/0012-sign-on-window.md). */
const KEPT_STATE = "onboarding.sign_on";
const CLOSE_AFTER_MS = 1_500;

export type SignOnText = Exclude<keyof typeof SIGN_ON, "title" | "needsScript">;

/** Continues to the provider with the query in the fragment, and remembers its state. */
export function startPage(nonce: string, authorizeUrl: string) {
	const script = `
const query = location.hash.slice(1);
const state = new URLSearchParams(query).get("state");
try {
	sessionStorage.setItem(${literal(KEPT_STATE)}, state ?? "");
	if (state) location.replace(${literal(`${authorizeUrl}?`)} + query);
	else show("refused");
} catch {
	show("failed");
}`;
	return page(nonce, "starting", { script, others: ["refused", "failed"] });
}

/** Posts the provider's answer, if the sign-on began in this window. */
export function returnPage(nonce: string, fields: Readonly<Record<string, string | undefined>>) {
	const inputs = Object.entries(fields).map(
		([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ""}">`,
	);
	const script = `
history.replaceState(null, "", location.pathname);
const form = document.forms[0];
let kept = null;
try {
	kept = sessionStorage.getItem(${literal(KEPT_STATE)});
	sessionStorage.removeItem(${literal(KEPT_STATE)});
} catch {}
if (kept && kept === form.elements.state.value) form.submit();
else show("refused");`;
	return page(nonce, "finishing", {
		script,
		others: ["refused"],
		content: html`<form method="post" hidden>${inputs}</form>`,
	});
}

/** Shows how the sign-on ended. A window that the holder no longer needs closes itself, where the browser lets it. */
export function endPage(nonce: string, text: SignOnText) {
	const closes = text === "verified" || text === "cancelled";
	return page(nonce, text, { script: closes ? `setTimeout(() => close(), ${CLOSE_AFTER_MS});` : "" });
}

interface Parts {
	script: string;
	/** Texts that the script may show in place of the first. */
	others?: readonly SignOnText[];
	content?: ReturnType<typeof html>;
}

function page(nonce: string, text: SignOnText, { script, others = [], content }: Parts) {
	const show = others.length > 0 ? SHOW : "";
	return html`<!doctype html>
<html lang="es">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${SIGN_ON.title.es} · ${SIGN_ON.title.en}</title>
<style nonce="${nonce}">${raw(STYLE)}</style>
<main aria-live="polite">
${[text, ...others].map((name, at) => section(name, at > 0))}
<noscript>${section("needsScript", false)}</noscript>
</main>
${content ?? ""}
<script nonce="${nonce}">${raw(show + script)}</script>
</html>`;
}

function section(name: keyof typeof SIGN_ON, hidden: boolean) {
	const { es, en } = SIGN_ON[name];
	return html`<section id="${name}"${hidden ? raw(" hidden") : ""}><p>${es}</p><p lang="en">${en}</p></section>`;
}

const SHOW = `
function show(id) {
	for (const section of document.querySelectorAll("section")) section.hidden = section.id !== id;
}`;

const STYLE = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; }
main { max-width: 28rem; padding: 1.5rem; }
p { margin: 0 0 .75rem; text-wrap: balance; }
[lang="en"] { font-size: .9375rem; opacity: .72; }`;

/** A string of script; JSON alone could end its element. */
function literal(text: string): string {
	return JSON.stringify(text).replaceAll("<", "\\u003c");
}
