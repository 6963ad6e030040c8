import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { BOUND, REGISTER } from "../../support/db.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { JUANA, PEDRO } from "../../support/service.ts";
import type { Call, RequestCall } from "./calls.ts";
import { drawPlan, type Plan, pick, type Random } from "./plan.ts";
import type { Wrong } from "./record.ts";

/* Plans that aim at one thing: what any clients meet now and then happens here in nearly every history. */

const CODES = ["A", "B", "C"];
const MOMENT = 61_000;

/** Ops change every code while it is validated. */
function drawOpsDuringRequests(random: Random): Plan {
	const clients = CODES.flatMap((code, i) => {
		const facts: Call = { verb: "facts", code };
		const verb = pick(random, ["cancel", "block"] as const);
		return [
			[validation(code, i, i === 0 ? PEDRO : JUANA), facts],
			[{ verb, code } as const, facts],
		];
	});
	return oneMinute(clients);
}

/** All codes are validated for one RUT, and other clients read the list. */
function drawOneRut(): Plan {
	const lists: Call[] = Array.from({ length: 6 }, () => ({ verb: "list", status: null }));
	return oneMinute([...CODES.map((code, i) => [validation(code, i, JUANA)]), lists, lists, lists]);
}

/**
 * Guesses about one person on all codes, more than the person's RUT may have. One client: of guesses at the same
 * moment all but one find the RUT being validated, and do not count.
 */
function drawGuesses(): Plan {
	const guess = (code: string, n: number): Call => ({
		...validation(code, n, JUANA),
		cardSerial: String(900_000_000 + n),
		registry: "denies",
	});
	return oneMinute([[1, 2, 3].flatMap((n) => CODES.map((code, i) => guess(code, 3 * i + n)))]);
}

function oneMinute(clients: Call[][]): Plan {
	const phases = [{ clients, aborts: [], move: null, passing: MOMENT }];
	return { mode: "B2C", codes: CODES, phases, pause: 8, delay: 8 };
}

function validation(code: string, n: number, person: typeof JUANA): RequestCall {
	const { dni: rut, serialNumber: cardSerial, email, pin } = person;
	const reference = `order-${n + 1}`;
	return { verb: "request", code, rut, cardSerial, email, pin, reference, registry: "confirms", key: null };
}

/*
 * The service with one promise of what it stands on broken, or one thing in it done wrong. Histories of each must be
 * refused: a checker that accepts them proves nothing of the others.
 */

type Deliver = () => Promise<unknown>;

export interface FaultyService {
	/** Made anew for each history. */
	wrong?: (random: Random) => Wrong;
	/** Plan of its clients; defaults to that of any clients. */
	plan?: (random: Random) => Plan;
	/** Breaks what stands below the service; returns its mending. */
	breakIt?: () => Promise<() => void | Promise<void>> | (() => void);
}

