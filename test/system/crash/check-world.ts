import { checkOneCertificate, checkSignedSerials } from "./check-certificates.ts";
import { checkOwed } from "./check-deliveries.ts";
import { checkAcknowledged, checkRepeats } from "./check-facts.ts";
import { checkEmissionRate, checkNoFailures, checkNoFreeGuess } from "./check-progress.ts";
import { checkByOps } from "./check-register.ts";
import { checkTenancy } from "./check-tenancy.ts";
import type { Client } from "./client.ts";
import type { Journal, Partner } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * All that must hold of a service that has recovered, beside what {@link recover} has seen. Each line begins with the
 * number of the invariant (docs/contributors/architecture.md) or what was asked.
 */
export async function checkWorld(
	journal: Journal,
	snapshot: Snapshot,
	partners: Partner[],
	client: Client,
): Promise<string[]> {
	return [
		...checkOneCertificate(journal, snapshot),
		...checkSignedSerials(journal, snapshot),
		...checkAcknowledged(journal, snapshot),
		...checkRepeats(journal),
		...checkNoFreeGuess(journal, snapshot),
		...checkNoFailures(journal),
		...checkEmissionRate(journal),
		...checkTenancy(journal, snapshot),
		...checkOwed(journal, snapshot, partners),
		...(await checkByOps(client)),
	];
}
