import { type CountedBlock, countWrongCounters, findBlocks, recountBlock } from "../db/code-counts.ts";
import {
	type Defect,
	type DefectKind,
	type DefectPage,
	findBatchDefects,
	findCodeDefects,
	findSerialDefects,
} from "../db/inconsistencies.ts";
import { findWrongUsage, recountUsage } from "../db/usage.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import { callCode } from "../objects/stubs.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { type DatabaseCursor, readNext } from "../walk-databases.ts";
import type { Job, JobAsker, JobCaller } from "./job.ts";

/** One inconsistency. `repaired` is null when no safe repair exists, or none was requested. */
interface Finding {
	kind: DefectKind | "wrong_counters" | "wrong_usage";
	partnerId: string;
	/** A purchase code, a batch, or a block of counters. */
	subject: string;
	repaired: boolean | null;
}

/** Position of the comparison: table by table, each along its own key. */
export interface ReconcileCursor {
	walk: "codes" | "serials" | "batches" | "counters";
	after: string[];
}

export interface ReconcilePage {
	looked: number;
	findings: Finding[];
	/** Null at the end. */
	next: ReconcileCursor | null;
}

const FIND = { codes: findCodeDefects, serials: findSerialDefects, batches: findBatchDefects };
const NEXT_WALK = { codes: "serials", serials: "batches", batches: "counters", counters: null } as const;
const ROWS_PER_PAGE = 1_000;
/** A block is up to 16,384 rows. */
const BLOCKS_PER_PAGE = 1;
const PAGES_PER_RUN = 10;

/** Compares one page of D1's tables with each other. @param repairs - repair what can be repaired without guessing. */
async function reconcilePage(
	caller: JobCaller,
	cursor: ReconcileCursor | null,
	repairs: boolean,
): Promise<ReconcilePage> {
	const { walk, after } = cursor ?? { walk: "codes", after: [] };
	const page =
		walk === "counters"
			? await compareCounters(caller, after, repairs)
			: await compare(caller, walk, after, repairs);
	for (const { kind, partnerId, subject, repaired } of page.findings)
		log("error", "inconsistency", { kind, partner_id: partnerId, subject, repaired });
	const { last, ...rest } = page;
	const following = NEXT_WALK[walk];
	return { ...rest, next: last ? { walk, after: last } : following && { walk: following, after: [] } };
}

const NOTHING: Omit<ReconcilePage, "next"> = { looked: 0, findings: [] };

/** Compares the next page of a walk over all databases. @param cursor - null: the walk begins */
export function reconcileNext(
	asker: JobAsker,
	cursor: DatabaseCursor<ReconcileCursor> | null,
	repairs: boolean,
) {
	return readNext(
		asker.platform,
		cursor,
		(database, at: ReconcileCursor | null) =>
			reconcilePage({ ...asker, database, db: database.db }, at, repairs),
		NOTHING,
	);
}

/** The job: ten pages a run, with repairs; after the end it starts again. */
export const reconcile: Job = {
	name: "reconcile",
	async run(caller, from) {
		let cursor = from as ReconcileCursor | null;
		const report = { looked_at: 0, found: 0, repaired: 0 };
		for (let pages = 0; pages < PAGES_PER_RUN; pages++) {
			const page = await reconcilePage(caller, cursor, true);
			report.looked_at += page.looked;
			report.found += page.findings.length;
			report.repaired += page.findings.filter(({ repaired }) => repaired).length;
			cursor = page.next;
			if (cursor === null) break;
		}
		return { cursor, report, changes: [] };
	},
};

type WalkPage = Omit<ReconcilePage, "next"> & Pick<DefectPage, "last">;

async function compare(
	caller: JobCaller,
	walk: keyof typeof FIND,
	after: readonly string[],
	repairs: boolean,
): Promise<WalkPage> {
	const page = await FIND[walk](caller.db, after, ROWS_PER_PAGE, caller.now);
	const findings: Finding[] = [];
	for (const defect of page.defects) {
		const { kind, partnerId, subject } = defect;
		findings.push({
			kind,
			partnerId,
			subject,
			repaired: repairs ? await tryToRepair(caller, defect) : null,
		});
	}
	return { looked: page.looked, findings, last: page.last };
}

async function compareCounters(
	{ db }: JobCaller,
	[partnerId, block]: readonly string[],
	repairs: boolean,
): Promise<WalkPage> {
	const after: CountedBlock | null = partnerId === undefined ? null : { partnerId, block: Number(block) };
	const blocks = await findBlocks(db, after, BLOCKS_PER_PAGE);
	const findings: Finding[] = [];
	const repaired = repairs ? true : null;
	for (const counted of blocks) {
		const found = { partnerId: counted.partnerId, subject: String(counted.block), repaired };
		if ((await countWrongCounters(db, counted)) > 0) {
			if (repairs) await recountBlock(db, counted);
			findings.push({ kind: "wrong_counters", ...found });
		}
		const kinds = await findWrongUsage(db, counted);
		if (kinds.length === 0) continue;
		if (repairs) await recountUsage(db, counted, kinds);
		findings.push({ kind: "wrong_usage", ...found });
	}
	const end = blocks.length < BLOCKS_PER_PAGE ? undefined : blocks.at(-1);
	return { looked: blocks.length, findings, last: end ? [end.partnerId, String(end.block)] : null };
}

async function tryToRepair(caller: JobCaller, defect: Defect): Promise<boolean | null> {
	try {
		return await repair(caller, defect);
	} catch (error) {
		log("error", "repair_failed", { kind: defect.kind, subject: defect.subject, ...describeError(error) });
		return false;
	}
}

/**
 * Repairs what D1 itself shows how to repair, through the code's object like every change of a code.
 * @returns null where ops must decide: a certificate was never delivered, codes or batches are missing.
 */
async function repair(
	{ platform, actor, requestId }: JobCaller,
	{ kind, partnerId, subject, serial }: Defect,
): Promise<boolean | null> {
	const call = { partnerId, code: subject, actor, requestId, idempotency: null };
	switch (kind) {
		case "stale_step":
		case "certificate_missing": {
			const { answer } = await callCode(platform, { partnerId, code: subject }, (object) =>
				object.repair({ ...call, kind }),
			);
			return answer.kind === "repaired";
		}
		case "serial_not_emitted":
		case "serial_not_revoked":
		case "cancelled_not_revoked": {
			const revocation = { ...call, serial: serial!, reason: DEFAULT_REVOCATION_REASON };
			const { answer } = await callCode(platform, { partnerId, code: subject }, (object) =>
				object.revokeCertificate(revocation),
			);
			return answer.kind === "revoked";
		}
		case "holder_missing": {
			const { answer } = await callCode(platform, { partnerId, code: subject }, (object) =>
				object.eraseHolder(call),
			);
			return answer.kind === "erased" || null;
		}
		case "delivery_missing":
		case "batch_missing":
		case "codes_missing":
		case "batch_gap":
			return null;
	}
}
