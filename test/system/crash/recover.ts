import { type CodeRow, isUnderWay } from "../invariants.ts";
import { claim, status } from "./calls.ts";
import { checkCarriedOn, checkNothingStuck } from "./check-answers.ts";
import { checkOnboarded } from "./check-onboarding.ts";
import type { Client } from "./client.ts";
import type { OwnedCode } from "./inspect.ts";
import type { Call, Journal, Partner } from "./journal.ts";
import type { RecoveredBy } from "./kill-plan.ts";
import type { ServiceProcess } from "./service-process.ts";
import { takeSnapshot } from "./snapshot.ts";

export interface Recovery {
	service: ServiceProcess;
	client: Client;
	journal: Journal;
	/** Means of recovery for the leases that the last kill left. */
	recoveredBy: RecoveredBy;
	/** The service's own, epoch milliseconds. */
	now: () => number;
}

const PATIENCE_MS: Record<RecoveredBy, number> = { alarm: 30_000, call: 0, "real-alarm": 75_000 };
const POLL_MS = 50;

/**
 * Checks invariant 4 after a crash: makes every call that died again, and expects every code that was touched to be
 * free.
 * @returns the violations.
 */
export async function recover(recovery: Recovery): Promise<string[]> {
	const { journal, recoveredBy } = recovery;
	const violations: string[] = [];
	if (recoveredBy === "real-alarm") await knock(recovery);
	if (recoveredBy !== "call") {
		violations.push(...(await waitForAlarms(recovery)));
		violations.push(...(await checkFree(recovery)));
	}
	violations.push(...(await repeatCalls(recovery)));
	// Whatever still has a lease had no call that died: any call on the code recovers it.
	for (const { code } of await findLeases(recovery)) await poke(recovery, code);
	const left = await findLeases(recovery);
	violations.push(
		...left.map(({ code, serial }) => `4: the lease of ${code} is still there, serial ${serial}`),
	);
	violations.push(...(await checkFree(recovery)), ...(await checkStatuses(recovery)));
	journal.unrecovered.clear();
	return violations;
}

/** No code is in a step, or in onboarding without its session. */
async function checkFree({ service, journal, now }: Recovery): Promise<string[]> {
	const snapshot = await takeSnapshot(service);
	const onboarded = await checkOnboarded(service, snapshot, touchedCodes(journal), now());
	return [...checkNothingStuck(journal, snapshot), ...onboarded];
}

function touchedCodes({ unrecovered }: Journal): OwnedCode[] {
	return [...unrecovered].map(([code, { id }]) => ({ code, partnerId: id }));
}

interface FoundLease {
	code: string;
	serial: string | null;
}

function findLeases({ service, journal }: Recovery): Promise<FoundLease[]> {
	return service.ask("leases", touchedCodes(journal));
}

/** Clients that do not wait for the lease: they are answered that the code is busy, or get what there is. */
async function knock({ client, journal }: Recovery): Promise<void> {
	await allOrDeath(journal.pending().map((call) => client.sendAgain(call)));
}

async function waitForAlarms(recovery: Recovery): Promise<string[]> {
	const deadline = Date.now() + PATIENCE_MS[recovery.recoveredBy];
	for (;;) {
		const left = await findLeases(recovery);
		if (left.length === 0) return [];
		if (Date.now() > deadline) return left.map(({ code }) => `4: no alarm recovered ${code}`);
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	}
}

/** One code's calls one after the other, different codes concurrently. */
async function repeatCalls({ client, journal, service, now }: Recovery): Promise<string[]> {
	const groups = new Map<string, Call[]>();
	for (const [n, call] of journal.pending().entries()) {
		const group = call.code ?? `no code ${n}`;
		groups.set(group, [...(groups.get(group) ?? []), call]);
	}
	const repeated: Call[] = [];
	await allOrDeath(
		[...groups.values()].map(async (calls) => {
			for (const call of calls) {
				await client.repeat(call);
				repeated.push(journal.calls.findLast(({ body, path }) => body === call.body && path === call.path)!);
			}
		}),
	);
	const { codes, sessions } = await takeSnapshot(service);
	const at = now();
	const live = new Set(
		sessions.filter((row) => row.ended_at === null && row.until_at > at).map(({ id }) => id),
	);
	return repeated.flatMap((call) => {
		const row = codes.get(call.code ?? "");
		const claims = ["claim", "wrong-claim", "download"].includes(call.kind);
		const blockedAt = row?.blocked_at ?? (claims ? null : row?.validation_blocked_at);
		const lockedUntil = claims ? row?.claim_locked_until : row?.validation_locked_until;
		const locked = blockedAt != null || (lockedUntil ?? 0) > at;
		const over = call.session !== null && !live.has(call.session.id);
		return checkCarriedOn(call, { locked, cancelled: row?.cancelled_at != null, over });
	});
}

function poke({ client, journal }: Recovery, code: string): Promise<unknown> {
	const partner = journal.unrecovered.get(code)!;
	return claim(client, { partner, code, holder: journal.holders.get(code)! }, { idempotencyKey: null });
}

const ASKED = 12;

/** Checks that GET /status of the codes touched last shows what the database holds. */
async function checkStatuses({ service, client, journal, now }: Recovery): Promise<string[]> {
	const { codes, sessions } = await takeSnapshot(service);
	const at = now();
	const underWay = new Set(sessions.filter((row) => isUnderWay(row, at)).map(({ code }) => code));
	const asked = [...journal.unrecovered].slice(-ASKED);
	const reported = await allOrDeath(
		asked.map(async ([code, partner]: [string, Partner]) => {
			const { body } = await status(client, partner, code);
			return { code, read: String(body?.data?.status) };
		}),
	);
	return reported
		.filter(({ code, read }) => read !== expectedStatus(codes.get(code), underWay, at))
		.map(({ code, read }) => `3: GET /status reads ${read} for ${code}`);
}

function expectedStatus(row: CodeRow | undefined, underWay: ReadonlySet<string>, now: number): string {
	if (!row) return "NOT_FOUND";
	if (row.cancelled_at !== null) return "CANCELLED";
	if (row.issued_at !== null) return "EMITTED";
	const lockedUntil = row.validated_at === null ? row.validation_locked_until : row.claim_locked_until;
	if (row.blocked_at !== null || (lockedUntil ?? 0) > now) return "LOCKED";
	if (underWay.has(row.code)) return "IN_ONBOARDING";
	return row.validated_at !== null ? "VALIDATED" : "ACTIVE";
}

/** Waits for all, also when the service dies under one. @throws {ServiceDied} */
async function allOrDeath<T>(work: Promise<T>[]): Promise<T[]> {
	const results = await Promise.allSettled(work);
	const failed = results.find((result) => result.status === "rejected");
	if (failed) throw failed.reason;
	return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}
