import { Hono } from "hono";
import type { FoundCode } from "../../db/schema-holder.ts";
import {
	OPEN_REQUESTS_MAX,
	REQUEST_KINDS,
	REQUEST_MAX,
	type RequestKind,
} from "../../domain/holder-requests.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { holderCaller } from "../../services/caller.ts";
import { eraseHolderData, type SomeCodes, showHolderData } from "../../services/holder-data.ts";
import { makeRequest } from "../../services/holder-requests.ts";
import { KEPT_BESIDES, HOLDER_DATA as T } from "../../texts/holder-data.ts";
import { HOLDER_PAGE } from "../../texts/holder-page.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { shownOnce } from "../kit/shown-once.ts";
import { greet } from "./browser.ts";
import { type DataShown, dataPage } from "./data-page.tsx";
import { addressOf, pageOf } from "./layout.ts";
import { messagePage } from "./pages.tsx";
import { onForm, provedVisit } from "./visit.ts";

/* `/revocar/datos`: what is kept of the holder who has entered the code, as a page and as JSON; erasure and requests. */

export const dataPages = new Hono<AppEnv>();

dataPages.get("/revocar/datos", async (c) => {
	const found = await foundBy(c);
	if (found === null) return c.redirect(addressOf(c, ""), 303);
	const done = (await shownOnce<DataShown["done"]>(c))?.shown;
	return dataPage(c, { data: await showHolderData(c.get("platform"), found, "holder"), done });
});

dataPages.get("/revocar/datos/archivo", async (c) => {
	const found = await foundBy(c);
	if (found === null) return c.redirect(addressOf(c, ""), 303);
	const data = await showHolderData(c.get("platform"), found, "holder");
	const say = sayIn(c);
	const also_kept = Object.values(KEPT_BESIDES).map(([what, why, until]) => ({
		what: say(what),
		why: say(why),
		until: say(until),
	}));
	c.header("Content-Disposition", 'attachment; filename="mis-datos.json"');
	c.header("Cache-Control", "no-store");
	return c.json({ ...data, also_kept });
});

dataPages.post(
	"/revocar/datos/borrar",
	onForm(async (c, form, tokenHash) => {
		const visit = await provedVisit(c, tokenHash);
		if (visit === null) return messagePage(c, 410, HOLDER_PAGE.problem, HOLDER_PAGE.expired);
		if (form.text("understood") !== "1") {
			const data = await showHolderData(c.get("platform"), codesOf(c, visit), "holder");
			return dataPage(c, { data, problems: { understood: sayIn(c)(T.confirm) } });
		}
		const erasures = await eraseHolderData(callerOf(c, visit), codesOf(c, visit).codes);
		const count = (kind: string) => erasures.filter((erasure) => erasure === kind).length;
		const shown: DataShown["done"] = { kind: "erased", erased: count("erased"), busy: count("busy") };
		return { to: addressOf(c, "/datos"), shown };
	}),
);

dataPages.post(
	"/revocar/datos/solicitud",
	onForm(async (c, form, tokenHash) => {
		const visit = await provedVisit(c, tokenHash);
		if (visit === null) return messagePage(c, 410, HOLDER_PAGE.problem, HOLDER_PAGE.expired);
		const sent = { kind: form.text("kind"), code: form.text("p_code"), detail: form.text("detail").trim() };
		const kind = REQUEST_KINDS.find((one): one is RequestKind => one === sent.kind);
		const code = visit.found.find(([, own]) => own === sent.code);
		const { detail } = sent;
		const isText = detail !== "" && detail.length <= REQUEST_MAX;
		const isComplete = kind && code && isText;
		if (isComplete && (await makeRequest(callerOf(c, visit), code, { kind, detail })).kind === "done")
			return { to: addressOf(c, "/datos"), shown: { kind: "sent" } satisfies DataShown["done"] };
		const data = await showHolderData(c.get("platform"), codesOf(c, visit), "holder");
		const say = sayIn(c);
		const problems = {
			...(!kind && { kind: say(T.chooseKind) }),
			...(!isText && { detail: say(fill(T.detailWrong, { max: REQUEST_MAX })) }),
			...(isComplete && { p_code: say(fill(T.tooMany, { max: OPEN_REQUESTS_MAX })) }),
			...(!data.codes.some(({ p_code }) => p_code === sent.code) && { p_code: say(T.chooseCode) }),
		};
		return dataPage(c, { data, sent, problems });
	}),
);

/** The codes of the holder whose visit it is; null for who has not entered a code. */
async function foundBy(c: Call): Promise<SomeCodes | null> {
	const tokenHash = await greet(c);
	const visit = tokenHash === null ? null : await provedVisit(c, tokenHash);
	return visit && codesOf(c, visit);
}

/** Codes of a page: what is read, shown and erased at once is bounded. */
const PAGE_CODES = 100;

function codesOf(c: Call, { found }: { found: readonly FoundCode[] }): SomeCodes {
	const end = pageOf(c) * PAGE_CODES;
	return { codes: found.slice(end - PAGE_CODES, end), more: found.length > end };
}

/** The holder, for the audit of each of its codes. */
function callerOf(c: Call, { id }: { id: string }) {
	return holderCaller(c, id);
}
