import { JUANA, PEDRO } from "../../support/service.ts";
import type { Call, RunCall } from "./calls.ts";

/* Plans the clients of one history before anything runs, from the history's seed alone. */

export interface Plan {
	mode: "B2C" | "B2B";
	codes: readonly string[];
	phases: readonly Phase[];
	/** The largest wait of a client between two calls, milliseconds. */
	pause: number;
	/** The largest delay before and after a round trip to D1 or the registry, milliseconds. */
	delay: number;
}

/** Clients that call at once, and the time that passes when the last was answered. */
export interface Phase {
	clients: readonly (readonly Call[])[];
	/** Milliseconds from its start at which every object dies. */
	aborts: readonly number[];
	/** Milliseconds from its start at which the partner's move to another database may end; null for none. */
	move: number | null;
	passing: number;
}

export type Random = () => number;

/** Over a lease and the minute of the emission rate; over a security lock. */
const MOMENT = 61_000;
const HALF_HOUR = 30 * 60_000 + MOMENT;

/** §8: certificate_requests a minute; what goes beyond is another test's. */
const REQUESTS_A_MINUTE = 10;

const IRIS = { dni: "10000005-9", serialNumber: "100000005" };
const PINS = ["1111", "2222", "3333"];
const LIST_STATUSES = ["anulado", "emitido", "bloqueado", "en_proceso", "validado", "sin_utilizar"];

export function drawPlan(random: Random, many = [1, 1, 2, 3], moves = random() < 0.4): Plan {
	const codes = ["A", "B", "C"].slice(0, pick(random, many));
	const mode = random() < 0.8 ? "B2C" : "B2B";
	const dies = random() < 0.4;
	const draw = drawCalls(random, codes);
	const phases = Array.from({ length: pick(random, [1, 1, 2, 3]) }, () => {
		draw.newMinute();
		const clients = Array.from({ length: 4 + below(random, 4) }, () =>
			Array.from({ length: 2 + below(random, 3) }, () => draw.call()),
		);
		const aborts = dies ? Array.from({ length: 1 + below(random, 2) }, () => below(random, 40)) : [];
		const move = moves ? below(random, 60) : null;
		return { clients, aborts, move, passing: random() < 0.7 ? MOMENT : HALF_HOUR };
	});
	return { mode, codes, phases, pause: below(random, 6), delay: 2 + below(random, 6) };
}

function drawCalls(random: Random, codes: readonly string[]) {
	const made: RunCall[] = [];
	const count = { requests: 0, references: 0 };
	/** Share of claims among the calls: some codes are claimed much, others validated much. */
	const claims = 0.2 + random() * 0.4;

	function request(): Call {
		const person = random() < 0.85 ? JUANA : PEDRO;
		const away = random() < 0.04;
		const denied = random() < 0.25;
		count.requests += 1;
		count.references += 1;
		const own = `${person === JUANA ? "juana" : "pedro"}@example.cl`;
		return remember({
			verb: "request",
			code: pick(random, codes),
			rut: away ? IRIS.dni : person.dni,
			// A wrong serial of its own, so that the registry's side says who asked.
			cardSerial: denied
				? String(900_000_000 + count.references)
				: away
					? IRIS.serialNumber
					: person.serialNumber,
			email: random() < 0.85 ? own : "shared@example.cl",
			pin: pick(random, PINS),
			reference: `order-${count.references}`,
			registry: away ? "is away" : denied ? "denies" : "confirms",
			key: keyOrNone(),
		});
	}

	function claim(): Call {
		const rut = random() < 0.9 ? JUANA.dni : PEDRO.dni;
		return remember({
			verb: "claim",
			code: pick(random, codes),
			rut,
			pin: pick(random, PINS),
			key: keyOrNone(),
		});
	}

	function keyOrNone(): string | null {
		return random() < 0.3 ? `key-${made.length + 1}` : null;
	}

	function remember(call: RunCall): Call {
		made.push(call);
		return call;
	}

	/** Repeats a body, now and then another under its key. */
	function retry(): Call | null {
		const keyed = made.filter(({ key }) => key !== null);
		const call = keyed.length > 0 ? pick(random, keyed) : null;
		if (call?.verb !== "request") return call && (random() < 0.9 ? call : { ...call, pin: "9999" });
		if (count.requests >= REQUESTS_A_MINUTE) return null;
		count.requests += 1;
		return random() < 0.9 ? call : { ...call, pin: "9999" };
	}

	function read(): Call {
		const kind = random();
		const code = pick(random, codes);
		if (kind < 0.4) return { verb: "status", code };
		if (kind < 0.7) return { verb: "facts", code };
		return { verb: "list", status: random() < 0.5 ? null : pick(random, LIST_STATUSES) };
	}

	function operate(): Call {
		const verb = pick(random, [
			"cancel",
			"block",
			"block",
			"block",
			"unblock",
			"unblock",
			"unblock",
			"unblock",
			"unblock",
		] as const);
		return { verb, code: pick(random, codes) };
	}

	return {
		newMinute: () => {
			count.requests = 0;
		},
		call(): Call {
			const kind = random();
			if (kind < 0.3) return read();
			if (kind < 0.35) return operate();
			if (kind < 0.48) return retry() ?? read();
			if (kind < 0.48 + claims / 2) return claim();
			return count.requests < REQUESTS_A_MINUTE ? request() : claim();
		},
	};
}

/** @returns a whole number from 0 up to `bound` - 1. */
export function below(random: Random, bound: number): number {
	return Math.floor(random() * bound);
}

export function pick<T>(random: Random, from: readonly T[]): T {
	return from[below(random, from.length)]!;
}
