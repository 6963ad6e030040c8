/** API key scopes: create and list codes; redeem them; read whatever a call shows; manage, which includes read. */
export const KEY_SCOPES = ["codes", "redeem", "read", "manage"] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

export const DEFAULT_SCOPES: readonly KeyScope[] = ["codes", "redeem", "read"];

/** Whether a key of these scopes has what another scope opens: `manage` includes `read`. */
export function includesScope(scopes: readonly KeyScope[], scope: KeyScope): boolean {
	return scopes.includes(scope) || (scope === "read" && scopes.includes("manage"));
}

/** Whether a key may make a call of this scope. @param reads - the call shows something and changes nothing. */
export function permits(scopes: readonly KeyScope[], { scope, reads }: { scope: KeyScope; reads: boolean }) {
	return scopes.includes(scope) || (reads && includesScope(scopes, "read"));
}
