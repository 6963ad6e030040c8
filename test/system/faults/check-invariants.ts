import { env } from "cloudflare:workers";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import { type AuditCursor, verifyAuditPage } from "../../../src/jobs/audit/verify.ts";
import { cronCaller } from "../../../src/jobs/job.ts";
import { type ReconcileCursor, reconcileNext } from "../../../src/jobs/reconcile.ts";
import { platformOf } from "../../../src/platform.ts";
import type { DatabaseCursor } from "../../../src/walk-databases.ts";
import { passTime } from "../../support/clock.ts";
import { everyPage } from "../../support/every-page.ts";
import { storedIn } from "../../support/look-inside.ts";
import { readLivingTables } from "../../support/tables.ts";
import { checkKept, checkOnboarding, checkStored, type SessionRow, type Stored } from "../invariants.ts";
import { checkAnswers } from "./answers.ts";
import { checkAcknowledged } from "./check-acknowledged.ts";
import { readPictures, type Snapshot, seenBy, storedOf } from "./collect.ts";
import type { Fixture } from "./fixture.ts";
import { findSecrets } from "./secrets.ts";
import { checkKeys } from "./spies.ts";
import { checkStatements } from "./statement-ownership.ts";

/**
 * The six invariants of docs/contributors/architecture.md, of a fixture in which faults were made and one lease has passed since.
 * Lets that lease pass, rings the alarms, then looks at everything the service stored, said and sent.
 * @returns a line for each promise found broken; empty when all hold.
 */
export async function checkInvariants(fixture: Fixture): Promise<string[]> {
	const stuck = await fixture.rest();
	const db = (await readLivingTables()) as Snapshot;
	const objects = new Map<string, Record<string, unknown>>();
	for (const [pCode, { partner }] of fixture.codes) objects.set(pCode, await storedIn(partner, pCode));
	const pictures = await readPictures();
	const stored = storedOf(db, pictures);
	return [
		...stuck.map((pCode) => `4: ${pCode}: the lease outlives its alarm`),
		...[...fixture.codes.keys()]
			.filter((pCode) => !stored.codes.has(pCode))
			.map((pCode) => `3: ${pCode}: its row is gone`),
		...checkStored(stored, seenBy(fixture)),
		...checkKeys(fixture.signed),
		...checkAcknowledged(fixture, db),
		...checkAnswers(fixture, db),
		...checkFree(stored.codes, objects),
		...checkSessions(stored.codes, objects, db.onboarding_sessions as unknown as SessionRow[]),
		...(await verifyAudit()),
		...(await reconcile()),
		...findSecrets(fixture, { db, objects, pictures }),
		...checkStatements(fixture),
	];
}

/** Invariant 4, the first half: nothing runs any more, nothing is kept that an unfinished run left. */
function checkFree(rows: Stored["codes"], objects: ReadonlyMap<string, Record<string, unknown>>): string[] {
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

/** Checks the widget's sessions: no code is in onboarding beyond its session. */
function checkSessions(
	rows: Stored["codes"],
	objects: ReadonlyMap<string, Record<string, unknown>>,
	sessions: readonly SessionRow[],
): string[] {
	const kept = [...objects].flatMap(([code, stored]) =>
		Object.entries(stored).flatMap(([key, value]) => {
			const [, session] = /^onboarding:(.*)/.exec(key) ?? [];
			return session ? [{ code, session, until: (value as { until: number }).until }] : [];
		}),
	);
	return [...checkOnboarding(rows.values(), sessions, Date.now()), ...checkKept(kept, sessions)];
}

/** Invariant 4, the second half: what the partner would do next can be done, and comes to its right end. */
export async function carryOn(fixture: Fixture): Promise<string[]> {
	const broken: string[] = [];
	await fixture.rest();
	for (const [pCode, { partner }] of fixture.codes) {
		passTime(7 * SECOND_MS);
		const isExpired = (await partner.listed(pCode))?.status === "expirado";
		const status = isExpired ? "expirado" : await partner.status(pCode);
		const went = [status, ...(await nextSteps(fixture, pCode, status))].join(" ");
		if (!EXPECTED_NEXT.has(went)) broken.push(`4: ${pCode} cannot be carried on: ${went}`);
	}
	return broken;
}

const STEPS: Record<string, readonly ("request" | "claim")[]> = {
	ACTIVE: ["request", "claim"],
	IN_ONBOARDING: ["request", "claim"],
	expirado: ["request", "claim"],
	CANCELLED: ["request"],
	LOCKED: ["request"],
};

/** Status, and what the next steps answer. A B2B request has issued by the time the claim comes: 201. */
const EXPECTED_NEXT = new Set([
	"ACTIVE 200 200",
	"ACTIVE 200 201",
	"IN_ONBOARDING 200 200",
	"IN_ONBOARDING 200 201",
	"expirado 406 404",
	"VALIDATED 200",
	"EMITTED 201",
	"EXPIRED 201",
	"CANCELLED 423",
	// The emission limit counts before the code is looked at; a clock set back leaves it full.
	"CANCELLED 429",
	"LOCKED 429",
	"LOCKED 423",
]);

async function nextSteps(fixture: Fixture, pCode: string, status: string): Promise<number[]> {
	const steps = STEPS[status] ?? ["claim"];
	const statuses: number[] = [];
	for (const step of steps) statuses.push((await fixture[step](pCode)).status);
	return statuses;
}

async function verifyAudit(): Promise<string[]> {
	const platform = await platformOf(env);
	const read = ({ cursor }: { cursor?: AuditCursor }) => verifyAuditPage(platform, cursor ?? null, 1_000);
	const faults = (await everyPage(read)).flatMap((page) => page.faults);
	return faults.map(({ entity, kind }) => `audit: ${entity} ${kind}`);
}

async function reconcile(): Promise<string[]> {
	const platform = await platformOf(env);
	const caller = cronCaller(platform, { name: "check" }, Date.now());
	const read = ({ cursor }: { cursor?: DatabaseCursor<ReconcileCursor> }) =>
		reconcileNext(caller, cursor ?? null, false);
	const findings = (await everyPage(read)).flatMap((page) => page.findings);
	return findings.map(({ kind, subject }) => `reconcile: ${kind} ${subject}`);
}
