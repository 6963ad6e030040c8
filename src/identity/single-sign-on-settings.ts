/** Addresses of the single sign-on and this service's credentials there. */
export interface SingleSignOnSettings {
	/** Absolute URL before `/openid/token` and `/openid/userinfo`, with or without a trailing slash. */
	serverUrl: string;
	/** Base address of `/openid/authorize` as a holder's browser reaches it. */
	browserUrl: string;
	clientId: string;
	clientSecret: string;
	takes: ReadonlySet<SignOnOption>;
}

/**
 * Options of a provider besides code and state: `nonce` (OpenID Connect Core §3.1.2.1), `pkce` (RFC 7636, S256), and
 * `slash` for paths that end in one.
 */
const SIGN_ON_OPTIONS = ["nonce", "pkce", "slash"] as const;
export type SignOnOption = (typeof SIGN_ON_OPTIONS)[number];

/** `nonce,pkce`, or empty. @returns null for any other text. */
export function readSignOnOptions(text: string): ReadonlySet<SignOnOption> | null {
	const names = text.split(",").map((name) => name.trim());
	const options = SIGN_ON_OPTIONS.filter((option) => names.includes(option));
	return options.length === names.filter(Boolean).length ? new Set(options) : null;
}
