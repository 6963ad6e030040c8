import type {
	BulkCall,
	Call,
	ClaimCall,
	FrameCall,
	MakeSessionCall,
	RequestCall,
} from "../document/calls.ts";
import { STAGES } from "../document/facts.ts";
import type { Ledger } from "../document/ledger.ts";
import { type Command, type MakeSessionCommand, REQUEST, type SessionCommand } from "./commands.ts";
import { claimableAt, codeAt, finishAll, issuedAt, keyOf, partnerAt, pick } from "./pick-things.ts";
import { claimFields, requestFields } from "./resolve-fields.ts";
import { restore } from "./resolve-restore.ts";

const TERMS = "2026-11";
const UNTYPED = ["referenceId", "pin", "ssoCredential"];

function makeSession(command: MakeSessionCommand, ledger: Ledger): Call[] {
	const [name, code] = codeAt(ledger, command.code);
	const key = keyOf(ledger, command.who, code?.partner);
	const settings = (ledger.partners[key] ?? ledger.partners.p1!).settings;
	const typed = requestFields(settings, code, { ...REQUEST, style: command.style });
	const { referenceId, dni, email } = typed;
	return [
		{
			kind: "make session",
			key,
			code: name,
			fields: {
				referenceId,
				...(command.prefill && { dni, email }),
				...(command.claim !== null && { claim: command.claim }),
			},
		},
	];
}

/** Fills a session's step with values as right, and as wrong, as in a certificate_request. */
function stepSession(command: SessionCommand, ledger: Ledger): Call[] {
	const session = pick(Object.keys(ledger.sessions), command.of) ?? "unknown";
	const code = ledger.codes[ledger.sessions[session]?.code ?? ""];
	const { at, token } = command;
	if (at === "show" || at === "end") {
		const key = keyOf(ledger, command.who, code?.partner);
		return [{ kind: `${at} session`, key, session }];
	}
	const { settings } = ledger.partners[code?.partner ?? "p1"]!;
	const sent = requestFields(settings, code ?? null, { ...REQUEST, ...command, do: "request" });
	const typed = Object.fromEntries(Object.entries(sent).filter(([field]) => !UNTYPED.includes(field)));
	const frame = (step: FrameCall["step"], fields = {}): Call => ({
		kind: "frame",
		session,
		token,
		step,
		fields,
	});
	const submit = frame("submit", { pin: sent.pin, terms_version: TERMS });
	const claim = frame("claim", {
		pin: command.defects.length > 0 ? "0007" : (code?.validation?.pin ?? "1000"),
	});
	switch (at) {
		case "frame show":
			return [frame("show")];
		case "open":
			return [frame("open")];
		case "answers":
			return [frame("answers", { ...typed, step: "email" })];
		case "submit":
			return [submit];
		case "claim":
			// A page that is loaded anew claims again.
			return [claim, claim];
		case "through":
			return [frame("answers", typed), submit];
	}
}

export type Post = BulkCall | RequestCall | ClaimCall | MakeSessionCall;

