import { dataOf } from "../../../scripts/data-of.ts";
import { everyPage } from "../../support/every-page.ts";
import { checkStored } from "../invariants.ts";
import {
	checkEmissionRate,
	checkNoFailures,
	checkNoFreeGuess,
	checkRecorded,
	checkRepeats,
	checkTenancy,
} from "./check-answers.ts";
import { checkDeliveries } from "./check-deliveries.ts";
import { checkSessions } from "./check-sessions.ts";
import type { Client } from "./client.ts";
import type { Journal, Partner } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * All that must hold of a service that has recovered, besides what {@link recover} checks. Each line begins with the
 * number of the invariant (docs/contributors/architecture.md) or what was checked.
 *
 * @param mayBeUnavailable - its signer was killed: an answer may be 503.
 */
export async function checkState(
	journal: Journal,
	snapshot: Snapshot,
	partners: Partner[],
	client: Client,
	mayBeUnavailable = false,
): Promise<string[]> {
	const { sightings: left, signed, noted } = journal;
	const answers = journal.seenAnswers();
	return [
		...checkStored(snapshot, { left, signed, revokedByOps: new Set(), answers }),
		...checkNoted(signed, noted, snapshot),
		...checkRecorded(journal, snapshot),
		...checkRepeats(journal),
		...checkNoFreeGuess(journal, snapshot),
		...checkNoFailures(journal, mayBeUnavailable),
		...checkEmissionRate(journal),
		...checkTenancy(journal, snapshot),
		...checkSessions(journal),
		...checkDeliveries(journal, snapshot, partners),
		...(await checkByOps(client)),
	];
}

/** Invariant 2: every serial that was signed was on a lease before, of the code it is entered for. */
function checkNoted(
	signed: ReadonlySet<string>,
	noted: ReadonlyMap<string, string>,
	{ certificates }: Snapshot,
): string[] {
	const entered = new Map(certificates.map(({ serial, code }) => [serial, code]));
	return [...signed].flatMap((serial) => {
		const code = entered.get(serial);
		if (!noted.has(serial)) return [`2: ${serial} was signed and on no lease before`];
		if (code === undefined || code === noted.get(serial)) return [];
		return [`2: ${serial} of ${noted.get(serial)} is entered for ${code}`];
	});
}

/** Checks by ops' calls that the audit's chains verify and reconciliation finds nothing. */
export async function checkByOps({ ops }: Client): Promise<string[]> {
	const audit = await everyPage(async (body) => dataOf(await ops.POST("/ops/v1/audit/verify", { body })));
	const reconciled = await everyPage(async (body) => dataOf(await ops.POST("/ops/v1/reconcile", { body })));
	const faults = audit.flatMap((page) => page.faults);
	const findings = reconciled.flatMap((page) => page.findings);
	return [
		...faults.map(({ entity, version, fault }) => `audit: ${entity} ${version} ${fault}`),
		...findings.map(({ kind, subject }) => `reconcile: ${kind} ${subject}`),
	];
}
