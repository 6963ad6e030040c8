/** Roles of operators: look at records, change things, see pictures of identity cards. None includes another. */
export const OPS_ROLES = ["read", "operate", "evidence"] as const;
export type OpsRole = (typeof OPS_ROLES)[number];
export type RolesByName = ReadonlyMap<string, ReadonlySet<OpsRole>>;

/** A person or program of ops, under the name that the audit gives it. */
export interface Operator {
	name: string;
	roles: ReadonlySet<OpsRole>;
}

/** A token is stored as its SHA-256: a reader of the setting cannot call with it. */
export interface OpsToken {
	name: string;
	digest: Uint8Array;
}

/** An e-mail address or a short name. */
const NAME = /^[a-z0-9][a-z0-9._+@-]{0,99}$/;
const DIGEST = /^[0-9a-f]{64}$/;
/** SHA-256 of no bytes, for a caller without a token. */
const EMPTY_DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** `ana@example.cl:read+operate,monitor:read`. @returns null for any other text, and for a name given twice. */
export function readOpsRoles(text: string): RolesByName | null {
	const roles = new Map<string, ReadonlySet<OpsRole>>();
	for (const [name, given] of entriesOf(text)) {
		const named = given.split("+");
		if (!NAME.test(name) || roles.has(name) || !named.every(isRole)) return null;
		roles.set(name, new Set(named));
	}
	return roles;
}

/** `ana@example.cl:<SHA-256, hex>,…`; a name may have several. @returns null for any other text. */
export function readOpsTokens(text: string): OpsToken[] | null {
	const entries = entriesOf(text);
	if (!entries.every(([name, digest]) => NAME.test(name) && DIGEST.test(digest) && digest !== EMPTY_DIGEST))
		return null;
	return entries.map(([name, digest]) => ({ name, digest: Uint8Array.fromHex(digest) }));
}

function entriesOf(text: string): [name: string, value: string][] {
	const entries = text.split(",").map((entry) => entry.trim());
	return entries.filter(Boolean).map((entry) => {
		const [name = "", value = ""] = entry.split(":", 2);
		return [name.toLowerCase(), value];
	});
}

function isRole(text: string): text is OpsRole {
	return (OPS_ROLES as readonly string[]).includes(text);
}
