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
import type { Client } from "./client.ts";
import type { Journal, Partner } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * All that must hold of a service that has recovered, besides what {@link recover} checks. Each line begins with the
 * number of the invariant (docs/contributors/architecture.md) or what was checked.
 */
export async function checkState(
	journal: Journal,
	snapshot: Snapshot,
	partners: Partner[],
	client: Client,
): Promise<string[]> {
	const answers = journal.calls.flatMap(({ kind, code, partner, answer }) =>
		answer ? [{ kind, code, partnerId: partner.id, status: answer.status, body: answer.body }] : [],
	);
	const { sightings: left, signed, noted } = journal;
	return [
		...checkStored(snapshot, { left, signed, revokedByOps: new Set(), answers }),
		...checkNoted(signed, noted, snapshot),
		...checkRecorded(journal, snapshot),
		...checkRepeats(journal),
		...checkNoFreeGuess(journal, snapshot),
		...checkNoFailures(journal),
		...checkEmissionRate(journal),
		...checkTenancy(journal, snapshot),
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

interface AuditPage {
	faults: { entity: string; version: number; fault: string }[];
	next: string | null;
}

interface ReconcilePage {
	findings: { kind: string; subject: string }[];
	next: string | null;
}

/** By the calls of ops: the audit's chains verify, and reconciliation finds nothing. */
async function checkByOps(client: Client): Promise<string[]> {
	const broken: string[] = [];
	let cursor: string | null = null;
	do {
		const page: AuditPage = await client.ops("POST", "/audit/verify", { cursor });
		for (const { entity, version, fault } of page.faults) broken.push(`audit: ${entity} ${version} ${fault}`);
		cursor = page.next;
	} while (cursor !== null);
	do {
		const page: ReconcilePage = await client.ops("POST", "/reconcile", { cursor });
		for (const { kind, subject } of page.findings) broken.push(`reconcile: ${kind} ${subject}`);
		cursor = page.next;
	} while (cursor !== null);
	return broken;
}
