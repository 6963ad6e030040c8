import * as z from "zod";

/* ClaveÚnica's answers (OpenID Connect Core §3.1.3.3, §5.3.2). Further members are ignored. */

/** RFC 6750 §2.1, b64token: what may follow `Bearer`. */
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Longer credentials exceed the header limits of common servers, whose 400 or 431 would look like an outage. */
const MAX_CREDENTIAL_CHARS = 8_000;

export const bearerToken = z.string().max(MAX_CREDENTIAL_CHARS).regex(BEARER_TOKEN);

/** Other members (e-mail, phone) depend on the scopes granted. */
export const userinfo = z.object({
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

export const tokenAnswer = z.object({
	access_token: bearerToken,
	token_type: z.string().regex(/^bearer$/i),
	/** Seconds. */
	expires_in: z.number().positive().max(86_400_000).optional(),
	id_token: z.string().optional(),
});

const idTokenClaims = z.object({
	sub: z.string(),
	aud: z.union([z.string(), z.array(z.string())]),
	nonce: z.string(),
});

/**
 * Reads the claims of an ID token from the token endpoint itself. TLS replaces a check of its signature there (OpenID
 * Connect Core §3.1.3.7, 6).
 * @returns null when it is none
 */
export function readIdToken(token: string | undefined): z.output<typeof idTokenClaims> | null {
	const [, payload = ""] = token?.split(".") ?? [];
	try {
		const bytes = Uint8Array.fromBase64(payload, { alphabet: "base64url" });
		return idTokenClaims.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
	} catch {
		return null;
	}
}
