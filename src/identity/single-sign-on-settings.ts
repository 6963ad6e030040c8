/** How the service reaches the single sign-on, and as whom. */
export interface SingleSignOnSettings {
	/** Absolute URL before `/openid/token` and `/openid/userinfo`, with or without a trailing slash. */
	serverUrl: string;
	/** The same before `/openid/authorize`, as a holder's browser reaches it. */
	browserUrl: string;
	clientId: string;
	clientSecret: string;
	takes: ReadonlySet<SignOnOption>;
}

/**
 * What a provider takes besides the code and the state: `nonce` (OpenID Connect Core §3.1.2.1), `pkce` (RFC 7636, S256),
 * and `slash`, paths that end in one.
 */
const SIGN_ON_OPTIONS = ["nonce", "pkce", "slash"] as const;
export type SignOnOption = (typeof SIGN_ON_OPTIONS)[number];

/** `nonce,pkce`, or empty. @returns null for any other text. */
export function readSignOnOptions(text: string): ReadonlySet<SignOnOption> | null {
	const names = text.split(",").map((name) => name.trim());
	const options = SIGN_ON_OPTIONS.filter((option) => names.includes(option));
	return options.length === names.filter(Boolean).length ? new Set(options) : null;
}
