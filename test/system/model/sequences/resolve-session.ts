import type { Call, FrameCall } from "../document/calls.ts";
import type { Ledger } from "../document/ledger.ts";
import type { MakeSessionCommand, SessionCommand } from "./commands.ts";
import { codeAt, keyOf, pick } from "./pick-things.ts";
import { REQUEST } from "./plain-commands.ts";
import { requestFields } from "./resolve-fields.ts";

const TERMS = "2026-11";
const UNTYPED = ["referenceId", "pin", "ssoCredential"];

export function makeSession(command: MakeSessionCommand, ledger: Ledger): Call[] {
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
export function stepSession(command: SessionCommand, ledger: Ledger): Call[] {
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
