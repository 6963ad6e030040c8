import { appendAudit } from "../db/audit-events.ts";
import {
	closeStale,
	enterKeysOf,
	listPlacesIn,
	listWhere,
	openHome,
	sayWhere,
} from "../db/restored-places.ts";
import { inBackground } from "../deadlines.ts";
import { askAll, forgetHome } from "../directory.ts";
import { DIRECTORY } from "../domain/database-names.ts";
import type { WhereState } from "../domain/decide-move.ts";
import { decidePlace } from "../domain/decide-place.ts";
import { restoreEntity } from "../jobs/audit/take-digests.ts";
import { beginMending } from "../mending.ts";
import { log } from "../telemetry/log.ts";
import type { Caller } from "./caller.ts";

export interface RebuiltDirectory {
	/** Partners that any database has. */
	partners: number;
	/** Keys that the directory lacked. */
	keys: number;
	/** Partners whose place the directory lacked or had otherwise. */
	settled: { partnerId: string; database: number; state: WhereState }[];
	/** Partners of the directory whose rows no database has. */
	lost: string[];
	/** Databases that have a partner again from the moment of its move away, the earliest such: a walk of `mend` from there is due. */
	mend: { database: number; restoredTo: number }[];
}

/**
 * Makes the directory agree with all databases, after one of them was put back to an earlier time: a partner lives where its
 * place of the highest epoch is. Repeating it changes nothing.
 * @throws {Unavailable} when a database does not answer: it may have the true place
 */
export function rebuildDirectory(
	caller: Pick<Caller, "platform" | "actor" | "requestId" | "at">,
): Promise<RebuiltDirectory> {
	return inBackground(async () => {
		const { platform, at: now } = caller;
		const { directory, databases } = platform;
		const dbOf = new Map(databases.map(({ number, db }) => [number, db]));
		const frozen = new Set(databases.flatMap(({ number, isFrozen }) => (isFrozen ? [number] : [])));
		// Before the places: a move that goes on meanwhile changes the row, which is left alone then.
		const known = new Map((await listWhere(directory)).map((row) => [row.partnerId, row]));
		const found = await askAll(platform, ({ number, db }) => listPlacesIn(db, number));
		const places = Map.groupBy(found.flat(), ({ partnerId }) => partnerId);
		const settled: RebuiltDirectory["settled"] = [];
		const mend = new Map<number, number>();
		const lost = [...known.keys()].filter((partnerId) => !places.has(partnerId));
		for (const [partnerId, its] of places) {
			const row = known.get(partnerId) ?? null;
			const verdict = decidePlace(row, its, (number) => frozen.has(number));
			if (verdict.kind === "nowhere") lost.push(partnerId);
			if (verdict.kind !== "settle") continue;
			const { home, stale, epoch, directory: set } = verdict;
			for (const place of stale) await closeStale(dbOf.get(place.database)!, place, now);
			// Its rows are those of the move away: what was revoked and issued since, the objects know.
			if ((home.state === "closed" || home.state === "leaving") && home.copied === null) {
				await beginMending(platform, home.database, { now, restoredTo: home.since });
				mend.set(home.database, Math.min(home.since, mend.get(home.database) ?? home.since));
			}
			if (epoch !== null) await openHome(dbOf.get(home.database)!, home, epoch, now);
			await sayWhere(directory, home, { epoch: row?.epoch ?? 0, set }, now);
			forgetHome(partnerId);
			settled.push({ partnerId, database: set.database, state: set.state });
		}
		let keys = 0;
		for (const { db } of databases) keys += await enterKeysOf(directory, db);
		const counts = { partners: places.size, keys, settled: settled.length, lost: lost.length };
		log(lost.length > 0 ? "error" : "info", "directory_rebuilt", counts);
		if (settled.length + keys > 0)
			await appendAudit(
				dbOf.get(DIRECTORY)!,
				{
					entity: restoreEntity(DIRECTORY),
					partnerId: "",
					action: "directory_rebuilt",
					outcome: `${settled.length} partners, ${keys} keys`,
				},
				{ actor: caller.actor, requestId: caller.requestId, now },
			);
		const due = [...mend].map(([database, restoredTo]) => ({ database, restoredTo }));
		return { partners: places.size, keys, settled, lost, mend: due };
	});
}
