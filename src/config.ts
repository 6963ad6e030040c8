import type { OutboundPolicy } from "./delivery/outbound-url.ts";
import { readRut } from "./domain/rut.ts";
import type { AuthoritySettings } from "./x509/issuing-authority.ts";

/** What wrangler.toml and the secrets put into the Worker's environment, unchecked. README, "Settings". */
export interface Bindings {
	DB: D1Database;
	PURCHASE_CODES: DurableObjectNamespace;
	PARTNERS: DurableObjectNamespace;
	EVIDENCE: R2Bucket;
	/** The published CRL. */
	PKI: R2Bucket;
	BULK_RATE: RateLimit;
	CALL_RATE: RateLimit;
	DELIVERIES: Queue<{ id: string }>;
	EMAIL: SendEmail;
	/** Which version runs, bound in dev and prod. */
	VERSION?: WorkerVersionMetadata;
	/** Counters, bound in dev and prod. */
	METRICS?: AnalyticsEngineDataset;
	/** The sandbox, bound in local and dev only. */
	CIVIL_REGISTRY?: Fetcher;
	SINGLE_SIGN_ON?: Fetcher;

	ENVIRONMENT: string;
	PUBLIC_URL: string;
	CIVIL_REGISTRY_URL: string;
	SINGLE_SIGN_ON_URL: string;
	AUTHORITY_RUT: string;
	POLICY_OID: string;
	CPS_URL: string;
	EMAIL_FROM: string;
	/** "1" lets webhooks go to http on loopback; legal in local only. */
	ALLOW_LOOPBACK_WEBHOOKS?: string;

	SEALING_KEYS: string;
	INDEX_KEY: string;
	PIN_PEPPER: string;
	ISSUING_KEY: string;
	ISSUING_CERTIFICATE: string;
	ROOT_CERTIFICATE: string;
	OCSP_KEY: string;
	OCSP_CERTIFICATE: string;
	CIVIL_REGISTRY_TOKEN?: string;
	OPS_TOKEN?: string;
}

/** The same, checked and decoded. */
export interface Settings {
	environment: "local" | "dev" | "prod";
	publicUrl: string;
	sealingKeys: ReadonlyMap<string, Uint8Array>;
	indexKey: Uint8Array;
	pinPepper: Uint8Array;
	/** Null: the ops group does not exist. */
	opsToken: string | null;
	registry: { baseUrl: string; token: string | null };
	singleSignOn: { baseUrl: string };
	/** Where webhooks may go. */
	outbound: OutboundPolicy;
	/** Sender of the service's e-mails. */
	emailFrom: string;
	authority: AuthoritySettings;
	/** The delegated responder: base64 PKCS#8 and base64 DER. */
	ocsp: { key: string; certificate: string };
}

/** A setting that is missing, weak, or not allowed beside another; the message names it, never its value. */
export class ConfigError extends Error {
	readonly setting: string;
	constructor(setting: string, problem: string) {
		super(`${setting} ${problem}`);
		this.setting = setting;
	}
}

const SECRET_OCTETS = 32;
const OPS_TOKEN_CHARACTERS = 32;

/** @throws {ConfigError} on the first setting that must not be served with. */
export function readSettings(env: Bindings): Settings {
	const environment = oneOf("ENVIRONMENT", env.ENVIRONMENT, ["local", "dev", "prod"] as const);
	const publicUrl = url("PUBLIC_URL", env.PUBLIC_URL, environment);
	if (environment === "prod") refuseSandbox(env);
	return {
		environment,
		publicUrl,
		sealingKeys: sealingKeys(env.SEALING_KEYS),
		indexKey: secret("INDEX_KEY", env.INDEX_KEY),
		pinPepper: secret("PIN_PEPPER", env.PIN_PEPPER),
		opsToken: opsToken(env.OPS_TOKEN),
		registry: {
			baseUrl: upstream("CIVIL_REGISTRY_URL", env.CIVIL_REGISTRY_URL, environment),
			token: environment === "prod" ? text("CIVIL_REGISTRY_TOKEN", env.CIVIL_REGISTRY_TOKEN) : null,
		},
		singleSignOn: { baseUrl: upstream("SINGLE_SIGN_ON_URL", env.SINGLE_SIGN_ON_URL, environment) },
		outbound: {
			ownHost: new URL(publicUrl).host,
			allowLoopback: allowLoopback(env.ALLOW_LOOPBACK_WEBHOOKS, environment),
		},
		emailFrom: emailAddress("EMAIL_FROM", env.EMAIL_FROM),
		authority: {
			key: text("ISSUING_KEY", env.ISSUING_KEY),
			certificate: text("ISSUING_CERTIFICATE", env.ISSUING_CERTIFICATE),
			root: text("ROOT_CERTIFICATE", env.ROOT_CERTIFICATE),
			rut: rut("AUTHORITY_RUT", env.AUTHORITY_RUT),
			policyOid: text("POLICY_OID", env.POLICY_OID),
			cpsUrl: text("CPS_URL", env.CPS_URL),
			pkiBaseUrl: `${publicUrl}/pki`,
		},
		ocsp: {
			key: text("OCSP_KEY", env.OCSP_KEY),
			certificate: text("OCSP_CERTIFICATE", env.OCSP_CERTIFICATE),
		},
	};
}

