/**
 * What wrangler.toml and the secrets put into the Worker's environment, unchecked: docs/operators/settings.md. `WranglerEnv` is
 * what `npm run types` reads there; the objects are typed where they are called (`objects/stubs.ts`).
 */
export interface Bindings extends Omit<WranglerEnv, "PURCHASE_CODES" | "PARTNERS"> {
	PURCHASE_CODES: DurableObjectNamespace;
	PARTNERS: DurableObjectNamespace;
}
