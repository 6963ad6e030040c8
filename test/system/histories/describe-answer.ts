import type { Answer } from "../../support/service.ts";
import type { Call } from "./calls.ts";
import { tellFacts, tellListing } from "./readings.ts";
import { describeValidated } from "./rules.ts";

/* An answer of the service in the specification's words: all of it that the documents promise, nothing else. */

/** @param nameOf - the history's name of a purchase code. */
export function describeAnswer(call: Call, answer: Answer, nameOf: (pCode: string) => string): string {
	const replayed = answer.headers.get("Idempotency-Replayed") === "true" ? " (replayed)" : "";
	return (answer.status === 200 ? tellSuccess(call, answer, nameOf) : tellRefusal(answer)) + replayed;
}

function tellRefusal({ status, body, headers }: Answer): string {
	if (status === 406) return `406 ${body.details[0].code}`;
	const wait = body.error === "ATTEMPT_LIMIT_REACHED" ? ` ${headers.get("Retry-After")}` : "";
	return `${status} ${body.error}${wait}`;
}

function tellSuccess(call: Call, { body: { data } }: Answer, nameOf: (pCode: string) => string): string {
	switch (call.verb) {
		case "status":
			return data.status;
		case "list":
			return tellListing(
				data.pcodes.map((item: Record<string, unknown>) => ({
					name: nameOf(item.pcode as string),
					status: item.status,
					processing: item.processing,
					reference: item.external_reference_id,
				})),
			).replace(/^\d+/, String(data.pagination.total));
		case "facts":
			return tellWireFacts(data.pcode);
		case "request":
			return describeValidated(
				data.status === "EMITTED" ? "B2B" : "B2C",
				{ reference: data.referenceId, rut: data.titular.rut, email: data.titular.email },
				data.certificate?.serialNumber ?? null,
			);
		case "claim":
			return `200 issued ${data.serialNumber}`;
		default:
			return `200 ${tellWireFacts(data.pcode)}`;
	}
}

function tellWireFacts(wire: Record<string, string | number | null>): string {
	const millisecondsTo = (at: string | number | null | undefined) =>
		at == null ? 0 : Math.max(0, Date.parse(String(at)) - Date.now());
	return tellFacts({
		status: String(wire.status),
		listStatus: String(wire.list_status),
		processing: Number(wire.processing),
		reference: wire.external_reference_id as string | null,
		serial: wire.certificate_serial as string | null,
		blocked: wire.blocked_at !== null,
		requestBlocked: wire.validation_blocked_at !== null,
		requestLockedFor: millisecondsTo(wire.validation_locked_until),
		claimLockedFor: millisecondsTo(wire.claim_locked_until),
		validation: [Number(wire.validation_failures), Number(wire.validation_locks)],
		claim: [Number(wire.claim_failures), Number(wire.claim_locks)],
	});
}
