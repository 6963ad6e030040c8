import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { vi } from "vitest";
import { SECOND_MS } from "../../../src/domain/durations.ts";
import { passTime } from "../../support/clock.ts";
import { interceptDb, neverEnds } from "../../support/failing-db.ts";
import { codeObject } from "../../support/look-inside.ts";
import { moveToEnd } from "../../support/move.ts";
import { goMute } from "../../support/mute.ts";
import { freezePlaces, thawPlaces } from "../../support/places.ts";
import { asNobody, isInObject } from "../../support/whose-work.ts";
import { type Fixture, LEASE_OVER } from "./fixture.ts";

/* Every way in which one round trip to D1 goes wrong, for whichever round trip of whichever use case. */

export interface DbFault {
	/** Leaves open, even to the service, whether the trip arrived. */
	inDoubt: boolean;
	/** The failed trip's statements arrive nevertheless. */
	arrives: boolean;
	/** The trip does not fail, so that no call may be answered 503. */
	succeeds?: true;
	/** @returns whether the fault was met at all: a run may make fewer trips than the one before. */
	run(fixture: Fixture, nth: number, act: () => Promise<unknown>, target: string): Promise<boolean>;
}

/** Errors of an absent D1, as its documentation lists them, and those of a client library. */
const D1_ERRORS = [
	"D1_ERROR: Network connection lost.",
	"D1_ERROR: D1 DB is overloaded. Too many requests queued.",
	"D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
	"D1_ERROR: D1 DB reset because its code was updated.",
	"D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
	"D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
	"D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
	"D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
	"D1_ERROR: database or disk is full: SQLITE_FULL",
	"D1_ERROR: Exceeded maximum DB size.",
];

type Deliver = () => Promise<unknown>;

function once(trip: (deliver: Deliver, fixture: Fixture, target: string) => Promise<unknown>) {
	return async (fixture: Fixture, nth: number, act: () => Promise<unknown>, target: string) => {
		const met = { it: false };
		await interceptDb(async (n, deliver) => {
			if (n !== nth) return deliver();
			met.it = true;
			return trip(deliver, fixture, target);
		}, act);
		return met.it;
	};
}

/** D1 is away from the trip on until the call has ended. */
function away(arrives: boolean) {
	return async (_: Fixture, nth: number, act: () => Promise<unknown>) => {
		const met = { it: false };
		await interceptDb(async (n, deliver) => {
			if (n < nth) return deliver();
			met.it = true;
			if (arrives && n === nth) await deliver();
			throw d1Error();
		}, act);
		return met.it;
	};
}

/** D1 answers nothing from the trip on, then fails; it is back once the call has ended. */
function mute(arrives: boolean) {
	return async (_: Fixture, nth: number, act: () => Promise<unknown>) => {
		const muteness = goMute(d1Error());
		const held: Deliver[] = [];
		await interceptDb((n, deliver) => {
			if (n < nth) return deliver();
			held.push(deliver);
			return muteness.ask();
		}, act);
		if (arrives) await held[0]?.().catch(() => undefined);
		muteness.end();
		return held.length > 0;
	};
}

async function late(_: Fixture, nth: number, act: () => Promise<unknown>): Promise<boolean> {
	const held: Deliver[] = [];
	await interceptDb(async (n, deliver) => {
		if (n !== nth) return deliver();
		held.push(deliver);
		throw d1Error();
	}, act);
	for (const deliver of held) await deliver().catch(() => undefined);
	return held.length > 0;
}

/** Every object dies while an object's trip is out. The Worker's own trips pass: nobody would end their wait. */
function dies(arrives: boolean) {
	return async (fixture: Fixture, nth: number, act: () => Promise<unknown>) => {
		const flight = { out: false, over: false };
		const answer = interceptDb(async (n, deliver) => {
			if (n !== nth || !isInObject()) return deliver();
			if (arrives) await deliver();
			flight.out = true;
			return neverEnds();
		}, act).finally(() => {
			flight.over = true;
		});
		await vi.waitUntil(() => flight.out || flight.over, { interval: 1 });
		if (flight.out) {
			await abortAllDurableObjects();
			fixture.ringing.clear();
		}
		await answer;
		return flight.out;
	};
}

/** Does something with the target's partner before the trip, which goes where that partner was; undoes it after the call. */
function whereItIs(begin: (id: string) => Promise<unknown>, end: (id: string) => Promise<unknown>) {
	return async (fixture: Fixture, nth: number, act: () => Promise<unknown>, target: string) => {
		const { id } = fixture.partners.find(({ id }) => target.startsWith(id)) ?? fixture.partners[1]!;
		let begun: Promise<unknown> | undefined;
		await interceptDb(async (n, deliver) => {
			if (n === nth) begun = asNobody(() => begin(id));
			if (n === nth) await begun;
			return deliver();
		}, act);
		// A trip after the answer may still wait for it.
		await begun;
		if (begun) await end(id);
		return begun !== undefined;
	};
}

async function ring(fixture: Fixture, target: string): Promise<void> {
	passTime(LEASE_OVER);
	const code = fixture.codes.get(target);
	if (code) await runDurableObjectAlarm(codeObject(code.partner, target));
}

export function d1Error(text = D1_ERRORS[0]!): Error {
	return new Error(text);
}

function slow(milliseconds: number) {
	return once(async (deliver) => {
		passTime(milliseconds / 2);
		const result = await deliver();
		passTime(milliseconds / 2);
		return result;
	});
}

const errors = { said: 0 };

export const DB_FAULTS: Record<string, DbFault> = {
	"fails before": {
		inDoubt: false,
		arrives: false,
		run: once(async () => {
			throw d1Error(D1_ERRORS[errors.said++ % D1_ERRORS.length]);
		}),
	},
	"fails after it committed": {
		inDoubt: false,
		arrives: true,
		run: once(async (deliver) => {
			await deliver();
			throw d1Error(D1_ERRORS[errors.said++ % D1_ERRORS.length]);
		}),
	},
	"fails, arrives after the answer": { inDoubt: false, arrives: true, run: late },
	"is away from then on": { inDoubt: true, arrives: false, run: away(false) },
	"commits, is away from then on": { inDoubt: true, arrives: true, run: away(true) },
	"is mute for 80 s, then away": { inDoubt: true, arrives: false, run: mute(false) },
	"is mute for 80 s, then away, arrives after that": { inDoubt: true, arrives: true, run: mute(true) },
	"2 s slow": { inDoubt: false, arrives: true, succeeds: true, run: slow(2 * SECOND_MS) },
	"30 s slow": { inDoubt: false, arrives: true, succeeds: true, run: slow(30 * SECOND_MS) },
	"61 s slow, alarm before it arrives": {
		inDoubt: true,
		arrives: true,
		run: once(async (deliver, fixture, target) => {
			await ring(fixture, target);
			return deliver();
		}),
	},
	"61 s slow, alarm after it arrived": {
		inDoubt: true,
		arrives: true,
		run: once(async (deliver, fixture, target) => {
			const result = await deliver();
			await ring(fixture, target);
			return result;
		}),
	},
	"its partner's writes are frozen": {
		inDoubt: false,
		arrives: false,
		run: whereItIs(freezePlaces, thawPlaces),
	},
	"its partner moves away": {
		inDoubt: true,
		arrives: false,
		run: whereItIs(
			(id) => moveToEnd({ id }, { to: 3 }),
			(id) => moveToEnd({ id }, "back"),
		),
	},
	"the object dies before": { inDoubt: true, arrives: false, run: dies(false) },
	"the object dies after": { inDoubt: true, arrives: true, run: dies(true) },
};
