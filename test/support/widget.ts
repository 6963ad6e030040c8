import { storedIn } from "./look-inside.ts";
import { type Answer, call, JUANA, Partner, type Settings, withJson } from "./service.ts";

/* The widget as a partner's server and the frame call it. */

const SESSIONS = "/api/partners/v1/onboarding_sessions";

/** A session made by its partner, and its token. */
export interface Made {
	partner: Partner;
	pCode: string;
	session: string;
	token: string;
}

export function makeSession(
	partner: Partner,
	pCode: string,
	fields: Settings = {},
	headers: Record<string, string> = {},
): Promise<Answer> {
	return partner.post(SESSIONS, { p_code: pCode, referenceId: "order-1001", ...fields }, headers);
}

/** A session of a fresh code. */
export async function session(settings: Settings = {}, fields: Settings = {}): Promise<Made> {
	const partner = await Partner.create(settings);
	return sessionOf(partner, await partner.code(), fields);
}

export async function sessionOf(partner: Partner, pCode: string, fields: Settings = {}): Promise<Made> {
	const { status, body, text } = await makeSession(partner, pCode, fields);
	if (status !== 201) throw new Error(`the session was not made: ${status} ${text}`);
	return { partner, pCode, session: body.data.session_id, token: body.data.token };
}

/** Sessions of whose holder the code's object has something. */
export async function progressOf({ partner, pCode }: Pick<Made, "partner" | "pCode">): Promise<string[]> {
	const kept = Object.keys(await storedIn(partner, pCode));
	return kept.flatMap((key) => key.match(/^onboarding:(.*)/)?.[1] ?? []);
}

export function showSession({ partner, session }: Made): Promise<Answer> {
	return partner.get(`${SESSIONS}/${session}`);
}

export function endSession({ partner, session }: Made): Promise<Answer> {
	return call("DELETE", `${SESSIONS}/${session}`, { headers: { "x-gw": partner.key } });
}

/** A call of the frame. @param path - after the session's own path */
export function frame(
	{ session, token }: Pick<Made, "session" | "token">,
	method: "GET" | "POST" | "PUT",
	path = "",
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const all = { authorization: `Bearer ${token}`, ...headers };
	return call(method, `/widget/v1/sessions/${session}${path}`, withJson(all, body));
}

/** JUANA's answers in the reduced flow. */
export const TYPED = { dni: JUANA.dni, serialNumber: JUANA.serialNumber, email: JUANA.email };
export const TERMS = "2026-11";

/** Opens the session and types all that is asked. */
export async function typeAll(made: Made, typed: Settings = TYPED): Promise<void> {
	const opened = await frame(made, "POST", "/open");
	const saved = await frame(made, "PUT", "/answers", typed);
	if (opened.status !== 200 || saved.status !== 200) throw new Error(`${opened.text} ${saved.text}`);
}

/** A session of a fresh code, opened, with {@link TYPED}. */
export async function typedSession(settings: Settings = {}, fields: Settings = {}): Promise<Made> {
	const made = await session(settings, fields);
	await typeAll(made);
	return made;
}

export function submit(made: Made, fields: Settings = {}): Promise<Answer> {
	return frame(made, "POST", "/submit", { pin: JUANA.pin, terms_version: TERMS, ...fields });
}

export function claim(made: Made, pin: string = JUANA.pin): Promise<Answer> {
	return frame(made, "POST", "/claim", { pin });
}
