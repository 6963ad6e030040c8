import {
	type Defect,
	type DefectKind,
	type DefectPage,
	findBatchDefects,
	findCodeDefects,
	findSerialDefects,
} from "../db/defects.ts";
import { type CountedBlock, countWrongCounters, findBlocks, recountBlock } from "../db/recount.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import type { Job, UpkeepContext } from "./job.ts";
import { mendDefect } from "./mend-defect.ts";

/** One thing found: `repaired` is null when nothing can be done safely, or nothing was to be. */
interface Finding {
	kind: DefectKind | "wrong_counters";
	partnerId: string;
	/** A purchase code, a batch, or a block of counters. */
	subject: string;
	repaired: boolean | null;
}

/** Where the comparison stands: each walk in turn, along its own key. */
export interface ReconcileCursor {
	walk: "codes" | "serials" | "batches" | "counters";
	after: string[];
}

export interface ReconcilePage {
	looked: number;
	findings: Finding[];
	/** Null when everything was compared. */
	next: ReconcileCursor | null;
}

const FIND = { codes: findCodeDefects, serials: findSerialDefects, batches: findBatchDefects };
const NEXT_WALK = { codes: "serials", serials: "batches", batches: "counters", counters: null } as const;
const ROWS_PER_PAGE = 1_000;
/** A block is up to 16,384 rows. */
const BLOCKS_PER_PAGE = 1;
const PAGES_PER_RUN = 10;

/** Compares one page of the register with itself. @param repair - mend what can be mended without guessing. */
export async function reconcilePage(
	context: UpkeepContext,
	cursor: ReconcileCursor | null,
	repair: boolean,
): Promise<ReconcilePage> {
	const { walk, after } = cursor ?? { walk: "codes", after: [] };
	const page =
		walk === "counters"
			? await compareCounters(context, after, repair)
			: await compare(context, walk, after, repair);
	for (const { kind, partnerId, subject, repaired } of page.findings)
		log("error", "defect", { kind, partner_id: partnerId, subject, repaired });
	const { last, ...rest } = page;
	const following = NEXT_WALK[walk];
	return { ...rest, next: last ? { walk, after: last } : following && { walk: following, after: [] } };
}

/** On the cron: ten pages a run, repairing, round and round. */
export const reconcile: Job = {
	name: "reconcile",
	async run(context, from) {
		let cursor = from as ReconcileCursor | null;
		const report = { looked_at: 0, found: 0, repaired: 0 };
		for (let pages = 0; pages < PAGES_PER_RUN; pages++) {
			const page = await reconcilePage(context, cursor, true);
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
	context: UpkeepContext,
	walk: keyof typeof FIND,
	after: readonly string[],
	repair: boolean,
): Promise<WalkPage> {
	const page = await FIND[walk](context.platform.db, after, ROWS_PER_PAGE, context.now);
	const findings: Finding[] = [];
	for (const defect of page.defects) {
		const { kind, partnerId, subject } = defect;
		findings.push({ kind, partnerId, subject, repaired: repair ? await tryToMend(context, defect) : null });
	}
	return { looked: page.looked, findings, last: page.last };
}

async function compareCounters(
	{ platform: { db } }: UpkeepContext,
	[partnerId, block]: readonly string[],
	repair: boolean,
): Promise<WalkPage> {
	const after: CountedBlock | null = partnerId === undefined ? null : { partnerId, block: Number(block) };
	const blocks = await findBlocks(db, after, BLOCKS_PER_PAGE);
	const findings: Finding[] = [];
	for (const counted of blocks) {
		if ((await countWrongCounters(db, counted)) === 0) continue;
		if (repair) await recountBlock(db, counted);
		const repaired = repair ? true : null;
		findings.push({
			kind: "wrong_counters",
			partnerId: counted.partnerId,
			subject: String(counted.block),
			repaired,
		});
	}
	const end = blocks.length < BLOCKS_PER_PAGE ? undefined : blocks.at(-1);
	return { looked: blocks.length, findings, last: end ? [end.partnerId, String(end.block)] : null };
}

async function tryToMend(context: UpkeepContext, defect: Defect): Promise<boolean | null> {
	try {
		return await mendDefect(context, defect);
	} catch (error) {
		log("error", "mend_failed", { kind: defect.kind, subject: defect.subject, ...describeError(error) });
		return false;
	}
}
