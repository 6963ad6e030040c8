import type { Answer, Partner, Settings } from "../../support/service.ts";
import { call } from "../../support/service.ts";
import { endSession, frame, type Made, makeSession, TERMS } from "../../support/widget.ts";
import type { Fixture } from "./fixture.ts";

/* Steps of partners, the frame and the holder's browser in a session, which is looked up by its code. */

const sessions = new Map<string, Made>();

function widget(fixture: Fixture, partner: Partner, pCode: string, act: () => Promise<Answer>) {
	return fixture.call("widget", act, { partner, pCode });
}

/** The code's session is this one from now on, if it was made. */
export async function make(
	fixture: Fixture,
	pCode: string,
	headers: Record<string, string> = {},
): Promise<Answer> {
	const { partner } = fixture.codes.get(pCode)!;
	const answer = await widget(fixture, partner, pCode, () => makeSession(partner, pCode, {}, headers));
	if (answer.status !== 201) return answer;
	const { session_id: session, token } = answer.body.data;
	fixture.secrets.add(token);
	sessions.set(pCode, { partner, pCode, session, token });
	return answer;
}

export async function made(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await fixture.code(partner);
	await make(fixture, pCode);
	return pCode;
}

/** A session whose holder has typed everything. */
export async function typed(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await made(fixture, partner);
	await type(fixture, pCode);
	return pCode;
}

function type(fixture: Fixture, pCode: string): Promise<Answer> {
	const { dni, serialNumber, email } = fixture.codes.get(pCode)!.holder;
	return step(fixture, pCode, "PUT", "/answers", { dni, ...(serialNumber && { serialNumber }), email });
}

/** Types the answers of a holder who signs on instead of showing a card; the sign-on is still to come. */
export async function typedInFull(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await made(fixture, partner);
	const { dni, email } = fixture.codes.get(pCode)!.holder;
	const name: Settings = { names: `Titular ${dni.slice(0, -2)}`, fLastname: "Prueba", phone: "+56912345678" };
	await step(fixture, pCode, "PUT", "/answers", { dni, email, ...name });
	return pCode;
}

/** Signed on with the provider; the window has not come back yet. */
export async function away(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await typedInFull(fixture, partner);
	await leave(fixture, pCode);
	return pCode;
}

const brought = new Map<string, URLSearchParams>();

export function beginSignOn(fixture: Fixture, pCode: string): Promise<Answer> {
	return step(fixture, pCode, "POST", "/sign_on");
}

/** Begins a sign-on and goes through the provider's page. */
async function leave(fixture: Fixture, pCode: string): Promise<void> {
	const { body } = await beginSignOn(fixture, pCode);
	const { hash } = new URL(body.data.authorize_url);
	const choice = new URLSearchParams({ rut: fixture.codes.get(pCode)!.holder.dni });
	const page = `/sandbox/openid/authorize?${hash.slice(1)}`;
	const { headers } = await call("POST", page, { body: choice });
	brought.set(pCode, new URL(headers.get("location")!).searchParams);
}

/** The window comes back with what the provider gave it: a page's answer. */
export function comeBack(fixture: Fixture, pCode: string): Promise<Answer> {
	const { partner } = fixture.codes.get(pCode)!;
	const headers = { "sec-fetch-site": "same-origin" };
	const body = brought.get(pCode)!;
	const act = () => call("POST", "/widget/sign_on/callback", { headers, body });
	return fixture.call("sign-on", act, { partner, pCode });
}

export async function signOn(fixture: Fixture, pCode: string): Promise<Answer> {
	await leave(fixture, pCode);
	return comeBack(fixture, pCode);
}

export async function submitted(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await typed(fixture, partner);
	await submit(fixture, pCode);
	return pCode;
}

export function step(
	fixture: Fixture,
	pCode: string,
	method: "GET" | "POST" | "PUT",
	path = "",
	body?: unknown,
) {
	const session = sessions.get(pCode)!;
	return widget(fixture, session.partner, pCode, () => frame(session, method, path, body));
}

export function submit(fixture: Fixture, pCode: string): Promise<Answer> {
	const { pin } = fixture.codes.get(pCode)!.holder;
	return step(fixture, pCode, "POST", "/submit", { pin, terms_version: TERMS });
}

/** The PFX leaves with it. */
export async function claim(fixture: Fixture, pCode: string): Promise<Answer> {
	const answer = await step(fixture, pCode, "POST", "/claim", { pin: fixture.codes.get(pCode)!.holder.pin });
	if (answer.status === 200)
		fixture.left.push({ pCode, serial: answer.body.data.serialNumber, how: "claim" });
	return answer;
}

export function end(fixture: Fixture, pCode: string): Promise<Answer> {
	const session = sessions.get(pCode)!;
	return widget(fixture, session.partner, pCode, () => endSession(session));
}
