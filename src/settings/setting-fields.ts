import * as z from "zod";
import { databaseOf } from "../domain/database-names.ts";
import { OPS_ROLES as EVERY_ROLE, readOpsRoles, readOpsTokens } from "../domain/operators.ts";
import { readRut } from "../domain/rut.ts";
import { readSignOnOptions } from "../identity/single-sign-on-settings.ts";

/*
 * Schemas of the settings. Each states a fault in its own words, never with the value: `config.ts` names the setting.
 */

const SECRET_BYTES = 32;
const OPS_TOKEN_CHARACTERS = 32;

export const text = z.string("is missing").trim().min(1, "is missing");

const textOrNone = z.string().trim().default("");

/** Null when absent or empty. */
export function optional<Output>(schema: z.ZodType<Output, string>) {
	return z
		.literal("")
		.transform(() => null)
		.or(schema)
		.default(null);
}

export const unread = z
	.unknown()
	.optional()
	.transform(() => null);

export const SANDBOX = "binds the sandbox, which prod must not answer from";
export const SANDBOX_URL = "points at the sandbox, which prod must not answer from";

export const EMAIL_ADDRESS = /^[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** An address, or `@domain` for all of one. */
const RECIPIENT = /^[A-Za-z0-9._+-]*@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** Recipients in dev, where people type any address: only those that the list names. */
export const recipients = textOrNone.transform((value, context): readonly string[] => {
	const listed = value.split(",").flatMap((entry) => entry.trim().toLowerCase() || []);
	return listed.every((entry) => RECIPIENT.test(entry))
		? listed
		: failSetting(context, "must list addresses, or @domain for all of one, separated by commas");
});

/** Recipients in local and prod. */
export const everybody = z
	.literal("*", 'must be "*": holders and partners get every e-mail')
	.transform(() => null);

export function url({ https }: { https: boolean }) {
	return text.transform((value, context) => {
		const parsed = URL.parse(value);
		if (!parsed) return failSetting(context, "is not a URL");
		if (https && parsed.protocol !== "https:") return failSetting(context, "must be https");
		return parsed.href.replace(/\/+$/, "");
	});
}

/** RFC 5280 §8: programs fetch no CRL over https, so a revoked certificate would pass. */
export const pkiUrl = url({ https: false }).refine(
	(href) => /^http:\/\/[^/?#]+\/pki$/.test(href),
	"must be plain http and end in /pki: http://pki.your-zone.cl/pki",
);

/** Allowed in local and dev: the upstream is a service binding there, and its URL never leaves the machine. */
export function isNoSandbox(href: string): boolean {
	return !new URL(href).hostname.endsWith(".sandbox");
}

export const rut = text.transform((value, context) => {
	const reading = readRut(value);
	return reading.ok ? reading.rut : failSetting(context, "is not a RUT with its right check digit");
});

/** Base64 of 32 bytes or more that look random: a key of one repeated letter is refused. */
export const secret = text.transform((value, context) => {
	let bytes: Uint8Array;
	try {
		bytes = Uint8Array.fromBase64(value);
	} catch {
		return failSetting(context, "is not base64");
	}
	if (bytes.length < SECRET_BYTES || new Set(bytes).size < SECRET_BYTES / 2)
		return failSetting(context, `is weak: give the base64 of ${SECRET_BYTES} random bytes`);
	return bytes;
});

export const secrets = text.transform((value, context) => {
	const read = z.array(secret).safeParse(value.split(",").map((entry) => entry.trim()));
	return read.success ? read.data : failSetting(context, read.error.issues[0]!.message);
});

/** `id:base64[,id:base64…]`: the first key seals, the others still open. */
export const sealingKeys = text.transform((value, context): ReadonlyMap<string, Uint8Array> => {
	const keys = new Map<string, Uint8Array>();
	for (const entry of value.split(",")) {
		const [id = "", key] = entry.trim().split(":");
		if (!/^[a-z0-9]{1,16}$/.test(id) || keys.has(id))
			return failSetting(context, "must read id:base64[,id:base64…], each id once, a-z and 0-9");
		const read = secret.safeParse(key);
		if (!read.success) return failSetting(context, read.error.issues[0]!.message);
		keys.set(id, read.data.subarray(0, SECRET_BYTES));
	}
	return keys;
});

export const opsRoles = textOrNone.transform(
	(value, context) =>
		readOpsRoles(value) ??
		failSetting(context, `must read name:role+role[,…] with roles of ${EVERY_ROLE.join(", ")}`),
);

export const opsTokens = textOrNone.transform(
	(value, context) =>
		readOpsTokens(value) ??
		failSetting(context, "must read name:sha256[,…]: `npm run ops-token` prints an entry"),
);

/** Prod's: what wrangler.toml has in local and dev is public. */
export const signOnClientSecret = text.refine(
	(value) => value !== "sandbox",
	"is that of local and dev, which everybody knows",
);

export const signOnOptions = textOrNone.transform(
	(value, context) =>
		readSignOnOptions(value) ??
		failSetting(context, "must list nonce, pkce and slash, or some of them, or be empty"),
);

/** All roles for anybody with the token: for a developer's machine. */
export const opsToken = z
	.string()
	.optional()
	.transform((value, context) => {
		if (!value) return null;
		if (!/^[\x21-\x7e]+$/.test(value))
			return failSetting(context, "cannot be sent: give visible ASCII characters only");
		if (value.length < OPS_TOKEN_CHARACTERS || new Set(value).size < 8)
			return failSetting(context, `is weak: give ${OPS_TOKEN_CHARACTERS} random characters or more`);
		return value;
	});

export const flag = z
	.literal(["", "1"], 'must be "1" or left out')
	.optional()
	.transform((value) => value === "1");

/** Nothing, everything (`1`), or the partners of some databases (`DB_2,DB_3`). Without `DB`, the directory, nothing runs. */
export const frozen = textOrNone.transform((value, context): "all" | readonly number[] => {
	if (value === "1") return "all";
	const bindings = value === "" ? [] : value.split(",").map((entry) => entry.trim());
	if (bindings.some((binding) => !/^DB_([2-9]|[12][0-9]|3[0-2])$/.test(binding)))
		return failSetting(context, 'must be "1", names of databases but the first (DB_2,DB_3), or left out');
	return bindings.map(databaseOf);
});

export const localOnly = z
	.literal("", "is for local only")
	.optional()
	.transform(() => null);

export const noFlag = localOnly.transform(() => false);

export function failSetting(context: z.RefinementCtx, problem: string): never {
	context.addIssue(problem);
	return z.NEVER;
}
