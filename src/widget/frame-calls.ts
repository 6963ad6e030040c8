import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { validator } from "hono/validator";
import { homeOf } from "../directory.ts";
import { BODY_MAX, EMISSION_LIMIT, SUBMITS_PER_MINUTE } from "../domain/limits.ts";
import { ONBOARDING_SCREENS } from "../domain/onboarding.ts";
import type { Rejection } from "../domain/rejection.ts";
import { createApi, invalidField, refuseInvalid } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { refuseLarge, requireJson, takeBody } from "../http/body.ts";
import { errorAnswer } from "../http/errors.ts";
import { clearable, printable } from "../http/fields.ts";
import { calendarDate, cardSerial, email, personName, phone, pin, rut } from "../http/holder-fields.ts";
import { refuseWhileFrozen } from "../http/partner-checks.ts";
import { admits, limitAddress } from "../http/rate-limit.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import type { OnboardingAnswer, OnboardingCall, OnboardingCalls } from "../objects/onboarding-rpc.ts";
import type { IdempotentCall, Replayable } from "../objects/rpc.ts";
import { callCode, callPartner, takeHandedOn } from "../objects/stubs.ts";
import { deriveCallerKey } from "../secrets/sealing.ts";
import { visitorCaller } from "../services/caller.ts";
import { findReceipt } from "../services/find-receipt.ts";
import { type ClaimedFile, presentState } from "../wire/session.ts";
import { bearerToken, requireSession } from "./require-session.ts";

/*
 * The calls of the widget's frame, which is their only caller: in no OpenAPI document. Each is about one session
 * and answers with its {@link State}.
 */

const answers = z.strictObject(
	{
		step: z.enum(ONBOARDING_SCREENS, "step").optional(),
		dni: clearable(rut),
		serialNumber: clearable(cardSerial),
		fechaVencimiento: clearable(calendarDate),
		names: clearable(personName),
		fLastname: clearable(personName),
		mLastname: clearable(personName),
		phone: clearable(phone),
		email: clearable(email),
	},
	"object",
);
const submission = z.strictObject({ pin, terms_version: printable(64, "termsVersion") }, "object");
const claim = z.strictObject({ pin }, "object");

/** The order of checks of a partner's call, with the session's token in the key's place. */
const frameRead: MiddlewareHandler<AppEnv> = every(limitAddress, requireSession);
export const frameWrite: MiddlewareHandler<AppEnv> = every(
	refuseWhileFrozen,
	refuseLarge(BODY_MAX),
	frameRead,
);
const withBody: MiddlewareHandler<AppEnv> = every(frameWrite, takeBody(BODY_MAX), requireJson);

const PATH = "/widget/v1/sessions/:id";

export const frameCalls = createApi();

frameCalls.get(PATH, frameRead, (c) => callSession(c, (object, call) => object.showOnboarding(call)));

frameCalls.post(`${PATH}/open`, frameWrite, (c) =>
	callSession(c, (object, call) => object.openOnboarding(call)),
);

frameCalls.put(`${PATH}/answers`, withBody, validJson(answers), (c) => {
	const {
		step: at,
		dni,
		serialNumber,
		fechaVencimiento,
		fLastname,
		mLastname,
		...sent
	} = c.req.valid("json");
	const typed = {
		rut: dni,
		cardSerial: serialNumber,
		cardExpiry: fechaVencimiento,
		names: sent.names,
		fatherSurname: fLastname,
		motherSurname: mLastname,
		phone: sent.phone,
		email: sent.email,
	};
	return callSession(c, (object, call) => object.saveAnswers({ ...call, screen: at, answers: typed }));
});

frameCalls.post(`${PATH}/submit`, withBody, validJson(submission), async (c) => {
	const { pin, terms_version } = c.req.valid("json");
	const platform = c.get("platform");
	const { terms } = platform.settings;
	if (terms_version !== terms.version) return invalidField(c, "terms_version", "termsVersion");
	const call = { ...callOf(c), pin, consent: { version: terms_version, at: platform.clock() } };
	const submit = (object: OnboardingCalls) => object.submitOnboarding(call);
	if (c.get("session").validatedAt !== null) return callSession(c, submit);
	// Counted and run in one call of the partner's object, like a certificate_request (§8). No session makes many.
	if (!(await admits(c.env.SUBMIT_RATE, call.session))) return tooMany(c, 60, SUBMITS_PER_MINUTE);
	const { submitted, admitted, resetMs } = await callPartner(platform, call.partnerId, (object) =>
		object.admitEmission(undefined, call),
	);
	if (!admitted) return tooMany(c, Math.ceil(resetMs / 1000), EMISSION_LIMIT);
	return present(c, takeHandedOn(submitted!));
});

