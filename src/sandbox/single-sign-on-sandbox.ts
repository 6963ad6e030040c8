import { WorkerEntrypoint } from "cloudflare:workers";
import type { Bindings } from "../bindings.ts";
import { clock } from "../clock.ts";
import { challengeOf } from "../identity/single-sign-on-client.ts";
import { findIdentity } from "./identities.ts";
import { pause } from "./pause.ts";
import { type SignedIn, spendCode } from "./single-sign-on-codes.ts";

/** The client that the sandbox knows: the service itself. */
export type SandboxClient = Pick<
	Bindings,
	"PUBLIC_URL" | "SINGLE_SIGN_ON_CLIENT_ID" | "SINGLE_SIGN_ON_CLIENT_SECRET"
>;

const SLOW_MS = 4_000;
const EXPIRES_IN = 3_600;

/** The single sign-on of local and dev deployments, bound as a service. Answers as ClaveÚnica does. */
export class SingleSignOnSandbox extends WorkerEntrypoint<Bindings> {
	override async fetch(request: Request): Promise<Response> {
		return answerServer(request, this.env);
	}
}

/** `/openid/token` and `/openid/userinfo`, with a slash at the end or without. */
export async function answerServer(request: Request, client: SandboxClient): Promise<Response> {
	const path = new URL(request.url).pathname.replace(/\/$/, "");
	if (path === "/openid/userinfo")
		return ["GET", "POST"].includes(request.method) ? answerUserinfo(request) : notAllowed("GET, POST");
	if (path === "/openid/token")
		return request.method === "POST" ? answerToken(request, client) : notAllowed("POST");
	return new Response(null, { status: 404 });
}

/** Address to which the sign-in page may send a browser. */
export function redirectUriOf({ PUBLIC_URL }: SandboxClient): string {
	return `${PUBLIC_URL}/widget/sign_on/callback`;
}

/** RFC 6749 §4.1.3, §5.2: a code once, within its 60 s, for the client and the redirect address that it was made for. */
async function answerToken(request: Request, client: SandboxClient): Promise<Response> {
	const sent = await request.formData().catch(() => new FormData());
	if (sent.get("grant_type") !== "authorization_code") return oauthError(400, "unsupported_grant_type");
	const isClient =
		sent.get("client_id") === client.SINGLE_SIGN_ON_CLIENT_ID &&
		sent.get("client_secret") === client.SINGLE_SIGN_ON_CLIENT_SECRET;
	if (!isClient) return oauthError(401, "invalid_client");
	const signedIn = await spendCode(String(sent.get("code")));
	const isFor =
		signedIn !== null &&
		signedIn.clientId === sent.get("client_id") &&
		signedIn.redirectUri === sent.get("redirect_uri") &&
		signedIn.codeChallenge === (await challengeSent(sent));
	if (!isFor) return oauthError(400, "invalid_grant");
	if (signedIn.behaviour === "answers_503") return new Response(null, { status: 503 });
	if (signedIn.behaviour === "slow") await pause(SLOW_MS, request.signal);
	return Response.json({
		access_token: `sso-${signedIn.rut}`,
		token_type: "bearer",
		expires_in: EXPIRES_IN,
		id_token: idToken(signedIn),
	});
}

async function challengeSent(sent: FormData): Promise<string | null> {
	const verifier = sent.get("code_verifier");
	return verifier === null ? null : challengeOf(String(verifier));
}

/** Unsigned: who gets it has it from the token endpoint itself. */
function idToken({ rut, clientId, nonce }: SignedIn): string {
	const iat = Math.floor(clock() / 1000);
	const claims = { iss: "sandbox", sub: subjectOf(rut), aud: clientId, iat, exp: iat + EXPIRES_IN, nonce };
	const encode = (part: object) =>
		new TextEncoder().encode(JSON.stringify(part)).toBase64({ alphabet: "base64url", omitPadding: true });
	return `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.`;
}

/** `sso-<RUT>` is the credential of that sandbox identity, `sso-down` an outage. */
function answerUserinfo(request: Request): Response {
	const credential = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
	if (credential === "sso-down") return new Response(null, { status: 503 });
	const identity = credential.startsWith("sso-") ? findIdentity(credential.slice("sso-".length)) : null;
	if (identity === null) {
		return new Response(null, {
			status: 401,
			headers: { "www-authenticate": 'Bearer error="invalid_token"' },
		});
	}

	const [numero = "", DV = ""] = identity.rut.split("-");
	const { names, fatherSurname, motherSurname } = identity.person;
	return Response.json({
		sub: subjectOf(identity.rut),
		RolUnico: { numero: Number(numero), DV, tipo: "RUN" },
		name: {
			nombres: names.split(" "),
			apellidos: motherSurname === null ? [fatherSurname] : [fatherSurname, motherSurname],
		},
	});
}

function subjectOf(rut: string): string {
	return rut.replace(/-.$/, "");
}

function oauthError(status: 400 | 401, error: string): Response {
	return Response.json({ error }, { status });
}

function notAllowed(allow: string): Response {
	return new Response(null, { status: 405, headers: { allow } });
}
