import { appendAudit, selectChainEnd } from "../db/audit-events.ts";
import { findHeldCodes, type HeldCode, listPartnerIds } from "../db/holders-across-partners.ts";
import { query } from "../db/query.ts";
import type { FoundCode } from "../db/schema-holder.ts";
import { askAll, firstDb } from "../directory.ts";
import { type Caller, originOf } from "./caller.ts";

/** At most 100 codes; a person with more is not plausible. */
const SHOWN = 100;

/** Audit rows without a partner have ''. */
const NO_PARTNER = "";

export interface FoundHolder {
	/** Newest first, of every partner. */
	codes: HeldCode[];
	/** There are more than are shown. */
	more: boolean;
}

/**
 * The codes of a RUT over all partners. The search is in the audit before its answer is given, in a chain of the person who
 * searches, with the reason and the codes that were found; the RUT is not.
 * @param action - what the search is for
 */
export async function findHolder(
	caller: Caller,
	{ rut, reason }: { rut: string; reason: string },
	action: "holder_searched" | "holder_shown" | "holder_erasure_asked" = "holder_searched",
): Promise<FoundHolder> {
	const db = firstDb(caller.platform);
	const entity = `holder_search:${caller.actor.replace(/^ops:/, "")}`;
	const [found, end] = await Promise.all([
		findAgain(caller, rut),
		query(selectChainEnd(db, entity, NO_PARTNER)),
	]);
	const outcome = `${reason} | ${found.codes.map(({ code }) => code).join(" ")}`;
	const what = { entity, partnerId: NO_PARTNER, action, outcome };
	await appendAudit(db, what, originOf(caller), [], end[0] ?? null);
	return found;
}

/** The codes of a search that is in the audit, as they are now. */
export async function findAgain({ platform }: Caller, rut: string): Promise<FoundHolder> {
	const { index } = platform;
	const each = await askAll(platform, async ({ db }) => {
		const ids = await listPartnerIds(db);
		const pairs = await Promise.all(ids.map(async (id) => [id, await index.of("rut", id, rut)] as const));
		return findHeldCodes(db, pairs, SHOWN + 1);
	});
	const found = each.flat();
	const codes = found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, SHOWN);
	return { codes, more: found.length > SHOWN };
}

/** Codes of a search as other verbs take them. */
export function foundCodes({ codes }: FoundHolder): FoundCode[] {
	return codes.map(({ partnerId, code }) => [partnerId, code]);
}
