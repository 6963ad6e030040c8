import { env } from "cloudflare:workers";
import type { Fetcher } from "../../../src/identity/call-upstream.ts";
import { createSingleSignOnClient } from "../../../src/identity/single-sign-on-client.ts";
import type { SignOnOption } from "../../../src/identity/single-sign-on-settings.ts";

/** The service's client, as the local settings have it, of a single sign-on that the caller brings. */
export function singleSignOnOf(
	fetcher: Fetcher,
	change: { clientSecret?: string; redirectUri?: string } = {},
) {
	return createSingleSignOnClient({
		fetcher,
		serverUrl: "https://sso.sandbox",
		browserUrl: `${env.PUBLIC_URL}/sandbox`,
		redirectUri: `${env.PUBLIC_URL}/widget/sign_on/callback`,
		clientId: env.SINGLE_SIGN_ON_CLIENT_ID,
		clientSecret: env.SINGLE_SIGN_ON_CLIENT_SECRET,
		takes: new Set<SignOnOption>(["nonce", "pkce"]),
		...change,
	});
}
