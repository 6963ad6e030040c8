/** API key scopes: create and list codes; redeem them; read whatever a call shows; manage, which includes read. */
export const KEY_SCOPES = ["codes", "redeem", "read", "manage"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

export const DEFAULT_SCOPES: readonly KeyScope[] = ["codes", "redeem", "read"];

/** Whether a key may make a call of this scope. @param reads - the call shows something and changes nothing. */
export function permits(scopes: readonly KeyScope[], { scope, reads }: { scope: KeyScope; reads: boolean }) {
	return scopes.includes(scope) || (reads && (scopes.includes("read") || scopes.includes("manage")));
}
