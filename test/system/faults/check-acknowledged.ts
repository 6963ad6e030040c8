import type { Answer } from "../../support/service.ts";
import type { Snapshot } from "./collect.ts";
import type { Fixture, Seen } from "./fixture.ts";

/* Invariant 3, beyond what all runs check: the audit says the same under the call's own id, and ops' changes stay. */

/** 406 that answers a guess: each has spent an attempt (decisions: ID-validation attempts, certificate_claim). */
const SPENDING: Record<string, string> = {
	RUT_MISMATCH: "validation_failed",
	ID_CARD_MISMATCH: "validation_failed",
	EXPIRATION_DATE_MISMATCH: "validation_failed",
	NAME_MISMATCH: "validation_failed",
	SSO_REJECTED: "validation_failed",
	CREDENTIALS_MISMATCH: "claim_failed",
};

export function checkAcknowledged(fixture: Fixture, db: Snapshot): string[] {
	return fixture.seen.flatMap((seen) => {
		if (seen.answer.headers.has("Idempotency-Replayed")) return [];
		return missing(seen, db).map((what) => `3: ${seen.verb} answered ${seen.answer.status}, and ${what}`);
	});
}

function missing(seen: Seen, db: Snapshot): string[] {
	const { answer, verb } = seen;
	if (verb === "console") return answer.status < 400 ? missingForm(seen, db) : [];
	if (verb === "ops" || verb === "desk") return answer.status < 300 ? missingChange(seen, db) : [];
	if (verb !== "request" && verb !== "claim") return [];
	if (answer.status !== 200) return missingSpent(answer, db);
	return missingAudit(answer, db, verb === "claim" ? ["emitted"] : ["validated", "emitted"]);
}

function missingAudit(answer: Answer, db: Snapshot, actions: readonly string[]): string[] {
	const id = answer.headers.get("x-request-id");
	const isThere = db.audit_events!.some(
		({ request_id, action }) => request_id === id && actions.includes(action),
	);
	return isThere ? [] : [`no audit row says ${actions.join(" or ")}`];
}

function missingSpent(answer: Answer, db: Snapshot): string[] {
	const action = SPENDING[answer.body?.details?.[0]?.code];
	return action === undefined ? [] : missingAudit(answer, db, [action]);
}

/** Audit action of a partner's own change; the cells of the console's other forms look into D1. */
const AUDITED: Record<string, string> = {
	"POST /deliveries/ID/resend": "delivery_resent",
	"POST /webhook/secret": "webhook_secret_rotated",
	"PUT /delivery_email": "changed",
	"POST /console/keys": "key_added",
	"POST /correo/ID": "changed",
};

function missingForm({ what, answer }: Seen, db: Snapshot): string[] {
	const action = AUDITED[withoutId(what)];
	return action === undefined ? [] : missingAudit(answer, db, [action]);
}

function withoutId(what: string): string {
	return what.replace(/[^/]{30,}/, "ID");
}

/** Checks ops' calls and a partner's own: their effects must last. */
function missingChange({ what, answer, partnerId, pCode }: Seen, db: Snapshot): string[] {
	const verb = what.split("/").at(-1)!;
	const row = db.purchase_codes!.find(({ code }) => code === pCode);
	const { data } = answer.body ?? {};
	if ((verb === "block" || verb === "unblock") && data.pcode.version > row?.version) return ["it is undone"];
	if (verb === "revoke") {
		const { serial: named = data.certificate.serialNumber } = data.certificate;
		const entry = db.certificates!.find(({ serial }) => serial === named);
		return entry?.revoked_at === null ? ["the certificate is not revoked"] : [];
	}
	const action = AUDITED[withoutId(what)];
	if (action !== undefined) return missingAudit(answer, db, [action]);
	if (data?.api_key === undefined) return [];
	const keys = db.api_keys!.filter(({ partner_id }) => partner_id === partnerId || what.includes(partner_id));
	const id = data.key?.id;
	return id !== undefined && !keys.some((key) => key.id === id) ? [`the key ${id} is not there`] : [];
}
