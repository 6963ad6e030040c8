import { appendAudit, selectChainEnd } from "../db/audit-events.ts";
import { findHeldCodes, type HeldCode, listPartnerIds } from "../db/holders-across-partners.ts";
import { query } from "../db/query.ts";
import { askEach, firstDb } from "../directory.ts";
import { type Caller, originOf } from "./caller.ts";
import type { SomeCodes } from "./holder-data.ts";

/** Codes of a page. */
const SHOWN = 100;

/** Audit rows without a partner have ''. */
const NO_PARTNER = "";

export interface FoundHolder {
	/** Newest first, of every partner; for an erasure those that are not issued come first. */
	codes: HeldCode[];
	/** There are more than are shown. */
	more: boolean;
	/** Numbers of databases that did not answer. */
	silent: number[];
}

/** A holder who is looked for, and which hundred of its codes: from 1. */
interface Asked {
	rut: string;
	page?: number | undefined;
}

/**
 * The codes of a RUT over all partners. The search is in the audit before its answer is given, in a chain of the person who
 * searches, with the reason and the codes that were found; the RUT is not.
 * @param action - what the search is for
 */
export async function findHolder(
	caller: Caller,
	{ reason, ...asked }: Asked & { reason: string },
	action: "holder_searched" | "holder_shown" | "holder_erasure_asked" = "holder_searched",
): Promise<FoundHolder> {
	const db = firstDb(caller.platform);
	const entity = `holder_search:${caller.actor.replace(/^ops:/, "")}`;
	const [found, end] = await Promise.all([
		findAgain(caller, asked, action === "holder_erasure_asked"),
		query(selectChainEnd(db, entity, NO_PARTNER)),
	]);
	const outcome = `${reason} | ${found.codes.map(({ code }) => code).join(" ")}`;
	const what = { entity, partnerId: NO_PARTNER, action, outcome };
	await appendAudit(db, what, originOf(caller), [], end[0] ?? null);
	return found;
}

/** The codes of a search that is in the audit, as they are now. */
export async function findAgain(
	{ platform }: Caller,
	{ rut, page = 1 }: Asked,
	openFirst = false,
): Promise<FoundHolder> {
	const end = page * SHOWN;
	const { answers, silent } = await askEach(platform, async ({ db }) => {
		const ids = await listPartnerIds(db);
		const indexOf = async (id: string) => [id, await platform.index.of("rut", id, rut)] as const;
		return findHeldCodes(db, await Promise.all(ids.map(indexOf)), { limit: end + 1, openFirst });
	});
	const found = answers.flat();
	const rank = ({ issuedAt }: HeldCode) => (openFirst && issuedAt !== null ? 1 : 0);
	const codes = found.toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt);
	return { codes: codes.slice(end - SHOWN, end), more: found.length > end, silent };
}

/** Codes of a search as other verbs take them. */
export function foundCodes({ codes, more }: Omit<FoundHolder, "silent">): SomeCodes {
	return { codes: codes.map(({ partnerId, code }) => [partnerId, code]), more };
}
