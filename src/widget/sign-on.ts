import type { Context } from "hono";
import { findSession } from "../db/onboarding-sessions.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { refuseLarge, takeBody } from "../http/body.ts";
import { admits, callerAddress } from "../http/rate-limit.ts";
import type { SignOnReturn } from "../objects/onboarding-rpc.ts";
import { callCode } from "../objects/stubs.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { Unavailable } from "../unavailable.ts";
import { callOf, frameRejection, frameWrite } from "./frame-calls.ts";
import { findHomeOfSession } from "./require-session.ts";
import { endPage, returnPage, type SignOnText, startPage } from "./sign-on-pages.ts";

/*
 * The holder's single sign-on: the frame begins it, a window of its own leaves by /start, which only our own pages
 * open, and comes back to /callback. docs/decisions/0012-sign-on-window.md says who may finish it.
 */

const WINDOW = "/widget/sign_on";

/** Bytes: a state, and a code or an error. */
const RETURN_MAX = 16_384;

/** `<session>.<256 random bits>` */
const STATE = /^(os_[0-9a-f]{32})\.([\w-]{43})$/;
const CODE_MAX = 4_096;
const RETRY_AFTER_S = "30";

/** RFC 6749 §4.1.2.1. Any other value is not logged. */
const ERRORS = [
	"access_denied",
	"invalid_request",
	"unauthorized_client",
	"unsupported_response_type",
	"invalid_scope",
	"server_error",
	"temporarily_unavailable",
];

export const signOn = createApi();

signOn.post("/widget/v1/sessions/:id/sign_on", frameWrite, async (c) => {
	const platform = c.get("platform");
	const { answer } = await callCode(platform, c.get("session"), (object) => object.beginSignOn(callOf(c)));
	if (answer.kind === "rejected") return frameRejection(c, answer.rejection);
	const authorize_url = `${platform.settings.publicUrl}${WINDOW}/start#${answer.query}`;
	return c.json({ success: true, data: { authorize_url } }, 200);
});

signOn.get(`${WINDOW}/start`, (c) =>
	isOurOwn(c)
		? c.html(startPage(c.get("secureHeadersNonce"), c.get("platform").singleSignOn.authorizeUrl))
		: endStrange(c),
);

signOn.get(`${WINDOW}/callback`, (c) => {
	const { state, code, error } = c.req.query();
	return c.html(returnPage(c.get("secureHeadersNonce"), { state, code, error }));
});

signOn.post(`${WINDOW}/callback`, refuseLarge(RETURN_MAX), takeBody(RETURN_MAX), async (c) => {
	const sent = await c.req.formData().catch(() => new FormData());
	const field = (name: string) => String(sent.get(name) ?? "");
	const [, session, random] = STATE.exec(field("state")) ?? [];
	const code = field("code") || null;
	if (!isOurOwn(c)) return endStrange(c);
	if (!session || !random || (code?.length ?? 0) > CODE_MAX) return end(c, "refused", 403);
	if (!(await admits(c.env.ADDRESS_WIDGET_RATE, callerAddress(c)))) return end(c, "failed", 429);
	const error = code === null ? (ERRORS.find((known) => known === field("error")) ?? "other") : null;
	try {
		return await finish(c, session, { random, authorizationCode: code, error });
	} catch (error) {
		if (!(error instanceof Unavailable)) throw error;
		log("error", "unavailable", { request_id: c.get("requestId"), ...describeError(error) });
		return end(c, "failed", 503);
	}
});

/** @throws {Unavailable} */
async function finish(
	c: Context<AppEnv>,
	session: string,
	brought: Pick<SignOnReturn, "random" | "authorizationCode" | "error">,
) {
	const platform = c.get("platform");
	const home = await findHomeOfSession(platform, session);
	const found = home && (await findSession(home.db, session));
	if (!found) return end(c, "refused", 403);
	const { partnerId, code } = found;
	const actor = `widget:${session}` as const;
	const call = { session, partnerId, code, actor, requestId: c.get("requestId"), idempotency: null };
	const { answer } = await callCode(platform, call, (object) => object.finishSignOn({ ...call, ...brought }));
	if (answer.kind === "rejected")
		return answer.rejection.reason === "session_ended" ? end(c, "ended", 403) : end(c, "failed", 503);
	return end(c, answer.end, answer.end === "refused" ? 403 : 200);
}

/** A navigation that a page of ours began; browsers let no page set the header. */
function isOurOwn(c: Context<AppEnv>): boolean {
	return c.req.header("sec-fetch-site") === "same-origin";
}

/** A browser from before 2023 does not send the header, and no other sign of the origin exists. */
function endStrange(c: Context<AppEnv>) {
	return end(c, c.req.header("sec-fetch-site") === undefined ? "oldBrowser" : "refused", 403);
}

function end(c: Context<AppEnv>, text: SignOnText, status: 200 | 403 | 429 | 503) {
	if (status === 503) c.header("Retry-After", RETRY_AFTER_S);
	return c.html(endPage(c.get("secureHeadersNonce"), text), status);
}
