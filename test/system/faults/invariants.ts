import { env } from "cloudflare:workers";
import { type AuditCursor, verifyAuditPage } from "../../../src/db/audit-chain.ts";
import { openDb } from "../../../src/db/query.ts";
import { type ReconcileCursor, reconcilePage } from "../../../src/jobs/reconcile.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime, SECOND, storedIn } from "../../support/look-inside.ts";
import { readRegister } from "../../support/register.ts";
import { checkAcknowledged } from "./acknowledged.ts";
import { checkAnswers } from "./answers.ts";
import { findSecrets } from "./secrets.ts";
import { checkStatements } from "./statement-ownership.ts";
import type { World } from "./world.ts";

// biome-ignore lint/suspicious/noExplicitAny: rows of any table, read by name.
export type Snapshot = Record<string, Record<string, any>[]>;

/**
 * The six invariants of docs/contributors/architecture.md, of a world in which faults were made and one lease has passed since.
 * Lets that lease pass, rings the alarms, then looks at everything the service stored, said and sent.
 * @returns a line for each promise found broken; empty when all hold.
 */
export async function checkInvariants(world: World): Promise<string[]> {
	const stuck = await world.rest();
	const db = (await readRegister()) as Snapshot;
	const objects = new Map<string, Record<string, unknown>>();
	for (const [pCode, { partner }] of world.codes) objects.set(pCode, await storedIn(partner, pCode));
	const pictures = await readPictures();
	const rows = new Map(db.purchase_codes!.map((row) => [row.code as string, row]));
	return [
		...stuck.map((pCode) => `4: ${pCode}: the lease outlives its alarm`),
		...[...world.codes.keys()].flatMap((pCode) => checkCertificates(world, db, pCode, rows.get(pCode))),
		...checkSigned(world, db),
		...checkAcknowledged(world, db),
		...checkAnswers(world, db),
		...checkFree(rows, objects),
		...(await verifyAudit()),
		...(await compareRegister()),
		...checkPictures(db, pictures),
		...findSecrets(world, { register: db, objects, pictures }),
		...checkStatements(world),
	];
}

/** Invariant 1. */
function checkCertificates(
	world: World,
	db: Snapshot,
	pCode: string,
	row: Snapshot[string][number] | undefined,
): string[] {
	if (!row) return [`3: ${pCode}: its row is gone`];
	const broken: string[] = [];
	const left = new Set(world.left.filter((one) => one.pCode === pCode).map(({ serial }) => serial));
	if (left.size > 1) broken.push(`1: ${pCode}: ${left.size} certificates have left`);
	const good = db.certificates!.filter(
		(entry) => entry.code === pCode && entry.revoked_at === null && entry.issued_at !== null,
	);
	if (good.length > 1) broken.push(`1: ${pCode}: ${good.length} certificates are good`);
	const strangers = [...left, ...good.map(({ serial }) => serial as string)].filter(
		(serial) => serial !== row.certificate_serial,
	);
	if (strangers.length > 0) broken.push(`1: ${pCode}: the code does not name ${strangers.join()}`);
	if (left.size > 0 && row.issued_at === null) broken.push(`1: ${pCode}: left, and does not read EMITTED`);
	return broken;
}

/** Invariant 2: signed only after it was written down, and entered for good since; void unless its code names it. */
function checkSigned(world: World, db: Snapshot): string[] {
	const entries = new Map(db.certificates!.map((entry) => [entry.serial as string, entry]));
	const named = new Set(db.purchase_codes!.map(({ certificate_serial }) => certificate_serial));
	return world.signed.flatMap((serial) => {
		const entry = entries.get(serial);
		if (!entry) return [`2: ${serial} was signed and is in no register`];
		return named.has(serial) || entry.revoked_at !== null ? [] : [`2: ${serial} is nobody's and not revoked`];
	});
}

/** Invariant 4, the first half: nothing runs any more, nothing is kept that an unfinished run left. */
function checkFree(
	rows: ReadonlyMap<string, Snapshot[string][number]>,
	objects: ReadonlyMap<string, Record<string, unknown>>,
): string[] {
	const now = Date.now();
	const broken: string[] = [];
	for (const [pCode, stored] of objects) {
		const until = rows.get(pCode)?.processing_until ?? 0;
		if (until > now) broken.push(`4: ${pCode} reads processing for ${until - now} ms more`);
		for (const [key, value] of Object.entries(stored))
			if (key === "lease" || (value as { draftOf?: unknown }).draftOf)
				broken.push(`4: ${pCode} has a ${key} that no run ends`);
	}
	return broken;
}

/** Invariant 4, the second half: what the partner would do next can be done, and comes to its right end. */
export async function carryOn(world: World): Promise<string[]> {
	const broken: string[] = [];
	await world.rest();
	for (const [pCode, { partner }] of world.codes) {
		passTime(7 * SECOND);
		const isExpired = (await partner.listed(pCode))?.status === "expirado";
		const status = isExpired ? "expirado" : await partner.status(pCode);
		const told = [status, ...(await nextSteps(world, pCode, status))].join(" ");
		if (!EXPECTED_NEXT.has(told)) broken.push(`4: ${pCode} cannot be carried on: ${told}`);
	}
	return broken;
}

const STEPS: Record<string, readonly ("request" | "claim")[]> = {
	ACTIVE: ["request", "claim"],
	expirado: ["request", "claim"],
	CANCELLED: ["request"],
	LOCKED: ["request"],
};

/** Status, and what the next steps answer. A B2B request has issued by the time the claim comes: 201. */
const EXPECTED_NEXT = new Set([
	"ACTIVE 200 200",
	"ACTIVE 200 201",
	"expirado 406 404",
	"VALIDATED 200",
	"EMITTED 201",
	"EXPIRED 201",
	"CANCELLED 423",
	"LOCKED 429",
	"LOCKED 423",
]);

async function nextSteps(world: World, pCode: string, status: string): Promise<number[]> {
	const steps = STEPS[status] ?? ["claim"];
	const told: number[] = [];
	for (const step of steps) told.push((await world[step](pCode)).status);
	return told;
}

async function verifyAudit(): Promise<string[]> {
	const broken: string[] = [];
	let cursor: AuditCursor | null = null;
	do {
		const page = await verifyAuditPage(openDb(env.DB), cursor, 1_000);
		broken.push(...page.faults.map(({ entity, kind }) => `audit: ${entity} ${kind}`));
		cursor = page.next;
	} while (cursor !== null);
	return broken;
}

async function compareRegister(): Promise<string[]> {
	const platform = await platformOf(env);
	const context = { platform, now: Date.now(), actor: "job:check", requestId: "check" } as const;
	const broken: string[] = [];
	let cursor: ReconcileCursor | null = null;
	do {
		const page = await reconcilePage(context, cursor, false);
		broken.push(...page.findings.map(({ kind, subject }) => `reconcile: ${kind} ${subject}`));
		cursor = page.next;
	} while (cursor !== null);
	return broken;
}

/** Invariant 3 of pictures: one that the register tells of is there. */
function checkPictures(db: Snapshot, pictures: ReadonlyMap<string, string>): string[] {
	return db
		.evidence!.filter(({ object_key }) => !pictures.has(object_key))
		.map(({ object_key }) => `3: the picture ${object_key} is gone`);
}

async function readPictures(): Promise<Map<string, string>> {
	const { objects } = await env.EVIDENCE.list();
	const contents = await Promise.all(
		objects.map(async ({ key }) => [key, (await (await env.EVIDENCE.get(key))?.text()) ?? ""] as const),
	);
	return new Map(contents);
}