frameCalls.post(`${PATH}/claim`, withBody, validJson(claim), async (c) => {
	const { pin } = c.req.valid("json");
	const session = c.get("session");
	const idempotency = await claimKey(c, pin);
	const { answer } = await callCode(c.get("platform"), session, (object) =>
		object.claimOnboarding({ ...callOf(c), idempotency, pin }),
	);
	if (answer.kind === "rejected") return frameRejection(c, answer.rejection);
	const { certificate, pfx, fileName } = answer;
	const data: ClaimedFile = {
		certificate: pfx,
		serialNumber: certificate.serial,
		validFrom: new Date(certificate.validFrom).toISOString(),
		validTo: new Date(certificate.validTo).toISOString(),
		file_name: fileName,
	};
	return c.json({ success: true, data }, 200);
});

frameCalls.get(`${PATH}/receipt`, frameRead, async (c) => {
	const { id, partnerId, code } = c.get("session");
	const home = await homeOf(c.get("platform"), partnerId);
	const receipt = await findReceipt(visitorCaller(c, home, `widget:${id}`), code);
	return receipt ? c.json({ success: true, data: receipt }, 200) : errorAnswer(c, "not_found");
});

/** One call on the session's code, answered with the session's state. */
async function callSession(
	c: Context<AppEnv>,
	take: (object: OnboardingCalls, call: OnboardingCall) => Promise<Replayable<OnboardingAnswer>>,
): Promise<Response> {
	return present(c, await callCode(c.get("platform"), c.get("session"), (object) => take(object, callOf(c))));
}

function present(c: Context<AppEnv>, { answer }: Replayable<OnboardingAnswer>): Response {
	if (answer.kind === "rejected") return frameRejection(c, answer.rejection);
	const { terms } = c.get("platform").settings;
	return c.json({ success: true, data: presentState(answer, terms, c.get("session")) }, 200);
}

export function callOf(c: Context<AppEnv>): OnboardingCall {
	const { id: session, partnerId, code } = c.get("session");
	const actor = `widget:${session}` as const;
	return { session, partnerId, code, actor, requestId: c.get("requestId"), idempotency: null };
}

export function frameRejection(c: Context<AppEnv>, rejection: Rejection): Response {
	// The partner's key must not reach the holder.
	if (rejection.reason === "unauthorized") return errorAnswer(c, "session_unauthorized");
	return rejectionAnswer(c, rejection);
}

function tooMany(c: Context<AppEnv>, seconds: number, quota: number): Response {
	c.header("Retry-After", String(Math.max(1, seconds)));
	return errorAnswer(c, "rate_limit_exceeded", { values: { quota } });
}

/**
 * The claim's Idempotency-Key follows from token and PIN: the holder can download again until the session ends, and a
 * mistyped PIN keeps no answer from the right one.
 */
async function claimKey(c: Context<AppEnv>, pin: string): Promise<IdempotentCall> {
	const { index, settings } = c.get("platform");
	const { id, partnerId, locale } = c.get("session");
	const token = bearerToken(c);
	const [keyId, callerKey] = await Promise.all([
		index.of("onboarding-claim", partnerId, id, token, pin),
		deriveCallerKey(settings.indexKey, partnerId, `${token} ${pin}`),
	]);
	return { keyId, fingerprint: keyId, callerKey, language: locale };
}

/** Reads the body of a call that is in no OpenAPI document: 400 as everywhere. */
function validJson<Schema extends z.ZodType>(schema: Schema) {
	return validator("json", (sent: unknown, c): z.output<Schema> | Response => {
		const read = schema.safeParse(sent);
		return read.success ? read.data : refuseInvalid(c, read.error.issues, sent);
	});
}
