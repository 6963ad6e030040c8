import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import * as z from "zod";
import type { AccessSettings } from "../api/ops/access.ts";
import type { Bindings } from "../bindings.ts";
import type { OutboundPolicy } from "../delivery/outbound-url.ts";
import { OPS_ROLES as EVERY_ROLE, type OpsToken, type RolesByName } from "../domain/operators.ts";
import type { SingleSignOnSettings } from "../identity/single-sign-on-settings.ts";
import type { AuthoritySettings } from "../x509/issuing-authority.ts";
import { type Brand, supportHours, supportPhone } from "./brand.ts";
import { ConfigError } from "./config-error.ts";
import { type RetiredSettings, readRetired } from "./retired-settings.ts";
import {
	EMAIL_ADDRESS,
	everybody,
	flag,
	frozen,
	isNoSandbox,
	localOnly,
	noFlag,
	opsRoles,
	opsToken,
	opsTokens,
	optional,
	pkiUrl,
	recipients,
	rut,
	SANDBOX,
	SANDBOX_URL,
	sealingKeys,
	secret,
	secrets,
	signOnClientSecret,
	signOnOptions,
	text,
	unread,
	url,
} from "./setting-fields.ts";
import { type IssuingKeyPlace, type OcspFiles, readKeyPlace } from "./signer-settings.ts";

/** Variables and secrets: every one is read below, or this file does not compile. */
type Variable = {
	[Name in keyof WranglerEnv]-?: WranglerEnv[Name] extends string ? Name : never;
}[keyof WranglerEnv];

/** Checked and decoded settings. */
export interface Settings {
	environment: "local" | "dev" | "prod";
	publicUrl: string;
	/** Address of everything under `/pki`, which it ends in: plain http, a host of its own but in local. */
	pkiUrl: string;
	sealingKeys: ReadonlyMap<string, Uint8Array>;
	indexKey: Uint8Array;
	pinPepper: Uint8Array;
	/** Masks the partners' numbers in serials; the one key that never changes. */
	serialKey: Uint8Array;
	/** The first authenticates audit rows, each verifies them. */
	auditKeys: readonly Uint8Array[];
	/** Nothing of partners is written: `DB` is being restored (docs/operators/restore.md). */
	frozen: boolean;
	/** Numbers of databases whose partners write nothing: each of them is being restored. */
	frozenDatabases: readonly number[];
	ops: OpsSettings;
	/** Address of `docs/operators` where operators read it; null: the console names its pages. */
	runbookUrl: string | null;
	registry: { baseUrl: string; token: string | null };
	singleSignOn: SingleSignOnSettings;
	/** Limits on the addresses of webhooks. */
	outbound: OutboundPolicy;
	brand: Brand;
	/** Sender of the service's e-mails. */
	emailFrom: string;
	/** Terms that a holder accepts in the widget, and their addresses. */
	terms: { version: string; termsUrl: string; privacyUrl: string };
	/** Allowed recipients: addresses and `@domain`s in lower case. Null: everybody. */
	emailRecipients: readonly string[] | null;
	authority: Omit<AuthoritySettings, "key">;
	issuingKey: IssuingKeyPlace;
	/** The delegated responder's files. Null: it renews itself through the signer. */
	ocsp: OcspFiles | null;
	/** The root's CRL, base64 DER. Null: made before the ceremony made one. */
	rootCrl: string | null;
	/** Issuing authorities that were replaced, the oldest first. */
	retired: readonly RetiredSettings[];
}

/** Ways into ops: a token or Cloudflare Access. With neither, the group does not exist. */
interface OpsSettings {
	tokens: readonly OpsToken[];
	access: AccessSettings | null;
	/** Roles of each operator, for either way in. */
	roles: RolesByName;
}

/** @throws {ConfigError} on the first setting that must not be served with. */
export function readSettings(env: Bindings): Settings {
	const { ENVIRONMENT: environment } = parse(z.object({ ENVIRONMENT }), env);
	const read = parse(variablesOf(environment), env);
	if (environment !== "local" && URL.parse(read.PKI_URL)?.hostname === URL.parse(read.PUBLIC_URL)?.hostname)
		throw new ConfigError("PKI_URL", "must have a host of its own: it answers /pki alone, over plain http");
	const { SIGNER } = env;
	const { issuing, ocsp } = readKeyPlace(read, { isBound: SIGNER !== undefined, environment });
	return {
		environment,
		frozen: read.FROZEN === "all",
		frozenDatabases: read.FROZEN === "all" ? [] : read.FROZEN,
		publicUrl: read.PUBLIC_URL,
		pkiUrl: read.PKI_URL,
		sealingKeys: read.SEALING_KEYS,
		indexKey: read.INDEX_KEY,
		pinPepper: read.PIN_PEPPER,
		serialKey: read.SERIAL_KEY,
		auditKeys: read.AUDIT_KEY,
		ops: opsSettings(read),
		runbookUrl: read.RUNBOOK_URL,
		registry: { baseUrl: read.CIVIL_REGISTRY_URL, token: read.CIVIL_REGISTRY_TOKEN },
		singleSignOn: {
			serverUrl: read.SINGLE_SIGN_ON_URL,
			browserUrl: read.SINGLE_SIGN_ON_BROWSER_URL,
			clientId: read.SINGLE_SIGN_ON_CLIENT_ID,
			clientSecret: read.SINGLE_SIGN_ON_CLIENT_SECRET,
			takes: read.SINGLE_SIGN_ON_TAKES,
		},
		outbound: { ownHost: new URL(read.PUBLIC_URL).host, allowLoopback: read.ALLOW_LOOPBACK_WEBHOOKS },
		brand: {
			name: read.SERVICE_NAME,
			email: read.SUPPORT_EMAIL,
			phone: read.SUPPORT_PHONE,
			hours: read.SUPPORT_HOURS,
		},
		emailFrom: read.EMAIL_FROM,
		terms: { version: read.TERMS_VERSION, termsUrl: read.TERMS_URL, privacyUrl: read.PRIVACY_URL },
		emailRecipients: read.EMAIL_RECIPIENTS,
		authority: {
			certificate: read.ISSUING_CERTIFICATE,
			root: read.ROOT_CERTIFICATE,
			rut: read.AUTHORITY_RUT,
			policyOid: read.POLICY_OID,
			cpsUrl: read.CPS_URL,
			pkiUrl: read.PKI_URL,
		},
		issuingKey: issuing,
		ocsp,
		rootCrl: read.ROOT_CRL,
		retired: readRetired(env as unknown as Record<string, unknown>),
	};
}

