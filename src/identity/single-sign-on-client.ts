import type * as z from "zod";
import { callUpstream, type Fetcher, UPSTREAM_TIMEOUT_MS } from "./call-upstream.ts";
import type { NoAnswer, SignOnAnswer, SignOnSecrets, SingleSignOn, SingleSignOnAnswer } from "./ports.ts";
import type { SingleSignOnSettings } from "./single-sign-on-settings.ts";
import { bearerToken, readIdToken, tokenAnswer, userinfo } from "./single-sign-on-wire.ts";

interface SingleSignOnClientOptions extends SingleSignOnSettings {
	fetcher: Fetcher;
	/** Address to which the provider sends the browser back, as registered there. */
	redirectUri: string;
	/** Deadline of one attempt in milliseconds, including reading the answer. Default 8,000. */
	timeoutMs?: number;
}

/** `run` brings RolUnico, `name` the names. */
const SCOPE = "openid run name";

/**
 * ClaveÚnica over HTTP: the sign-on of a browser by authorization code (OpenID Connect Core §3.1) and userinfo (§5.3).
 * 401 and 403 of userinfo reject the credential, a 400 of the token endpoint the code; one that cannot be a header
 * value is rejected without a call; any other answer than a well-formed 200 is `unavailable`.
 *
 * @throws TypeError when a URL is not absolute
 */
export function createSingleSignOnClient(options: SingleSignOnClientOptions): SingleSignOn {
	const { fetcher, serverUrl, browserUrl, clientId, clientSecret, redirectUri, takes } = options;
	const { timeoutMs = UPSTREAM_TIMEOUT_MS } = options;
	const at = (base: string, name: string) =>
		new URL(`openid/${name}${takes.has("slash") ? "/" : ""}`, `${base.replace(/\/+$/, "")}/`);
	const urls = {
		authorize: at(browserUrl, "authorize").href,
		token: at(serverUrl, "token"),
		userinfo: at(serverUrl, "userinfo"),
	};
	const post = (url: URL, headers: Record<string, string>, body: URLSearchParams | null) => {
		const init = {
			method: "POST",
			headers: { accept: "application/json", ...headers },
			redirect: "manual",
		} as const;
		return callUpstream({
			fetcher,
			timeoutMs,
			makeRequest: (signal) => new Request(url, { ...init, body, signal }),
		});
	};

	const verify = async (credential: string): Promise<SingleSignOnAnswer> => {
		if (!bearerToken.safeParse(credential).success) return { kind: "rejected" };
		const answer = await post(urls.userinfo, { authorization: `Bearer ${credential}` }, null);
		switch (answer.kind) {
			case "json":
				return readUserinfo(answer.value);
			case "status":
				return answer.status === 401 || answer.status === 403
					? { kind: "rejected" }
					: { kind: "unavailable", reason: "status", detail: `status ${answer.status}` };
			case "unavailable":
				return answer;
		}
	};

	/** `sub` is null where the provider takes no nonce: then no ID token says for whom it was made. */
	const exchange = async (code: string, state: string, { nonce, codeVerifier }: SignOnSecrets) => {
		const body = new URLSearchParams({
			grant_type: "authorization_code",
			client_id: clientId,
			client_secret: clientSecret,
			redirect_uri: redirectUri,
			code,
			// RFC 6749 has none here; ClaveÚnica's guide does, and who does not know it ignores it (§3.2).
			state,
			...(codeVerifier !== null && { code_verifier: codeVerifier }),
		});
		const answer = await post(urls.token, {}, body);
		if (answer.kind === "unavailable") return answer;
		if (answer.kind === "status")
			return answer.status === 400
				? ({ kind: "rejected" } as const)
				: noAnswer("status", `token: status ${answer.status}`);
		const { data, error } = tokenAnswer.safeParse(answer.value);
		if (error) return noAnswer("format", `token is not ClaveÚnica's at ${placeOf(error)}`);
		const { access_token: credential, expires_in: seconds } = data;
		const granted = { kind: "granted", credential, validForMs: seconds ? seconds * 1000 : null } as const;
		if (nonce === null) return { ...granted, sub: null };
		const claims = readIdToken(data.id_token);
		if (claims?.nonce !== nonce || ![claims.aud].flat().includes(clientId))
			return noAnswer("format", "token: the ID token is not for this sign-on");
		return { ...granted, sub: claims.sub };
	};

	return {
		authorizeUrl: urls.authorize,
		verify,
		async begin(state) {
			const nonce = takes.has("nonce") ? random() : null;
			const codeVerifier = takes.has("pkce") ? random() : null;
			const query = new URLSearchParams({
				response_type: "code",
				client_id: clientId,
				redirect_uri: redirectUri,
				scope: SCOPE,
				state,
				...(nonce !== null && { nonce }),
				...(codeVerifier !== null && {
					code_challenge: await challengeOf(codeVerifier),
					code_challenge_method: "S256",
				}),
			});
			return { query: query.toString(), secrets: { nonce, codeVerifier } };
		},
		async finish(code, state, secrets): Promise<SignOnAnswer> {
			const granted = await exchange(code, state, secrets);
			if (granted.kind !== "granted") return granted;
			const { credential, validForMs, sub } = granted;
			const answer = await verify(credential);
			if (answer.kind !== "verified") return answer;
			// OpenID Connect Core §5.3.2: otherwise userinfo must not be used.
			if (sub !== null && sub !== answer.subject)
				return noAnswer("format", "userinfo is of another subject than the ID token");
			return { ...answer, credential, validForMs };
		},
	};
}

/** RFC 7636 §4.2. */
export async function challengeOf(codeVerifier: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
	return base64url(new Uint8Array(digest));
}

/** 256 bits, 43 characters: what RFC 7636 §4.1 asks of a verifier. */
function random(): string {
	return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes: Uint8Array): string {
	return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function readUserinfo(value: unknown): SingleSignOnAnswer {
	const { data, error } = userinfo.safeParse(value);
	if (error) return noAnswer("format", `userinfo is not ClaveÚnica's at ${placeOf(error)}`);
	const { sub, RolUnico } = data;
	return { kind: "verified", rut: `${RolUnico.numero}-${RolUnico.DV.toUpperCase()}`, subject: sub };
}

function placeOf({ issues }: z.ZodError): string {
	return issues[0]?.path.join(".") || "the top level";
}

function noAnswer(reason: NoAnswer["reason"], detail: string): NoAnswer {
	return { kind: "unavailable", reason, detail };
}
