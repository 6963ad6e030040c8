import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { endVisit } from "../../db/holder-visits.ts";
import { showCertificates } from "../../db/holders-across-partners.ts";
import { askHomes, homeOf, silentDatabases } from "../../directory.ts";
import type { RevocationReason } from "../../domain/revocation-reason.ts";
import { readRut } from "../../domain/rut.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { refuseLarge, takeBody } from "../../http/body.ts";
import { onError } from "../../http/fallbacks.ts";
import { email as emailSchema } from "../../http/holder-fields.ts";
import { admits, callerAddress } from "../../http/rate-limit.ts";
import { visitorCaller } from "../../services/caller.ts";
import { revokeCertificate } from "../../services/revoke-certificate.ts";
import { readableTime } from "../../texts/dates.ts";
import { HOLDER_REASONS, type HolderReason, HOLDER_PAGE as T } from "../../texts/holder-page.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { chooseLanguage, sayIn } from "../kit/language.ts";
import { shownOnce } from "../kit/shown-once.ts";
import { askCode, tryCode } from "./ask-code.ts";
import { greet } from "./browser.ts";
import { certificatesPage, type ShownCertificates } from "./certificates-page.tsx";
import { dataPages } from "./data.tsx";
import { addressOf } from "./layout.ts";
import { codePage, messagePage, openPage, retryPage, startPage } from "./pages.tsx";
import { onForm, provedVisit } from "./visit.ts";

/*
 * `/revocar`: a holder revokes its own certificate, and sees its data (`data.tsx`). RUT and e-mail, a one-time code, the certificate and why. Each form
 * answers 303 to a page of its own, so that reloading and going back are harmless.
 */

/** Bytes of a form. */
const FORM_MAX = 4 * 1024;

export const holderPages = new Hono<AppEnv>();

/** 429 for an address that calls too often, before D1 is read. */
const limitAddress = createMiddleware<AppEnv>(async (c, next) =>
	(await admits(c.env.ADDRESS_WIDGET_RATE, callerAddress(c))) ? next() : retryPage(c, 429),
);

holderPages.use("/revocar/*", chooseLanguage(null), limitAddress, refuseLarge(FORM_MAX), takeBody(FORM_MAX));
holderPages.onError((error, c) => {
	const { status } = onError(error, c);
	return retryPage(c, status === 503 ? 503 : 500);
});

holderPages.route("/", dataPages);

holderPages.get("/revocar", async (c) => {
	await greet(c);
	return startPage(c);
});

holderPages.post(
	"/revocar",
	onForm(async (c, form, tokenHash) => {
		const sent = { rut: form.text("rut"), email: form.text("email") };
		const say = sayIn(c);
		const reading = readRut(sent.rut);
		const email = emailSchema.safeParse(sent.email);
		if (!reading.ok || !email.success)
			return startPage(c, sent, {
				...(reading.ok ? {} : { rut: say(T.rutWrong) }),
				...(email.success ? {} : { email: say(T.emailWrong) }),
			});
		const language = c.get("language");
		const asked = { rut: reading.rut, email: email.data, address: callerAddress(c), language };
		const later = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
		const until = await askCode(c.get("platform"), tokenHash, asked, later);
		if (until === null) return { to: addressOf(c, "/codigo") };
		c.header("Retry-After", String(Math.max(1, Math.ceil((until - c.get("platform").clock()) / 1000))));
		const at = readableTime(until, language);
		return messagePage(c, 429, T.problem, fill(T.tooMany, { at }));
	}),
);

holderPages.get("/revocar/abrir", openPage);

holderPages.get("/revocar/codigo", async (c) => {
	await greet(c);
	const wrong = c.req.query("mal") ? (await shownOnce<WrongCode>(c))?.shown : undefined;
	return codePage(c, wrong && { code: sayIn(c)(fill(T.codeWrong, wrong)) });
});

holderPages.post(
	"/revocar/codigo",
	onForm(async (c, form, tokenHash) => {
		const code = form.text("code").replaceAll(/[\s-]/g, "");
		if (!/^[0-9]{12}$/.test(code)) return codePage(c, { code: sayIn(c)(T.codeShape) });
		const verdict = await tryCode(c.get("platform"), tokenHash, code);
		if (verdict.kind === "right") return { to: addressOf(c, "/certificado") };
		if (verdict.kind === "over") return messagePage(c, 410, T.problem, T.codeOver);
		const { left } = verdict;
		return { to: addressOf(c, "/codigo", { mal: "1" }), shown: { left } satisfies WrongCode };
	}),
);

/** A try was spent: the form sent again must not spend another. */
type WrongCode = { left: number };

holderPages.get("/revocar/certificado", async (c) => {
	const tokenHash = await greet(c);
	const visit = tokenHash && (await visitOf(c, tokenHash));
	if (!visit) return c.redirect(addressOf(c, ""), 303);
	const done = visit.certificates.find(
		({ serial, revokedAt }) => serial === c.req.query("listo") && revokedAt !== null,
	);
	return certificatesPage(c, visit, { done });
});

holderPages.post(
	"/revocar/certificado",
	onForm(async (c, form, tokenHash) => {
		const visit = await visitOf(c, tokenHash);
		if (visit === null) return messagePage(c, 410, T.problem, T.expired);
		const sent = { serial: form.text("serial"), why: form.text("why") };
		const say = sayIn(c);
		const chosen = visit.certificates.find(({ serial }) => serial === sent.serial);
		// It may be in a database that did not answer.
		if (!chosen && !visit.isWhole) return retryPage(c, 503);
		const why = reasonOf(sent.why);
		const problems = {
			...(!chosen && { serial: say(T.chooseCertificate) }),
			...(!why && { why: say(T.chooseReason) }),
			...(form.text("understood") !== "1" && { understood: say(T.confirm) }),
		};
		if (!chosen || !why || Object.keys(problems).length > 0)
			return certificatesPage(c, visit, { sent, problems });
		const { partnerId, serial } = chosen;
		const home = await homeOf(c.get("platform"), partnerId);
		const holder = visitorCaller(c, home, `holder:${visit.id}`);
		const answer = await revokeCertificate(holder, chosen, CRL_REASON[why]);
		if (answer.kind === "rejected")
			return answer.rejection.reason === "not_found"
				? messagePage(c, 404, T.problem, fill(T.notFound, { partner: chosen.partnerName }))
				: retryPage(c, 503);
		return { to: addressOf(c, "/certificado", { listo: serial }) };
	}),
);

holderPages.post(
	"/revocar/fin",
	onForm(async (c, _, tokenHash) => {
		const to = addressOf(c, "/fin");
		// Who never asked for a code leaves no form in D1: visits are limited, these are not.
		return (await endVisit(c.get("platform").directory, tokenHash)) ? { to } : c.redirect(to, 303);
	}),
);

holderPages.get("/revocar/fin", (c) => messagePage(c, 200, T.title, T.left));

/** RFC 5280 §5.3.1: a person who did not ask for the certificate is not the only one with its key either. */
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

async function visitOf(c: Call, tokenHash: string): Promise<(ShownCertificates & { id: string }) | null> {
	const platform = c.get("platform");
	const visit = await provedVisit(c, tokenHash);
	if (visit === null) return null;
	const { answers } = await askHomes(
		platform,
		visit.found,
		([partnerId]) => partnerId,
		(db, found) => showCertificates(db, found, platform.clock()),
	);
	const certificates = answers.flat().toSorted((a, b) => b.issuedAt - a.issuedAt);
	return { id: visit.id, certificates, isWhole: silentDatabases(platform).length === 0 };
}
