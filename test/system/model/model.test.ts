import fc from "fast-check";
import { expect, test } from "vitest";
import { count, runSize } from "../../support/run-size.ts";
import { STAGES } from "./document/facts.ts";
import { runSequence } from "./run-sequence.ts";
import type { Sequence } from "./sequences/commands.ts";
import { sequences } from "./sequences/generate-sequences.ts";
import type { Tally } from "./service/compare-with-service.ts";

/*
 * Every outcome that the model knows and a sequence can come to, with the status first: the rows of §7, of §3 and of
 * the tables in decisions. Out of reach: 500, 405, 408, 413, 415, a registry that never
 * answers, the approximate rates, and a claim or a batch that repeats one still running.
 */

const BUSINESS_RULES = `CODE_ALREADY_USED CODE_EXPIRED OTHER_VALIDATION_IN_PROGRESS SERIAL_NUMBER_REQUIRED
	EXPIRATION_DATE_REQUIRED RUT_MISMATCH EMAIL_IN_USE ID_CARD_MISMATCH EXPIRATION_DATE_MISMATCH NAME_MISMATCH
	SSO_REJECTED`.split(/\s+/);

const BY_KIND: Record<string, readonly string[]> = {
	request: [
		"VALIDATED 200",
		"EMITTED 200",
		"held",
		...["replay of 200", "replay of 406"],
		...["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "404 NOT_FOUND"],
		...BUSINESS_RULES.map((rule) => `406 ${rule}`),
		...["409 IDEMPOTENCY_IN_PROGRESS", "422 IDEMPOTENCY_MISMATCH", "423 LOCKED"],
		...["429 ATTEMPT_LIMIT_REACHED", "429 RATE_LIMIT_EXCEEDED"],
		...["503 REGISTRY_UNAVAILABLE", "503 SERVICE_UNAVAILABLE"],
		...["503 frozen", "503 moving", "503 beyond the authority"],
		...["locks", "locks for good", "closes requests for good", "locks a RUT", "ends a lock of claims"],
	],
	claim: [
		...["200", "201 ALREADY_ISSUED", "202 VALIDATION_IN_PROGRESS"],
		...["replay of 200", "replay of 201", "replay of 406"],
		...["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "404 NOT_FOUND", "406 CREDENTIALS_MISMATCH"],
		...["422 IDEMPOTENCY_MISMATCH", "423 LOCKED", "429 ATTEMPT_LIMIT_REACHED"],
		...["503 frozen", "503 moving", "503 beyond the authority"],
		...["locks", "locks for good"],
	],
	bulk: [
		...["201", "replay of 201"],
		...["400 VALIDATION_ERROR", "401 UNAUTHORIZED", "403 PRODUCT_NOT_ENABLED"],
		...["403 CODE_QUOTA_EXCEEDED", "422 IDEMPOTENCY_MISMATCH"],
		...["503 frozen", "503 moving", "503 beyond the authority"],
	],
	status: [
		...["CANCELLED", "EXPIRED", "EMITTED", "LOCKED", "IN_ONBOARDING", "VALIDATED", "ACTIVE", "NOT_FOUND"].map(
			(s) => `${s} 200`,
		),
		...["400 VALIDATION_ERROR", "401 UNAUTHORIZED"],
	],
	list: ["200"],
	cancel: ["200", "again", "503 moving", "404 NOT_FOUND"],
	block: ["200", "again", "503 moving", "404 NOT_FOUND", "406 CODE_ALREADY_USED", "423 LOCKED"],
	unblock: ["200", "again", "404 NOT_FOUND", "423 LOCKED"],
	revoke: ["200", "again", "503 moving", "404 NOT_FOUND"],
	"show code": ["200", "404 NOT_FOUND"],
	"show certificate": ["200", "404 NOT_FOUND"],
	advance: ["200", "to what is due 200", "400 VALIDATION_ERROR", "400 too far", "401 UNAUTHORIZED"],
	manage: ["503 frozen", "503 moving"],
	"run job": ["lapse-validations 200", "erase-holders 200"],
	"create partner": ["201"],
	"make session": [
		...["201", "replay of 201", "400 VALIDATION_ERROR", "401 UNAUTHORIZED", "404 NOT_FOUND"],
		...["406 CODE_ALREADY_USED", "422 IDEMPOTENCY_MISMATCH"],
		...["423 LOCKED", "503 frozen", "503 moving"],
	],
	"show session": ["200", "401 UNAUTHORIZED", "404 NOT_FOUND"],
	"end session": ["200", "that lives 200", "401 UNAUTHORIZED", "404 NOT_FOUND", "503 frozen", "503 moving"],
	frame: [
		...["show 200", "open 200", "answers 200", "answers 400 VALIDATION_ERROR", "401 UNAUTHORIZED"],
		...["EXPIRED", "COMPLETED", "REPLACED", "CANCELLED", "SUPERSEDED", "CODE_CLOSED"].map(
			(reason) => `401 SESSION_${reason}`,
		),
		"401 TOO_MANY_SUBMITS",
		...["submit VALIDATED", "submit EMITTED", "submit again", "submit 400 VALIDATION_ERROR"],
		...["submit 429 RATE_LIMIT_EXCEEDED", "claim 200", "claim replay of 200", "claim 404 NOT_FOUND"],
		...["step 503 frozen", "step 503 moving"],
	],
	sessions: ["whose time is over end"],
	move: [...STAGES, "given up"],
	service: ["frozen", "thawed"],
	database: ["kept", "set back"],
	"judge certificate": ["good", "revoked", "tryLater"],
	"record restore": ["201"],
	mend: ["200", "of codes 200"],
	reconcile: ["200"],
	"verify audit": ["200"],
};

const OUTCOMES: readonly string[] = Object.entries(BY_KIND).flatMap(([kind, outcomes]) =>
	outcomes.map((outcome) => `${kind} ${outcome}`),
);

/** Known too, and too rare for a run of 2000 sequences to reach them all. */
const RARE: readonly string[] = [
	...[
		"406 CODE_EXPIRED",
		"406 EMAIL_IN_USE",
		"406 OTHER_VALIDATION_IN_PROGRESS",
		"replay of 406",
		"429 ATTEMPT_LIMIT_REACHED",
		"503 beyond the authority",
	].map((outcome) => `make session ${outcome}`),
	"end session 406 OTHER_VALIDATION_IN_PROGRESS",
	...["move cleared", "unblock 503 moving"],
	...["frame claim 201 ALREADY_ISSUED", "frame claim replay of 201", "frame claim replay of 406"],
];

const size = runSize({ runs: 10, seed: 20261121 });

test("every answer and both statuses of every code are the model's, for any calls at any time", {
	timeout: 10_800_000,
}, async ({ task }) => {
	const tally: Tally = new Map();
	const property = fc.asyncProperty(sequences, (sequence) => runSequence(sequence, tally));
	const details = await fc.check(property, {
		numRuns: size.runs,
		seed: size.seed,
		...(size.path && { path: size.path }),
	});
	const reached = [...tally].sort();
	count(task, {
		sequences: details.numRuns,
		"outcomes reached": tally.size,
		"outcomes of the model": OUTCOMES.length,
		// What no process of a long run reached is found by test/system/run.ts.
		"outcomes not reached": OUTCOMES.filter((outcome) => !tally.has(outcome)).join(", ") || "none",
		calls: reached.reduce((sum, [, times]) => sum + times, 0),
		...Object.fromEntries(reached),
	});
	if (details.failed) throw new Error(describeFailure(details));
	expect(
		reached.map(([outcome]) => outcome).filter((outcome) => ![...OUTCOMES, ...RARE].includes(outcome)),
	).toEqual([]);
});

/** Command to run it again, the shrunk sequence, and its failure. */
function describeFailure(details: fc.RunDetails<[Sequence]>): string {
	const { seed, counterexamplePath, counterexample, errorInstance } = details;
	return [`seed ${seed}, path ${counterexamplePath}`, JSON.stringify(counterexample), errorInstance].join(
		"\n",
	);
}
