/**
 * Migrates every database, one after the other. All are listed first, so that one that does not answer stops the deployment
 * before any of them is changed. One that fails afterwards stops it too: migrations expand only, so the version that runs goes
 * on with both, and the same command takes up where it ended.
 */
export async function migrateAll(
	bindings: readonly string[],
	migrate: (verb: "list" | "apply", binding: string) => Promise<unknown>,
): Promise<void> {
	for (const verb of ["list", "apply"] as const) for (const binding of bindings) await migrate(verb, binding);
}
