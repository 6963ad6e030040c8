import { DAY_MS } from "../../../../src/domain/durations.ts";
import type { Call } from "../document/calls.ts";
import type { Ledger } from "../document/ledger.ts";
import type { Command } from "./commands.ts";
import { finishAll, pick } from "./pick-things.ts";

/** Longest time back to which D1 can be restored. */
const LONGEST_MS = 30 * DAY_MS;
const RESPONDER_MS = 300 * DAY_MS;

/** The runbook: frozen, the database is set back; some code may be used before all are mended. */
export function restore(command: Extract<Command, { do: "restore" }>, ledger: Ledger, now: number): Call[] {
	const { copy } = ledger;
	if (copy === null || now - copy.at > LONGEST_MS) return [];
	const issuedSince = Object.keys(copy.ledger.codes).filter(
		(name) => copy.ledger.codes[name]!.certificate === null && ledger.codes[name]!.certificate !== null,
	);
	const name = pick(issuedSince, command.code);
	const use = name === undefined || command.asked === "not" ? [] : [useOf(command.asked, name, copy.ledger)];
	const to = new Date(copy.at).toISOString();
	const judged = judgedIn(ledger, now, command.code);
	const judge: Call[] = judged === undefined ? [] : [{ kind: "judge certificate", code: judged }];
	return [
		...finishAll(ledger),
		// The answer told the serial.
		...(judged === undefined ? [] : [{ kind: "show code", code: { code: judged } } as const]),
		{ kind: "deploy", frozen: true },
		{ kind: "set back" },
		...judge,
		{ kind: "record restore", to },
		...judge,
		{ kind: "deploy", frozen: false },
		...judge,
		...use,
		{ kind: "mend", to },
		...judge,
	];
}

/** A certificate that has not ended, of a code that the copy has too; one that was revoked since, if there is one. */
function judgedIn({ codes, copy, authority }: Ledger, now: number, code: number): string | undefined {
	// The local responder's certificate, made with the authority, is good for a year.
	if (now > authority.from + RESPONDER_MS) return undefined;
	const judgeable = Object.keys(copy!.ledger.codes).filter(
		(name) => (codes[name]!.certificate?.notAfter ?? 0) > now,
	);
	const revokedSince = judgeable.filter(
		(name) =>
			codes[name]!.certificate!.revokedAt !== null &&
			(copy!.ledger.codes[name]!.certificate?.revokedAt ?? null) === null,
	);
	return pick(revokedSince.length > 0 ? revokedSince : judgeable, code);
}

function useOf(kind: "claim" | "request", name: string, before: Ledger): Call {
	const key = before.codes[name]!.partner;
	const identity = { dni: "11111111-1", pin: "1000" };
	const fields =
		kind === "claim"
			? identity
			: { ...identity, referenceId: "ref-0", email: "holder@example.cl", serialNumber: "111111111" };
	return { kind, key, code: { code: name }, fields };
}
