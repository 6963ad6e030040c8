import { readEnvironment } from "../scripts/deploy/check-environment.ts";
import { wakeDatabase } from "../scripts/local-migrations.ts";

/* The databases of each local service that Miniflare starts by itself, and no approximate limits. */

const MANY_CALLS = 1_000_000_000;

/** The rate-limit bindings of wrangler.toml, lifted. */
export const LIFTED_LIMITS = {
	BULK_RATE: unlimited("1001"),
	CALL_RATE: unlimited("1002"),
	ADDRESS_KEY_RATE: unlimited("1003"),
	ADDRESS_READYZ_RATE: unlimited("1004"),
	ADDRESS_OCSP_RATE: unlimited("1005"),
	SESSION_RATE: unlimited("1006"),
	SUBMIT_RATE: unlimited("1007"),
	ADDRESS_WIDGET_RATE: unlimited("1008"),
	SIGN_IN_RATE: unlimited("1009"),
};

function unlimited(namespace_id: string) {
	return { namespace_id, simple: { limit: MANY_CALLS, period: 60 as const } };
}

/** The databases of wrangler.toml. */
export const D1_BINDINGS = readEnvironment("local").d1_databases.map(({ binding }) => binding);

/** Reads the bytes of a database's pages. */
export async function sizeOf(db: D1Database): Promise<number> {
	return (await wakeDatabase(db)).meta.size_after;
}