function refuseSandbox(env: Bindings): void {
	if (env.CIVIL_REGISTRY)
		throw new ConfigError("CIVIL_REGISTRY", "binds the sandbox, which prod must not answer from");
	if (env.SINGLE_SIGN_ON)
		throw new ConfigError("SINGLE_SIGN_ON", "binds the sandbox, which prod must not answer from");
}

function text(name: string, value: string | undefined): string {
	if (typeof value !== "string" || value.trim() === "") throw new ConfigError(name, "is missing");
	return value.trim();
}

function rut(name: string, value: string | undefined): string {
	const reading = readRut(text(name, value));
	if (!reading.ok) throw new ConfigError(name, "is not a RUT with its right check digit");
	return reading.rut;
}

function oneOf<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T {
	const found = allowed.find((candidate) => candidate === value);
	if (!found) throw new ConfigError(name, `must be one of ${allowed.join(", ")}`);
	return found;
}

function url(name: string, value: string | undefined, environment: Settings["environment"]): string {
	const parsed = URL.parse(text(name, value));
	if (!parsed) throw new ConfigError(name, "is not a URL");
	if (environment !== "local" && parsed.protocol !== "https:") throw new ConfigError(name, "must be https");
	return parsed.href.replace(/\/+$/, "");
}

/** In local and dev the upstream is a service binding, and its URL never leaves the machine. */
function upstream(name: string, value: string | undefined, environment: Settings["environment"]): string {
	const href = url(name, value, environment === "prod" ? "prod" : "local");
	if (environment === "prod" && new URL(href).hostname.endsWith(".sandbox"))
		throw new ConfigError(name, "points at the sandbox, which prod must not answer from");
	return href;
}

/** Base64 of 32 octets or more that look random: a key of one repeated letter is refused. */
function secret(name: string, value: string | undefined): Uint8Array {
	let octets: Uint8Array;
	try {
		octets = Uint8Array.fromBase64(text(name, value));
	} catch (error) {
		throw error instanceof ConfigError ? error : new ConfigError(name, "is not base64");
	}
	if (octets.length < SECRET_OCTETS || new Set(octets).size < SECRET_OCTETS / 2)
		throw new ConfigError(name, `is weak: give the base64 of ${SECRET_OCTETS} random octets`);
	return octets;
}

/** `id:base64[,id:base64…]`: the first key seals, the others still open. */
function sealingKeys(value: string | undefined): ReadonlyMap<string, Uint8Array> {
	const keys = new Map<string, Uint8Array>();
	for (const entry of text("SEALING_KEYS", value).split(",")) {
		const [id = "", key = ""] = entry.trim().split(":");
		if (!/^[a-z0-9]{1,16}$/.test(id) || keys.has(id))
			throw new ConfigError("SEALING_KEYS", "must read id:base64[,id:base64…], each id once, a-z and 0-9");
		keys.set(id, secret("SEALING_KEYS", key).subarray(0, SECRET_OCTETS));
	}
	return keys;
}

function opsToken(value: string | undefined): string | null {
	if (value === undefined || value === "") return null;
	if (!/^[\x21-\x7e]+$/.test(value))
		throw new ConfigError("OPS_TOKEN", "cannot be sent: give visible ASCII characters only");
	if (value.length < OPS_TOKEN_CHARACTERS || new Set(value).size < 8)
		throw new ConfigError("OPS_TOKEN", `is weak: give ${OPS_TOKEN_CHARACTERS} random characters or more`);
	return value;
}

function allowLoopback(value: string | undefined, environment: Settings["environment"]): boolean {
	if (value === undefined || value === "") return false;
	if (environment !== "local") throw new ConfigError("ALLOW_LOOPBACK_WEBHOOKS", "is for local only");
	if (value !== "1") throw new ConfigError("ALLOW_LOOPBACK_WEBHOOKS", 'must be "1" or left out');
	return true;
}

function emailAddress(name: string, value: string | undefined): string {
	const address = text(name, value);
	if (!/^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(address))
		throw new ConfigError(name, "is not an e-mail address");
	return address;
}
