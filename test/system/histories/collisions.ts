import { JUANA, PEDRO } from "../../support/service.ts";
import type { Call, RequestCall } from "./calls.ts";
import { type Plan, pick, type Random } from "./plan.ts";

/* Plans that aim at one thing: what any clients meet now and then happens here in nearly every history. */

const CODES = ["A", "B", "C"];
const MOMENT = 61_000;

/** Ops change every code while it is validated. */
export function drawOpsDuringRequests(random: Random): Plan {
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
export function drawOneRut(): Plan {
	const lists: Call[] = Array.from({ length: 6 }, () => ({ verb: "list", status: null }));
	return oneMinute([...CODES.map((code, i) => [validation(code, i, JUANA)]), lists, lists, lists]);
}

/**
 * Guesses about one person on all codes, more than the person's RUT may have. One client: of guesses at the same
 * moment all but one find the RUT being validated, and do not count.
 */
export function drawGuesses(): Plan {
	const guess = (code: string, n: number): Call => ({
		...validation(code, n, JUANA),
		cardSerial: String(900_000_000 + n),
		registry: "denies",
	});
	return oneMinute([[1, 2, 3].flatMap((n) => CODES.map((code, i) => guess(code, 3 * i + n)))]);
}

function oneMinute(clients: Call[][]): Plan {
	const phases = [{ clients, aborts: [], passing: MOMENT }];
	return { mode: "B2C", codes: CODES, phases, pause: 8, delay: 8 };
}

function validation(code: string, n: number, person: typeof JUANA): RequestCall {
	const { dni: rut, serialNumber: cardSerial, email, pin } = person;
	const reference = `order-${n + 1}`;
	return { verb: "request", code, rut, cardSerial, email, pin, reference, registry: "confirms", key: null };
}
