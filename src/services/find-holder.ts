import { appendAudit, selectChainEnd } from "../db/audit-events.ts";
import { findHeldCodes, type HeldCode, selectPartnerIds } from "../db/holders-across-partners.ts";
import { batch, query } from "../db/query.ts";
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
	const { db } = caller.platform;
	const entity = `holder_search:${caller.actor.replace(/^ops:/, "")}`;
	const { ids, end } = await batch(db, {
		ids: selectPartnerIds(db),
		end: selectChainEnd(db, entity, NO_PARTNER),
	});
	const found = await lookUp(caller, asked, ids, action === "holder_erasure_asked");
	const outcome = `${reason} | ${found.codes.map(({ code }) => code).join(" ")}`;
	const what = { entity, partnerId: NO_PARTNER, action, outcome };
	await appendAudit(db, what, originOf(caller), [], end[0] ?? null);
	return found;
}

/** The codes of a search that is in the audit, as they are now. */
export async function findAgain(caller: Caller, asked: Asked): Promise<FoundHolder> {
	return lookUp(caller, asked, await query(selectPartnerIds(caller.platform.db)));
}

async function lookUp(
	{ platform: { db, index } }: Caller,
	{ rut, page = 1 }: Asked,
	ids: readonly { id: string }[],
	openFirst = false,
): Promise<FoundHolder> {
	const pairs = await Promise.all(ids.map(async ({ id }) => [id, await index.of("rut", id, rut)] as const));
	const end = page * SHOWN;
	const found = await findHeldCodes(db, pairs, { limit: end + 1, openFirst });
	const rank = ({ issuedAt }: HeldCode) => (openFirst && issuedAt !== null ? 1 : 0);
	const codes = found.toSorted((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt);
	return { codes: codes.slice(end - SHOWN, end), more: found.length > end };
}

/** Codes of a search as other verbs take them. */
export function foundCodes({ codes, more }: FoundHolder): SomeCodes {
	return { codes: codes.map(({ partnerId, code }) => [partnerId, code]), more };
}
