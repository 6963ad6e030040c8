import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { endVisit, findProvedVisit } from "../../db/holder-visits.ts";
import { type ShownCertificate, showCertificates } from "../../db/holders-across-partners.ts";
import type { FoundCertificate } from "../../db/schema-holder.ts";
import type { RevocationReason } from "../../domain/revocation-reason.ts";
import { readRut } from "../../domain/rut.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { onError } from "../../http/fallbacks.ts";
import { email as emailSchema } from "../../http/fields.ts";
import { callerAddress } from "../../http/rate-limit.ts";
import { visitorCaller } from "../../services/caller.ts";
import { revokeCertificate } from "../../services/revoke-certificate.ts";
import { readableTime } from "../../texts/dates.ts";
import { HOLDER_REASONS, type HolderReason, HOLDER_PAGE as TEXTS } from "../../texts/holder-page.ts";
import { fill, preferredLanguage, type Text } from "../../texts/language.ts";
import { askCode, tryCode } from "./ask-code.ts";
import { type Browser, greet, recognise } from "./browser.ts";
import { addressOf } from "./layout.ts";
import { certificatesPage, codePage, type Fields, messagePage, retryPage, startPage } from "./pages.ts";

/*
 * `/revocar`: a holder revokes its own certificate. RUT and e-mail, a one-time code, the certificate and why. Each form
 * answers 303 to a page of its own, so that reloading and going back are harmless.
 */

/** Bytes of a form. */
const FORM_MAX = 4 * 1024;

/** Of the form that was posted. */
interface Form {
	browser: Browser;
	fields: Fields;
}

/** Spanish unless English is asked for: by `lang`, or by what the browser prefers. */
const chooseLanguage = createMiddleware<AppEnv>(async (c, next) => {
	const chosen = c.req.query("lang");
	const language = chosen === "es" || chosen === "en" ? chosen : undefined;
	c.set("language", language ?? preferredLanguage(c.req.header("accept-language"), "es"));
	await next();
});

type Call = Context<AppEnv>;

/** Takes a form that was filled in on a page of this browser; any other gets a page to begin anew. */
function onForm(answer: (c: Call, form: Form) => Promise<Response>) {
	return async (c: Call): Promise<Response> => {
		if (c.get("platform").settings.frozen) return retryPage(c, 503);
		const sent = await c.req.parseBody().catch(() => ({}));
		const fields = Object.fromEntries(
			Object.entries(sent).flatMap(([name, value]) =>
				typeof value === "string" ? [[name, value.trim()]] : [],
			),
		);
		const browser = await recognise(c, fields.csrf ?? "");
		if (browser === null) return messagePage(c, 403, TEXTS.problem, TEXTS.expired);
		return answer(c, { browser, fields });
	};
}

export const holderPages = new Hono<AppEnv>();

holderPages.use("/revocar/*", chooseLanguage, refuseLarge(FORM_MAX), takeBody(FORM_MAX));
holderPages.onError((error, c) => {
	const { status } = onError(error, c);
	return retryPage(c, status === 503 ? 503 : 500);
});

holderPages.get("/revocar", async (c) => startPage(c, (await greet(c)).csrf));

holderPages.post(
	"/revocar",
	onForm(async (c, { browser, fields }) => {
		const sent = { rut: fields.rut ?? "", email: fields.email ?? "" };
		const reading = readRut(withHyphen(sent.rut));
		const email = emailSchema.safeParse(sent.email);
		if (!reading.ok || !email.success)
			return startPage(c, browser.csrf, sent, {
				...(reading.ok ? {} : { rut: TEXTS.rutWrong }),
				...(email.success ? {} : { email: TEXTS.emailWrong }),
			});
		const asked = { rut: reading.rut, email: email.data, address: callerAddress(c) };
		const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
		const until = await askCode(c.get("platform"), browser.tokenHash, asked, later);
		if (until === null) return c.redirect(addressOf(c, "/codigo"), 303);
		c.header("Retry-After", String(Math.max(1, Math.ceil((until - c.get("platform").clock()) / 1000))));
		const at = readableTime(until, c.get("language"));
		return messagePage(c, 429, TEXTS.problem, fill(TEXTS.tooMany, { at }));
	}),
);