/** Makes calls of a command, as things stand; none when there is nothing that it could be about. */
export function resolve(command: Command, ledger: Ledger, now: number, sent: readonly Post[]): Call[] {
	switch (command.do) {
		case "wait":
		case "wait until":
			return [];
		case "bulk": {
			const { productCode, quantity, idempotency } = command;
			const fields = {
				...(productCode !== null && { productCode }),
				...(quantity !== null && { quantity }),
			};
			const key = keyOf(ledger, command.who, partnerAt(ledger, command.partner));
			return [{ kind: "bulk", key, fields, ...keyed(idempotency, ledger) }];
		}
		case "request": {
			const [name, code] = codeAt(ledger, command.code);
			const key = keyOf(ledger, command.who, code?.partner);
			const settings = (ledger.partners[key] ?? ledger.partners.p1!).settings;
			const fields = requestFields(settings, code, command);
			const idempotency = keyed(command.idempotency, ledger);
			const call: RequestCall = { kind: "request", key, code: name, fields, ...idempotency };
			return command.held && !code?.running
				? [{ kind: "begin", request: call }]
				: repeat(call, command.times);
		}
		case "claim": {
			const [name, code] = claimableAt(ledger, command.code);
			const key = keyOf(ledger, command.who, code?.partner);
			const fields = claimFields(code, command);
			const idempotency = keyed(command.idempotency, ledger);
			return repeat({ kind: "claim", key, code: name, fields, ...idempotency }, command.times);
		}
		case "finish": {
			const running = Object.entries(ledger.codes).filter(([, code]) => code.running);
			return running.length === 0 ? [] : [{ kind: "finish", code: pick(running, command.code)![0] }];
		}
		case "again": {
			const call = pick(sent, command.call);
			if (!call) return [];
			return [command.change === "body" ? { ...call, fields: { ...call.fields, ...otherBody(call) } } : call];
		}
		case "status": {
			const [name, code] = codeAt(ledger, command.code);
			const owner = code?.partner ?? partnerAt(ledger, command.partner);
			const key = keyOf(ledger, command.who, owner);
			const spelled =
				name.code === "impossible" || command.spelling !== "loose"
					? name
					: { ...name, spelling: "loose" as const };
			return [{ kind: "status", key, code: command.spelling === "missing" ? null : spelled }];
		}
		case "operate": {
			const [name, code] = codeAt(ledger, command.code);
			// Sequences have no ops' call during a step.
			if (code?.running) return [{ kind: "finish", code: name.code }];
			const { verb, reason: revocationReason } = command;
			const call: Call = { kind: "operate", verb, code: name, ...(revocationReason && { revocationReason }) };
			return repeat(call, command.times);
		}
		case "revoke certificate": {
			const [{ code }] = issuedAt(ledger, command.code);
			return [{ kind: "revoke certificate", code, reason: command.reason }];
		}
		case "show":
			return command.what === "code"
				? [{ kind: "show code", code: codeAt(ledger, command.code)[0] }]
				: [{ kind: "show certificate", code: issuedAt(ledger, command.code)[0].code }];
		case "make session":
			return makeSession(command, ledger).map((call) => ({ ...call, ...keyed(command.idempotency, ledger) }));
		case "session":
			return stepSession(command, ledger);
		case "advance": {
			const key = keyOf(ledger, command.who, partnerAt(ledger, command.partner));
			// A mark of what runs is by the clock of before.
			return [...finishAll(ledger), { kind: "advance", key, advance: command.advance }];
		}
		case "run job":
			return [...finishAll(ledger), { kind: "run job", job: command.job }];
		case "end due sessions":
			return [{ kind: "end due sessions" }];
		case "freeze":
			return [...finishAll(ledger), { kind: "deploy", frozen: command.frozen }];
		case "move":
			return carryMove(command, ledger);
		case "keep database":
			return [...finishAll(ledger), { kind: "keep database" }];
		case "restore":
			return restore(command, ledger, now);
	}
}

function carryMove({ partner, turn }: Extract<Command, { do: "move" }>, ledger: Ledger): Call[] {
	const name = partnerAt(ledger, partner);
	const { move } = ledger.partners[name]!;
	const done = move === null ? -1 : STAGES.indexOf(move);
	const isUndecided = move !== null && done < STAGES.indexOf("leaving");
	const next = STAGES[(done + 1) % STAGES.length]!;
	const to = turn === "on" ? next : isUndecided ? "given up" : move === "moved" ? "cleared" : next;
	return [...(to === "frozen" ? finishAll(ledger) : []), { kind: "move", partner: name, to }];
}

function repeat(call: Call, times: number): Call[] {
	return Array.from({ length: times }, () => call);
}

/** Whether a key of before a restore is known to the database, the documents do not say: it is not used again. */
function keyed(idempotency: string | null, { restores }: Ledger) {
	return idempotency === null ? {} : { idempotency: idempotency.replace(/\d/, `$&${"'".repeat(restores)}`) };
}

function otherBody({ kind }: Post) {
	if (kind === "make session") return { referenceId: "another" };
	return kind === "bulk" ? { quantity: 5 } : { pin: "7777" };
}
