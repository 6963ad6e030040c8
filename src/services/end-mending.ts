import { appendAudit } from "../db/audit-events.ts";
import { firstDb } from "../directory.ts";
import { restoreEntity } from "../jobs/audit/take-digests.ts";
import { endMending, findMending, type Mending } from "../mending.ts";
import { enterPublished } from "../pki/unite-revocations.ts";
import type { Caller } from "./caller.ts";

/**
 * Ends the mending of a database that is under way: from then on OCSP takes its word again. Before it, every revocation that
 * a published CRL has is entered.
 * @param ending - why: of ops, or of the walk that found nothing more; only: the mending that is meant, any other goes on
 * @returns whether one goes on
 * @throws {Unavailable}: then it goes on
 */
export async function endMendingUnderWay(
	{ platform, actor, requestId, at }: Omit<Caller, "later">,
	{ database, why, only }: { database: number; why: string; only?: Mending },
): Promise<boolean> {
	const mending = await findMending(platform, database);
	if (mending === null) return false;
	if (only && only.etag !== mending.etag) return true;
	for (const authority of platform.authorities) await enterPublished({ ...platform, authority });
	const what = {
		entity: restoreEntity(database),
		partnerId: "",
		action: "mending_ended" as const,
		outcome: why,
	};
	await appendAudit(firstDb(platform), what, { actor, requestId, now: at });
	return !(await endMending(platform, mending, at));
}
