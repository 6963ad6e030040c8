import type { Redeemable } from "./calls.ts";
import type { Client } from "./client.ts";
import type { Answer, CallKind, SessionKey } from "./journal.ts";

/* The calls of the widget: a partner's server makes a session and may end it, the frame has its token for the rest. */

/** A session and the code that it is of. */
export interface Session extends Redeemable, SessionKey {}

const SESSIONS = "/api/partners/v1/onboarding_sessions";

interface SessionOptions {
	idempotencyKey: string | null;
	/** The partner says who the holder is. */
	withPrefill: boolean;
	/** B2C: the certificate leaves in the widget. */
	claims: boolean;
}

/** @returns the session, unless it was refused. */
export async function makeSession(
	client: Client,
	{ partner, code, holder }: Redeemable,
	{ idempotencyKey, withPrefill, claims }: SessionOptions,
): Promise<Session | null> {
	const body = {
		p_code: code,
		referenceId: `order-${code}`,
		...(partner.settings.mode === "B2C" && { claim: claims }),
		...(withPrefill && { prefill: { dni: holder.rut, email: holder.email } }),
	};
	const answer = await client.send({
		kind: "session",
		partner,
		method: "POST",
		path: SESSIONS,
		body: JSON.stringify(body),
		idempotencyKey,
		code,
	});
	if (answer.status !== 201) return null;
	const { session_id: id, token } = answer.body.data;
	return { partner, code, holder, id, token };
}

export function endSession(client: Client, { partner, code, id }: Session): Promise<Answer> {
	return client.send({ kind: "end-session", partner, method: "DELETE", path: `${SESSIONS}/${id}`, code });
}

function frame(
	client: Client,
	session: Session,
	[kind, method, path]: [CallKind, "POST" | "PUT", string],
	body?: object,
): Promise<Answer> {
	const { partner, code, id, token } = session;
	return client.send({
		kind,
		method,
		partner,
		code,
		session: { id, token },
		path: `/widget/v1/sessions/${id}${path}`,
		body: body === undefined ? null : JSON.stringify(body),
	});
}

export function open(client: Client, session: Session): Promise<Answer> {
	return frame(client, session, ["open", "POST", "/open"]);
}

export function save(client: Client, session: Session, answers: object): Promise<Answer> {
	return frame(client, session, ["answers", "PUT", "/answers"], answers);
}

/** @param terms - the version that is shown. */
export function submit(
	client: Client,
	session: Session,
	{ terms, isGuess = false }: { terms: string; isGuess?: boolean },
): Promise<Answer> {
	const body = { pin: session.holder.pin, terms_version: terms };
	return frame(client, session, [isGuess ? "wrong-submit" : "submit", "POST", "/submit"], body);
}

export function download(client: Client, session: Session): Promise<Answer> {
	return frame(client, session, ["download", "POST", "/claim"], { pin: session.holder.pin });
}

/** The holder's sign-on, in a window of its own: out to the sandbox's page, and back. */
export async function signOn(client: Client, session: Session): Promise<void> {
	const begun = await frame(client, session, ["sign-on", "POST", "/sign_on"]);
	if (begun.status !== 200) return;
	const { hash } = new URL(begun.body.data.authorize_url);
	const back = await client.follow(`/sandbox/openid/authorize?${hash.slice(1)}`, { rut: session.holder.rut });
	const { partner, code, id, token } = session;
	await client.send({
		kind: "callback",
		partner,
		method: "POST",
		path: "/widget/sign_on/callback",
		body: back.searchParams.toString(),
		code,
		session: { id, token },
		headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
	});
}
