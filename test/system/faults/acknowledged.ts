import type { Answer } from "../../support/service.ts";
import type { Snapshot } from "./invariants.ts";
import type { Seen, World } from "./world.ts";

/* Invariant 3: what a caller was told has happened, and the register tells the same under the call's own id. */

/** 406 whose telling is a guess: each has spent an attempt (decisions: ID-validation attempts, certificate_claim). */
const SPENDING: Record<string, string> = {
	RUT_MISMATCH: "validation_failed",
	ID_CARD_MISMATCH: "validation_failed",
	EXPIRATION_DATE_MISMATCH: "validation_failed",
	NAME_MISMATCH: "validation_failed",
	SSO_REJECTED: "validation_failed",
	CREDENTIALS_MISMATCH: "claim_failed",
};

export function checkAcknowledged(world: World, register: Snapshot): string[] {
	return world.seen.flatMap((seen) => {
		if (seen.answer.headers.has("Idempotency-Replayed")) return [];
		return missing(seen, register).map((what) => `3: ${seen.verb} told ${seen.answer.status}, and ${what}`);
	});
}

function missing(seen: Seen, register: Snapshot): string[] {
	const { answer, pCode } = seen;
	switch (seen.verb) {
		case "bulk":
			return answer.status === 201 ? missingCodes(answer, register) : [];
		case "request":
			if (answer.status === 200)
				return [
					...missingAudit(answer, register, ["validated", "emitted"]),
					...missingCertificate(pCode, answer.body.data.certificate?.serialNumber, register),
				];
			return missingSpent(answer, register);
		case "claim":
			if (answer.status === 200)
				return [
					...missingAudit(answer, register, ["emitted"]),
					...missingCertificate(pCode, answer.body.data.serialNumber, register),
				];
			return missingSpent(answer, register);
		case "ops":
			return answer.status < 300 ? missingOps(seen, register) : [];
		default:
			return [];
	}
}

function missingCodes({ body }: Answer, register: Snapshot): string[] {
	const { batchId, pcodes } = body.data;
	const there = new Set(
		register.purchase_codes!.filter(({ batch_id }) => batch_id === batchId).map(({ code }) => code),
	);
	const lost = pcodes.filter((pcode: string) => !there.has(pcode));
	return [
		...(lost.length > 0 ? [`${lost.length} codes are not there`] : []),
		...(there.size === pcodes.length ? [] : [`the batch has ${there.size} codes`]),
	];
}

function missingAudit(answer: Answer, register: Snapshot, actions: readonly string[]): string[] {
	const id = answer.headers.get("x-request-id");
	const told = register.audit_events!.some(
		({ request_id, action }) => request_id === id && actions.includes(action),
	);
	return told ? [] : [`no audit row says ${actions.join(" or ")}`];
}

function missingSpent(answer: Answer, register: Snapshot): string[] {
	const action = SPENDING[answer.body?.details?.[0]?.code];
	return action === undefined ? [] : missingAudit(answer, register, [action]);
}

function missingCertificate(pCode: string | null, serial: string | undefined, register: Snapshot): string[] {
	if (serial === undefined) return [];
	const entry = register.certificates!.find((row) => row.serial === serial);
	const isThere = entry?.code === pCode && entry?.issued_at !== null && entry?.leaf_sealed !== null;
	return isThere ? [] : [`the certificate ${serial} is not in the register`];
}

/** Of ops' calls: each says what is so from then on. */
function missingOps({ what, answer, pCode }: Seen, register: Snapshot): string[] {
	const verb = what.split("/").at(-1)!;
	const row = register.purchase_codes!.find(({ code }) => code === pCode);
	const { data } = answer.body ?? {};
	if (verb === "cancel" && row?.cancelled_at === null) return ["the code is not cancelled"];
	if ((verb === "block" || verb === "unblock") && data.pcode.version > row?.version) return ["it is undone"];
	if (verb === "revoke") {
		const entry = register.certificates!.find(({ serial }) => serial === data.certificate.serial);
		return entry?.revoked_at === null ? ["the certificate is not revoked"] : [];
	}
	if (data?.api_key === undefined) return [];
	const keys = register.api_keys!.filter(({ partner_id }) => what.includes(partner_id));
	const id = data.key?.id;
	return id !== undefined && !keys.some((key) => key.id === id) ? [`the key ${id} is not there`] : [];
}