/** Tells whether partners of this database write nothing. */
export function isFrozen({ frozen, frozenDatabases }: Settings, database: number): boolean {
	return frozen || frozenDatabases.includes(database);
}

/** @throws {ConfigError} when two of them contradict each other. */
function opsSettings(read: z.output<ReturnType<typeof variablesOf>>): OpsSettings {
	const { OPS_TOKEN, OPS_TOKENS, OPS_ROLES, ACCESS_TEAM: team, ACCESS_AUDIENCE: audience } = read;
	if (OPS_TOKENS.some(({ name }) => !OPS_ROLES.has(name)))
		throw new ConfigError("OPS_TOKENS", "names somebody whom OPS_ROLES gives no role");
	if ((team === null) !== (audience === null))
		throw new ConfigError("ACCESS_TEAM", "and ACCESS_AUDIENCE are set together or not at all");
	const access = team !== null && audience !== null ? { team, audience } : null;
	if (OPS_TOKEN === null) return { tokens: OPS_TOKENS, access, roles: OPS_ROLES };
	const shared = { name: SHARED_TOKEN, digest: sha256(utf8ToBytes(OPS_TOKEN)) };
	const roles = new Map([...OPS_ROLES, [SHARED_TOKEN, new Set(EVERY_ROLE)]]);
	return { tokens: [...OPS_TOKENS, shared], access, roles };
}

/** Name of a local service's one token in the audit. */
const SHARED_TOKEN = "token";

/** The messages are ours alone: none quotes a value. */
function parse<Shape extends z.ZodObject>(shape: Shape, env: Bindings): z.output<Shape> {
	const { data, error } = shape.safeParse(env);
	const issue = error?.issues[0];
	if (issue) throw new ConfigError(String(issue.path[0]), issue.message);
	return data as z.output<Shape>;
}

const ENVIRONMENT = z.enum(["local", "dev", "prod"], "must be one of local, dev, prod");

/** Checked in this order. */
function variablesOf(environment: Settings["environment"]) {
	const prod = environment === "prod";
	const upstream = prod ? url({ https: true }).refine(isNoSandbox, SANDBOX_URL) : url({ https: false });
	const variables = {
		ENVIRONMENT,
		FROZEN: frozen,
		PUBLIC_URL: url({ https: environment !== "local" }),
		PKI_URL: pkiUrl,
		SEALING_KEYS: sealingKeys,
		INDEX_KEY: secret,
		PIN_PEPPER: secret,
		SERIAL_KEY: secret,
		AUDIT_KEY: secrets,
		OPS_TOKEN: environment === "local" ? opsToken : localOnly,
		OPS_TOKENS: opsTokens,
		OPS_ROLES: opsRoles,
		ACCESS_TEAM: optional(url({ https: true })),
		ACCESS_AUDIENCE: optional(text),
		RUNBOOK_URL: optional(url({ https: true })),
		CIVIL_REGISTRY_URL: upstream,
		CIVIL_REGISTRY_TOKEN: prod ? text : unread,
		SINGLE_SIGN_ON_URL: upstream,
		SINGLE_SIGN_ON_BROWSER_URL: prod ? upstream : url({ https: environment !== "local" }),
		SINGLE_SIGN_ON_CLIENT_ID: text,
		SINGLE_SIGN_ON_CLIENT_SECRET: prod ? signOnClientSecret : text,
		SINGLE_SIGN_ON_TAKES: signOnOptions,
		ALLOW_LOOPBACK_WEBHOOKS: environment === "local" ? flag : noFlag,
		SERVICE_NAME: text,
		SUPPORT_EMAIL: text.regex(EMAIL_ADDRESS, "is not an e-mail address"),
		SUPPORT_PHONE: supportPhone,
		SUPPORT_HOURS: supportHours,
		EMAIL_FROM: text.regex(EMAIL_ADDRESS, "is not an e-mail address"),
		TERMS_VERSION: text,
		TERMS_URL: url({ https: environment !== "local" }),
		PRIVACY_URL: url({ https: environment !== "local" }),
		EMAIL_RECIPIENTS: environment === "dev" ? recipients : everybody,
		ISSUING_KEY: optional(text),
		ISSUING_CERTIFICATE: text,
		ROOT_CERTIFICATE: text,
		ROOT_CRL: optional(text),
		AUTHORITY_RUT: rut,
		POLICY_OID: text,
		CPS_URL: text,
		OCSP_KEY: optional(text),
		OCSP_CERTIFICATE: optional(text),
		SIGNER_URL: optional(url({ https: false })),
		SIGNER_CALLER: optional(text),
		SIGNER_CALLER_KEY: optional(text),
	} satisfies Record<Variable, z.ZodType>;
	const sandbox = prod ? z.undefined(SANDBOX).optional() : z.unknown().optional();
	return z.object({ CIVIL_REGISTRY: sandbox, SINGLE_SIGN_ON: sandbox, ...variables });
}