holderPages.get("/revocar/codigo", async (c) => codePage(c, (await greet(c)).csrf));

holderPages.post(
	"/revocar/codigo",
	onForm(async (c, { browser, fields }) => {
		const code = (fields.code ?? "").replaceAll(/[\s-]/g, "");
		if (!/^[0-9]{12}$/.test(code)) return codePage(c, browser.csrf, { code: TEXTS.codeShape });
		const verdict = await tryCode(c.get("platform"), browser.tokenHash, code);
		if (verdict.kind === "right") return c.redirect(addressOf(c, "/certificado"), 303);
		if (verdict.kind === "over") return messagePage(c, 410, TEXTS.problem, TEXTS.codeOver);
		return codePage(c, browser.csrf, { code: fill(TEXTS.codeWrong, { left: verdict.left }) });
	}),
);

holderPages.get("/revocar/certificado", async (c) => {
	const browser = await greet(c);
	const visit = await visitOf(c, browser);
	if (visit === null) return c.redirect(addressOf(c, ""), 303);
	const done = visit.certificates.some(
		({ serial, revokedAt }) => serial === c.req.query("listo") && revokedAt !== null,
	);
	return certificatesPage(c, browser.csrf, visit.certificates, { done });
});

holderPages.post(
	"/revocar/certificado",
	onForm(async (c, { browser, fields }) => {
		const visit = await visitOf(c, browser);
		if (visit === null) return messagePage(c, 410, TEXTS.problem, TEXTS.expired);
		const chosen = visit.certificates.find(({ serial }) => serial === fields.serial);
		const why = reasonOf(fields.why);
		const problems: Record<string, Text> = {
			...(!chosen && { serial: TEXTS.chooseCertificate }),
			...(!why && { why: TEXTS.chooseReason }),
			...(fields.understood !== "1" && { understood: TEXTS.confirm }),
		};
		if (!chosen || !why || Object.keys(problems).length > 0)
			return certificatesPage(c, browser.csrf, visit.certificates, { sent: fields, problems });
		const { partnerId, serial } = chosen;
		const holder = visitorCaller(c, { partnerId, actor: `holder:${visit.id}` });
		const answer = await revokeCertificate(holder, chosen, CRL_REASON[why]);
		if (answer.kind === "rejected")
			return answer.rejection.reason === "not_found"
				? messagePage(c, 404, TEXTS.problem, TEXTS.notFound)
				: retryPage(c, 503);
		const list = addressOf(c, "/certificado");
		return c.redirect(`${list}${list.includes("?") ? "&" : "?"}listo=${serial}`, 303);
	}),
);

holderPages.post(
	"/revocar/fin",
	onForm(async (c, { browser }) => {
		await endVisit(c.get("platform").db, browser.tokenHash);
		return messagePage(c, 200, TEXTS.title, TEXTS.left);
	}),
);

/** RFC 5280 §5.3.1: whoever did not ask for the certificate does not have its key alone either. */
const CRL_REASON: Record<HolderReason, RevocationReason> = {
	lost: "keyCompromise",
	not_mine: "keyCompromise",
	replaced: "superseded",
	unused: "cessationOfOperation",
	changed: "affiliationChanged",
	other: "unspecified",
};

function reasonOf(value: string | undefined): HolderReason | null {
	return value !== undefined && Object.hasOwn(HOLDER_REASONS, value) ? (value as HolderReason) : null;
}

async function visitOf(
	c: Call,
	{ tokenHash }: Browser,
): Promise<{ id: string; certificates: ShownCertificate[] } | null> {
	const { db, clock } = c.get("platform");
	const visit = await findProvedVisit(db, tokenHash, clock());
	if (visit === null) return null;
	const pairs = visit.found.map(([partnerId, , serial]: FoundCertificate) => [partnerId, serial] as const);
	return { id: visit.id, certificates: await showCertificates(db, pairs) };
}

/** People leave the hyphen out. */
function withHyphen(rut: string): string {
	return /^[0-9.]+[0-9Kk]$/.test(rut) ? `${rut.slice(0, -1)}-${rut.slice(-1)}` : rut;
}
