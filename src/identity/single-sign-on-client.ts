import * as z from "zod";
import { callUpstream, type Fetcher, UPSTREAM_TIMEOUT_MS } from "./call-upstream.ts";
import type { SingleSignOn, SingleSignOnAnswer } from "./ports.ts";

interface SingleSignOnClientOptions {
	fetcher: Fetcher;
	/** Absolute URL before `/openid/userinfo`, with or without a trailing slash. */
	baseUrl: string;
	/** Deadline of one attempt in milliseconds, including reading the answer. Default 8,000. */
	timeoutMs?: number;
}

/** RFC 6750 §2.1, b64token: what may follow `Bearer`. */
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Longer credentials exceed the header limits of common servers, whose 400 or 431 would look like an outage. */
const MAX_CREDENTIAL_CHARS = 8_000;

/** ClaveÚnica's userinfo. Other members (e-mail, phone) depend on the scopes granted and are ignored. */
const userinfo = z.object({
	sub: z.string().min(1).max(255),
	RolUnico: z.object({
		numero: z.int().min(1).max(99_999_999),
		DV: z.string().regex(/^[\dKk]$/),
		tipo: z.literal("RUN"),
	}),
	name: z.object({
		nombres: z.array(z.string()).min(1),
		apellidos: z.array(z.string()).min(1),
	}),
});

/**
 * ClaveÚnica's userinfo over HTTP (OpenID Connect Core §5.3). 401 and 403 reject the credential; one that cannot be
 * a header value is rejected without a call; any other answer than a well-formed 200 is `unavailable`.
 *
 * @throws TypeError when the URL is not absolute
 */
export function createSingleSignOnClient(options: SingleSignOnClientOptions): SingleSignOn {
	const { fetcher, baseUrl, timeoutMs = UPSTREAM_TIMEOUT_MS } = options;
	const url = new URL("openid/userinfo", `${baseUrl.replace(/\/+$/, "")}/`);

	return {
		async verify(credential) {
			if (credential.length > MAX_CREDENTIAL_CHARS || !BEARER_TOKEN.test(credential))
				return { kind: "rejected" };
			const headers = { accept: "application/json", authorization: `Bearer ${credential}` };
			const makeRequest = (signal: AbortSignal) => new Request(url, { headers, redirect: "manual", signal });
			const answer = await callUpstream({ fetcher, makeRequest, timeoutMs });
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
		},
	};
}

function readUserinfo(value: unknown): SingleSignOnAnswer {
	const parsed = userinfo.safeParse(value);
	if (!parsed.success) {
		const where = parsed.error.issues[0]?.path.join(".") || "the top level";
		return { kind: "unavailable", reason: "format", detail: `userinfo is not ClaveÚnica's at ${where}` };
	}
	const { sub, RolUnico } = parsed.data;
	return { kind: "verified", rut: `${RolUnico.numero}-${RolUnico.DV.toUpperCase()}`, subject: sub };
}
