import { html, raw } from "hono/html";
import { PRODUCT_CODES, type ProductCode } from "../../domain/products.ts";
import { fullName } from "../../identity/compare-names.ts";
import { DEMO } from "../../texts/demo.ts";
import type { Language } from "../../texts/language.ts";
import { IDENTITIES, type SandboxIdentity } from "../identities.ts";
import type { ShownOrder } from "./order.ts";
import { SCRIPT } from "./script.ts";
import { FLOWS, MODES } from "./shops.ts";
import { STYLE } from "./style.ts";

interface ShopPage {
	language: Language;
	/** Nonce of the answer's CSP. */
	nonce: string;
	publicUrl: string;
	/** The visitor's unfinished order: the page continues it. */
	order: ShownOrder | null;
}

/** Chilean pesos. */
const PRICES: Record<ProductCode, string> = {
	FV00: "$4.990",
	FV01: "$12.990",
	FV02: "$19.990",
	FV03: "$24.990",
};

const SHOWN_PEOPLE = 5;

export function shopPage({ language, nonce, publicUrl, order }: ShopPage) {
	const text = (key: keyof typeof DEMO) => DEMO[key][language];
	const other = language === "es" ? "en" : "es";
	const leave = language === "es" ? "/demo/leave" : "/demo/leave?lang=en";
	const config = { locale: language, order, texts: { failed: text("failed"), done: text("done") } };
	return html`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text("title")}</title>
<style nonce="${nonce}">${raw(STYLE)}</style>
<aside class="ribbon">${text("ribbon")}</aside>
<header><a class="shop" href="${leave}">${text("shop")}</a><a href="/demo/?lang=${other}" lang="${other}">${text("language")}</a></header>
<main>
<form id="wish"${order ? raw(" hidden") : ""}>
<h1>${text("heading")}</h1>
<p class="introduction">${text("introduction")}</p>
<fieldset class="products"><legend>${text("products")}</legend>
${PRODUCT_CODES.map((code) => product(code, text(code)))}
</fieldset>
<button class="buy" data-busy="${text("buying")}">${text("buy")}</button>
<p id="problem" role="alert"></p>
<details><summary>${text("configuration")}</summary>
${choice("flow", text("flow"), FLOWS, text)}
${choice("mode", text("delivery"), MODES, text)}
</details>
</form>
<div id="order"${order ? "" : raw(" hidden")}>
<section aria-labelledby="your-order">
<div class="bar"><h2 id="your-order">${text("order")} <code id="code"></code></h2><a href="${leave}">${text("again")}</a></div>
<p id="done" role="status"></p>
<div id="widget"></div>
<p><a id="hosted" target="_blank" rel="noreferrer">${text("hosted")}</a></p>
<details><summary>${text("telephone")}</summary>
<p>${text("telephoneHint")}</p>
<svg id="qr" role="img" aria-label="${text("telephoneCode")}"><path></path></svg>
</details>
</section>
<aside aria-labelledby="backstage">
<h2 id="backstage">${text("backstage")}</h2>
<h3>${text("status")}</h3>
<p><output id="status">…</output></p>
<h3 id="events-heading">${text("events")}</h3>
<ol id="events" aria-labelledby="events-heading" data-none="${text("noEvents")}"></ol>
<h3>${text("people")}</h3>
<p>${text("peopleHint")}</p>
<ul class="people">${IDENTITIES.slice(0, SHOWN_PEOPLE).map((identity) => person(identity, text))}</ul>
</aside>
</div>
</main>
<script type="application/json" id="config">${raw(JSON.stringify(config).replaceAll("<", "\\u003c"))}</script>
<script nonce="${nonce}" src="${publicUrl}/widget/v1.js"></script>
<script nonce="${nonce}">${raw(SCRIPT)}</script>
</html>`;
}

function person({ rut, cardSerial, person }: SandboxIdentity, text: (key: "serial" | "expiry") => string) {
	const expiry = person.cardExpiry.split("-").reverse().join("-");
	return html`<li><b>${fullName(person)}</b>${rut} · ${text("serial")} ${cardSerial} · ${text("expiry")} ${expiry}</li>`;
}

function product(code: ProductCode, validity: string) {
	const checked = code === "FV01" ? raw(" checked") : "";
	return html`<label><input type="radio" name="product" value="${code}"${checked}><b>${validity}</b><span>${PRICES[code]}</span></label>`;
}

function choice<Value extends keyof typeof DEMO>(
	name: string,
	legend: string,
	values: readonly Value[],
	text: (key: Value) => string,
) {
	return html`<fieldset><legend>${legend}</legend>${values.map(
		(value, at) =>
			html`<label><input type="radio" name="${name}" value="${value}"${at === 0 ? raw(" checked") : ""}> ${text(value)}</label>`,
	)}</fieldset>`;
}