export const FAULTY_SERVICES: Record<string, FaultyService> = {
	"D1 answers reads from a replica that lags": {
		plan: (random) => drawPlan(random, [1]),
		wrong: (random) => {
			const earlier = new Map<string, unknown>();
			return {
				trip: async (deliver, sql) => {
					if (!/^select [^;]* from "purchase_codes" where/is.test(sql)) return deliver();
					const stale = earlier.get(sql);
					if (stale !== undefined && random() < 0.5) return stale;
					const result = await deliver();
					earlier.set(sql, result);
					return result;
				},
			};
		},
	},
	"D1 acknowledges a commit and loses it": {
		wrong: (random) => ({
			trip: (deliver, sql) => (isCommit(sql) && random() < 0.3 ? forget(sql) : deliver()),
		}),
	},
	"commits do not compare the version": { plan: drawOpsDuringRequests, breakIt: replaceAuditRows },
	"a partner's old place takes what is written while it moves": {
		plan: (random) => drawPlan(random, [1, 2], true),
		breakIt: () => dropTrigger("partner_changes_of_open_places"),
	},
	"two codes of one RUT may be validated at once": {
		plan: drawOneRut,
		breakIt: () => rewriteSql(/other\.processing_until > \?/, "other.processing_until > ? + 1e15"),
	},
	"nobody reads that a RUT is locked": {
		plan: drawGuesses,
		breakIt: () =>
			rewriteSql(
				/(?:"rut_attempts"."locked_until"|rut_attempts.locked_until) > \?|"locked_until" from "rut_attempts"/,
				(found) => (found.endsWith("?") ? `${found} + 1e15` : 'NULL from "rut_attempts"'),
			),
	},
	"an object now and then forgets its lease": { breakIt: forgetLeases },
	"a claim that was too late gets a certificate too": { wrong: () => issuingFor("201 ALREADY_ISSUED") },
	"any PIN will do": { wrong: () => issuingFor("406 CREDENTIALS_MISMATCH") },
	"a call under a used Idempotency-Key is answered anew": {
		wrong: () => ({ report: (_, reported) => reported.replace(/ \(replayed\)$/, "") }),
	},
	"failures are not counted": {
		plan: drawGuesses,
		wrong: () => ({
			report: (call, reported) =>
				call.verb === "facts" ? reported.replace(/validation \d+/, "validation 0") : reported,
		}),
	},
	"a cancelled code can be claimed": { plan: drawOpsDuringRequests, wrong: () => issuingFor("423 LOCKED") },
	"a code stays taken after the call inside has gone": {
		wrong: () => {
			const taken = new Set<string>();
			return {
				report: (call, reported) => {
					if (call.verb !== "claim") return reported;
					if (reported.startsWith("202 ")) taken.add(call.code);
					return taken.has(call.code) && reported.startsWith("406 ")
						? "202 VALIDATION_IN_PROGRESS"
						: reported;
				},
			};
		},
	},
};

/** Answers a claim with a certificate that nobody else sees, in place of this refusal. */
function issuingFor(refusal: string): Wrong {
	const issued = `200 issued ${"F".repeat(32)}`;
	return { report: (call, reported) => (call.verb === "claim" && reported === refusal ? issued : reported) };
}

function isCommit(sql: string): boolean {
	return /insert (or replace )?into "audit_events"/i.test(sql);
}

/** Empty results, one for each statement. */
function forget(sql: string): ReturnType<Deliver> {
	const nothing = { results: [], success: true, meta: { changes: 1 } };
	return Promise.resolve(sql.split(";\n").map(() => nothing));
}

/** The second writer of a version takes the place of the first, where the trigger that forbids it is gone. */
async function replaceAuditRows(): Promise<() => Promise<void>> {
	const bringBack = await dropTrigger("audit_events_never_replaced");
	const restore = rewriteSql(/insert into "audit_events"/i, 'insert or replace into "audit_events"');
	return async () => {
		restore();
		await bringBack();
	};
}

/** Drops a trigger of every database; returns what makes it again. */
async function dropTrigger(name: string): Promise<() => Promise<void>> {
	const trigger = REGISTER.prepare("SELECT sql FROM sqlite_master WHERE name = ?").bind(name);
	const { sql } = (await trigger.first<{ sql: string }>())!;
	const everywhere = async (text: string) => {
		for (const database of BOUND) await database.prepare(text).run();
	};
	await everywhere(`DROP TRIGGER ${name}`);
	return () => everywhere(sql);
}

function rewriteSql(what: RegExp, by: string | ((found: string) => string)): () => void {
	const prototype = Object.getPrototypeOf(REGISTER) as D1Database;
	const prepare = prototype.prepare;
	const spy = vi.spyOn(prototype, "prepare").mockImplementation(function (this: D1Database, sql: string) {
		return prepare.call(this, sql.replace(what, by as string));
	});
	return () => spy.mockRestore();
}

async function forgetLeases(): Promise<() => void> {
	const stub = env.PURCHASE_CODES.getByName("any");
	const kv = await runInDurableObject(
		stub,
		(_, { storage }) => Object.getPrototypeOf(storage.kv) as SyncKvStorage,
	);
	const get = kv.get as (this: SyncKvStorage, key: string) => unknown;
	const random = seededRandom(1);
	const spy = vi.spyOn(kv, "get").mockImplementation(function (this: SyncKvStorage, key: string) {
		return key === "lease" && random() < 0.1 ? undefined : get.call(this, key);
	} as typeof kv.get);
	return () => spy.mockRestore();
}
