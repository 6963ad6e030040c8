import { env } from "cloudflare:workers";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Bindings } from "../../src/bindings.ts";
import { createAuthoritySettings } from "./authority-settings.ts";

/** Token of ana, who has every role. */
export const TOKEN = "Zk3v9QmX7tLr2WcB8nHd5YpJ4sGf6RaE";

/** A prod environment that is as it must be, but for the authority, whose test certificates prod refuses. */
export const PROD: Partial<Record<keyof Bindings, unknown>> = {
	...env,
	ENVIRONMENT: "prod",
	PUBLIC_URL: "https://certificates.example",
	PKI_URL: "http://pki.certificates.example/pki",
	CIVIL_REGISTRY_URL: "https://civil-registry.example/api",
	SINGLE_SIGN_ON_URL: "https://accounts.example",
	SINGLE_SIGN_ON_BROWSER_URL: "https://accounts.example",
	SINGLE_SIGN_ON_CLIENT_SECRET: "a-secret-of-the-sign-on",
	CPS_URL: "https://certificates.example/cps/",
	TERMS_URL: "https://certificates.example/docs/terms/",
	PRIVACY_URL: "https://certificates.example/docs/privacy/",
	CIVIL_REGISTRY_TOKEN: "registry-token-value",
	CIVIL_REGISTRY: undefined,
	SINGLE_SIGN_ON: undefined,
	ALLOW_LOOPBACK_WEBHOOKS: undefined,
	SEALING_KEYS: `k1:${randomKey()}`,
	INDEX_KEY: randomKey(),
	PIN_PEPPER: randomKey(),
	SERIAL_KEY: randomKey(),
	AUDIT_KEY: randomKey(),
	OPS_TOKEN: undefined,
	OPS_ROLES: "ana@example.cl:read+operate+evidence",
	OPS_TOKENS: `ana@example.cl:${bytesToHex(sha256(utf8ToBytes(TOKEN)))}`,
};

/** Creates a prod service with an authority that prod issues from. */
export async function createProd(): Promise<typeof PROD> {
	const { PKI_URL: pkiUrl } = PROD as { PKI_URL: string };
	return { ...PROD, ...(await createAuthoritySettings("Partner Certificates", { pkiUrl })) };
}

export function randomKey(): string {
	return crypto.getRandomValues(new Uint8Array(32)).toBase64();
}
