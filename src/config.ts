import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import * as z from "zod";
import type { Bindings } from "./bindings.ts";
import type { OutboundPolicy } from "./delivery/outbound-url.ts";
import {
	OPS_ROLES as EVERY_ROLE,
	type OpsToken,
	type RolesByName,
	readOpsRoles,
	readOpsTokens,
} from "./domain/operators.ts";
import { readRut } from "./domain/rut.ts";
import type { AccessSettings } from "./ops/access.ts";
import type { AuthoritySettings } from "./x509/issuing-authority.ts";

/** Variables and secrets: every one is read below, or this file does not compile. */
type Variable = {
	[Name in keyof WranglerEnv]-?: WranglerEnv[Name] extends string ? Name : never;
}[keyof WranglerEnv];

/** The same, checked and decoded. */
export interface Settings {
	environment: "local" | "dev" | "prod";
	publicUrl: string;
	/** Address of everything under `/pki`, which it ends in: plain http, a host of its own but in local. */
	pkiUrl: string;
	sealingKeys: ReadonlyMap<string, Uint8Array>;
	indexKey: Uint8Array;
	pinPepper: Uint8Array;
	/** The first authenticates audit rows, each verifies them. */
	auditKeys: readonly Uint8Array[];
	/** Nothing of partners is written: D1 is being restored (docs/operators/operations.md). */
	frozen: boolean;
	ops: OpsSettings;
	registry: { baseUrl: string; token: string | null };
	singleSignOn: { baseUrl: string };
	/** Where webhooks may go. */
	outbound: OutboundPolicy;
	/** Sender of the service's e-mails. */
	emailFrom: string;
	authority: AuthoritySettings;
	/** The delegated responder: base64 PKCS#8 and base64 DER. */
	ocsp: { key: string; certificate: string };
	/** The root's CRL, base64 DER. Null: made before the ceremony made one. */
	rootCrl: string | null;
	/** Issuing authorities that were replaced, the oldest first. */
	retired: readonly RetiredSettings[];
}

/** Who may call ops: by a token or through Cloudflare Access. With neither, the group does not exist. */
interface OpsSettings {
	tokens: readonly OpsToken[];
	access: AccessSettings | null;
	/** What each of them may do, whichever way they come in. */
	roles: RolesByName;
}

/** An issuing authority that was replaced: base64 PKCS#8 and base64 DER. */
export interface RetiredSettings {
	/** `RETIRED_1_`: of its settings' names. */
	prefix: string;
	certificate: string;
	/** Null after a leak. */
	key: string | null;
	/** Null: it answers no OCSP. */
	ocsp: { key: string; certificate: string } | null;
}

/** A setting that is missing, weak, or not allowed together with another; the message names it, never its value. */
export class ConfigError extends Error {
	readonly setting: string;
	constructor(setting: string, problem: string) {
		super(`${setting} ${problem}`);
		this.setting = setting;
	}
}

const SECRET_BYTES = 32;
const OPS_TOKEN_CHARACTERS = 32;

