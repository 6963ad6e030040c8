import type { BulkCall, Call, ClaimCall, MakeSessionCall, RequestCall } from "../document/calls.ts";
import type { Ledger } from "../document/ledger.ts";
import type { Command } from "./commands.ts";
import { finishAll } from "./finish-all.ts";
import { claimableAt, codeAt, issuedAt, keyOf, partnerAt, pick } from "./pick-things.ts";
import { queryOf } from "./query-of.ts";
import { claimFields, requestFields } from "./resolve-fields.ts";
import { restore } from "./resolve-restore.ts";
import { makeSession, stepSession } from "./resolve-session.ts";

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
		case "list": {
			const key = keyOf(ledger, command.who, partnerAt(ledger, command.partner));
			return [{ kind: "list", key, query: queryOf(ledger, command.filters, now) }];
		}
		case "operate": {
			const [name, code] = codeAt(ledger, command.code);
			// Sequences have no ops' call during a step.
			if (code?.running) return [{ kind: "finish", code: name.code }];
			const { verb, reason: revocationReason } = command;
			const call: Call = { kind: "operate", verb, code: name, ...(revocationReason && { revocationReason }) };
			return repeat(call, command.times);
		}
		case "replace": {
			const [name, code] = codeAt(ledger, command.code);
			return [code?.running ? { kind: "finish", code: name.code } : { kind: "replace", code: name }];
		}
		case "revoke certificate": {
			const [{ code }] = issuedAt(ledger, command.code);
			return [{ kind: "revoke certificate", code, reason: command.reason }];
		}
		case "show":
			return command.what === "code"
				? [{ kind: "show code", code: codeAt(ledger, command.code)[0] }]
				: [{ kind: "show certificate", code: issuedAt(ledger, command.code)[0].code }];
		case "create partner":
			return Object.keys(ledger.partners).length < 4
				? [{ kind: "create partner", settings: command.settings }]
				: [];
		case "change partner":
			return [
				{ kind: "change partner", partner: partnerAt(ledger, command.partner), change: command.change },
			];
		case "lose address":
			return [{ kind: "lose address", partner: partnerAt(ledger, command.partner) }];
		case "make session":
			return makeSession(command, ledger).map((call) => ({
				...call,
				...keyed(command.idempotency, ledger),
			}));
		case "session":
			return stepSession(command, ledger);
		case "own cancel": {
			const [name, code] = codeAt(ledger, command.code);
			const call: Call = { kind: "own cancel", key: keyOf(ledger, command.who, code?.partner), code: name };
			// Sequences have no call of its partner during a step either.
			return code?.running ? [{ kind: "finish", code: name.code }] : repeat(call, command.times);
		}
		case "own revocation": {
			const [{ code: of }, code] = issuedAt(ledger, command.code);
			const key = keyOf(ledger, command.who, code?.partner);
			return repeat({ kind: "own revocation", key, of, reason: command.reason }, command.times);
		}
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
		case "keep database":
			return [...finishAll(ledger), { kind: "keep database" }];
		case "restore":
			return restore(command, ledger, now);
	}
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