/** @throws {ConfigError} on the first setting that must not be served with. */
export function readSettings(env: Bindings): Settings {
	const { ENVIRONMENT: environment } = parse(z.object({ ENVIRONMENT }), env);
	const read = parse(variablesOf(environment), env);
	if (environment !== "local" && URL.parse(read.PKI_URL)?.hostname === URL.parse(read.PUBLIC_URL)?.hostname)
		throw new ConfigError("PKI_URL", "must have a host of its own: it answers /pki alone, over plain http");
	return {
		environment,
		frozen: read.FROZEN,
		publicUrl: read.PUBLIC_URL,
		pkiUrl: read.PKI_URL,
		sealingKeys: read.SEALING_KEYS,
		indexKey: read.INDEX_KEY,
		pinPepper: read.PIN_PEPPER,
		auditKeys: read.AUDIT_KEY,
		ops: opsSettings(read),
		registry: { baseUrl: read.CIVIL_REGISTRY_URL, token: read.CIVIL_REGISTRY_TOKEN },
		singleSignOn: { baseUrl: read.SINGLE_SIGN_ON_URL },
		outbound: { ownHost: new URL(read.PUBLIC_URL).host, allowLoopback: read.ALLOW_LOOPBACK_WEBHOOKS },
		emailFrom: read.EMAIL_FROM,
		authority: {
			key: read.ISSUING_KEY,
			certificate: read.ISSUING_CERTIFICATE,
			root: read.ROOT_CERTIFICATE,
			rut: read.AUTHORITY_RUT,
			policyOid: read.POLICY_OID,
			cpsUrl: read.CPS_URL,
			pkiUrl: read.PKI_URL,
		},
		ocsp: { key: read.OCSP_KEY, certificate: read.OCSP_CERTIFICATE },
		rootCrl: read.ROOT_CRL,
		retired: readRetired(env as unknown as Record<string, unknown>),
	};
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

/** How the audit names the one token of a local service. */
const SHARED_TOKEN = "token";

/** The messages are ours alone: none quotes a value. */
function parse<Shape extends z.ZodObject>(shape: Shape, env: Bindings): z.output<Shape> {
	const { data, error } = shape.safeParse(env);
	const issue = error?.issues[0];
	if (issue) throw new ConfigError(String(issue.path[0]), issue.message);
	return data as z.output<Shape>;
}

const RETIRED_NAME = /^RETIRED_[1-9]_(ISSUING_KEY|ISSUING_CERTIFICATE|OCSP_KEY|OCSP_CERTIFICATE)$/;

/**
 * What a replaced authority had as ISSUING_KEY, ISSUING_CERTIFICATE, OCSP_KEY and OCSP_CERTIFICATE, as RETIRED_1_…,
 * RETIRED_2_… in the order in which they were replaced. A deployment deletes no secret, so an empty one counts as absent.
 */
function readRetired(env: Record<string, unknown>): RetiredSettings[] {
	const names = Object.keys(env).filter((name) => name.startsWith("RETIRED_"));
	const unknown = names.find((name) => !RETIRED_NAME.test(name));
	if (unknown !== undefined) throw new ConfigError(unknown, "is not a setting: RETIRED_1_ISSUING_KEY is one");
	const given = names.filter((name) => String(env[name] ?? "").trim() !== "");
	const prefixes = given.map((name) => name.slice(0, "RETIRED_1_".length));
	return [...new Set(prefixes)].sort().map((prefix) => {
		const read = (name: string) => String(env[prefix + name] ?? "").trim() || null;
		const certificate = read("ISSUING_CERTIFICATE");
		if (!certificate) throw new ConfigError(`${prefix}ISSUING_CERTIFICATE`, "is missing");
		const [key, ocspCertificate] = [read("OCSP_KEY"), read("OCSP_CERTIFICATE")];
		if ((key === null) !== (ocspCertificate === null))
			throw new ConfigError(`${prefix}OCSP_KEY`, "and OCSP_CERTIFICATE go together: give both or neither");
		const ocsp = key && ocspCertificate ? { key, certificate: ocspCertificate } : null;
		return { prefix, certificate, key: read("ISSUING_KEY"), ocsp };
	});
}

const ENVIRONMENT = z.enum(["local", "dev", "prod"], "must be one of local, dev, prod");

/** In the order in which they are refused. */
function variablesOf(environment: Settings["environment"]) {
	const prod = environment === "prod";
	const upstream = prod ? url({ https: true }).refine(isNoSandbox, SANDBOX_URL) : url({ https: false });
	const variables = {
		ENVIRONMENT,
		FROZEN: flag,
		PUBLIC_URL: url({ https: environment !== "local" }),
		PKI_URL: pkiUrl,
		SEALING_KEYS: sealingKeys,
		INDEX_KEY: secret,
		PIN_PEPPER: secret,
		AUDIT_KEY: secrets,
		OPS_TOKEN: environment === "local" ? opsToken : localOnly,
		OPS_TOKENS: opsTokens,
		OPS_ROLES: opsRoles,
		ACCESS_TEAM: optional(url({ https: true })),
		ACCESS_AUDIENCE: optional(text),
		CIVIL_REGISTRY_URL: upstream,
		CIVIL_REGISTRY_TOKEN: prod ? text : unread,
		SINGLE_SIGN_ON_URL: upstream,
		ALLOW_LOOPBACK_WEBHOOKS: environment === "local" ? flag : noFlag,
		EMAIL_FROM: text.regex(EMAIL_ADDRESS, "is not an e-mail address"),
		ISSUING_KEY: text,
		ISSUING_CERTIFICATE: text,
		ROOT_CERTIFICATE: text,
		ROOT_CRL: optional(text),
		AUTHORITY_RUT: rut,
		POLICY_OID: text,
		CPS_URL: text,
		OCSP_KEY: text,
		OCSP_CERTIFICATE: text,
	} satisfies Record<Variable, z.ZodType>;
	const sandbox = prod ? z.undefined(SANDBOX).optional() : z.unknown().optional();
	return z.object({ CIVIL_REGISTRY: sandbox, SINGLE_SIGN_ON: sandbox, ...variables });
}

const text = z.string("is missing").trim().min(1, "is missing");

const textOrNone = z.string().trim().default("");

/** Null when it is left out or empty. */
function optional<Output>(schema: z.ZodType<Output, string>) {
	return z
		.literal("")
		.transform(() => null)
		.or(schema)
		.default(null);
}

const unread = z
	.unknown()
	.optional()
	.transform(() => null);

const SANDBOX = "binds the sandbox, which prod must not answer from";
const SANDBOX_URL = "points at the sandbox, which prod must not answer from";

const EMAIL_ADDRESS = /^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

function url({ https }: { https: boolean }) {
	return text.transform((value, context) => {
		const parsed = URL.parse(value);
		if (!parsed) return refuse(context, "is not a URL");
		if (https && parsed.protocol !== "https:") return refuse(context, "must be https");
		return parsed.href.replace(/\/+$/, "");
	});
}

/** RFC 5280 §8: programs fetch no CRL over https, so a revoked certificate would pass. */
const pkiUrl = url({ https: false }).refine(
	(href) => /^http:\/\/[^/?#]+\/pki$/.test(href),
	"must be plain http and end in /pki: http://pki.your-zone.cl/pki",
);

/** In local and dev the upstream is a service binding, and its URL never leaves the machine. */
function isNoSandbox(href: string): boolean {
	return !new URL(href).hostname.endsWith(".sandbox");
}

const rut = text.transform((value, context) => {
	const reading = readRut(value);
	return reading.ok ? reading.rut : refuse(context, "is not a RUT with its right check digit");
});

/** Base64 of 32 bytes or more that look random: a key of one repeated letter is refused. */
const secret = text.transform((value, context) => {
	let bytes: Uint8Array;
	try {
		bytes = Uint8Array.fromBase64(value);
	} catch {
		return refuse(context, "is not base64");
	}
	if (bytes.length < SECRET_BYTES || new Set(bytes).size < SECRET_BYTES / 2)
		return refuse(context, `is weak: give the base64 of ${SECRET_BYTES} random bytes`);
	return bytes;
});

const secrets = text.transform((value, context) => {
	const read = z.array(secret).safeParse(value.split(",").map((entry) => entry.trim()));
	return read.success ? read.data : refuse(context, read.error.issues[0]!.message);
});

/** `id:base64[,id:base64…]`: the first key seals, the others still open. */
const sealingKeys = text.transform((value, context): ReadonlyMap<string, Uint8Array> => {
	const keys = new Map<string, Uint8Array>();
	for (const entry of value.split(",")) {
		const [id = "", key] = entry.trim().split(":");
		if (!/^[a-z0-9]{1,16}$/.test(id) || keys.has(id))
			return refuse(context, "must read id:base64[,id:base64…], each id once, a-z and 0-9");
		const read = secret.safeParse(key);
		if (!read.success) return refuse(context, read.error.issues[0]!.message);
		keys.set(id, read.data.subarray(0, SECRET_BYTES));
	}
	return keys;
});

const opsRoles = textOrNone.transform(
	(value, context) =>
		readOpsRoles(value) ??
		refuse(context, `must read name:role+role[,…] with roles of ${EVERY_ROLE.join(", ")}`),
);

const opsTokens = textOrNone.transform(
	(value, context) =>
		readOpsTokens(value) ?? refuse(context, "must read name:sha256[,…]: `npm run ops-token` prints an entry"),
);

/** All roles for whoever has it: for a developer's machine. */
const opsToken = z
	.string()
	.optional()
	.transform((value, context) => {
		if (!value) return null;
		if (!/^[\x21-\x7e]+$/.test(value))
			return refuse(context, "cannot be sent: give visible ASCII characters only");
		if (value.length < OPS_TOKEN_CHARACTERS || new Set(value).size < 8)
			return refuse(context, `is weak: give ${OPS_TOKEN_CHARACTERS} random characters or more`);
		return value;
	});

const flag = z
	.literal(["", "1"], 'must be "1" or left out')
	.optional()
	.transform((value) => value === "1");

const localOnly = z
	.literal("", "is for local only")
	.optional()
	.transform(() => null);

const noFlag = localOnly.transform(() => false);

function refuse(context: z.RefinementCtx, problem: string): never {
	context.addIssue(problem);
	return z.NEVER;
}
