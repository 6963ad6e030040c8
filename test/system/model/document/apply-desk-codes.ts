import { isLimit } from "./apply-desk-deliveries.ts";
import { listCodes, readInstant } from "./apply-list.ts";
import { cancel, revoke } from "./apply-ops-codes.ts";
import type { CallOf } from "./calls.ts";
import { codeFacts } from "./code-facts.ts";
import { type Desk, isOwn } from "./desk.ts";
import { badShape, error, made, type Outcome, type Shape, success, TEXT, time } from "./expected.ts";
import type { CertificateState, CodeState, Ledger } from "./ledger.ts";
import { readRut } from "./read-fields.ts";
import { codeStatus } from "./statuses.ts";

/* A partner's codes and certificates, as it sees and closes them itself. */

export function applyOwnCode(ledger: Ledger, name: string, desk: Desk): Outcome {
	const { kind, now, rules } = desk;
	const code = ledger.codes[name];
	if (!isOwn(code, desk)) return { ledger, expected: error(kind, "NOT_FOUND") };
	const { validation, certificate, batch, product } = code!;
	const {
		partner_id: _,
		certificate_serial: __,
		certificate_not_after: ___,
		...facts
	} = codeFacts(ledger, name, now, rules);
	const session = Object.values(ledger.sessions).findLast(
		(one) => one.code === name && one.startedAt !== null,
	);
	const pcode: Record<string, Shape> = {
		...facts,
		category: Object.keys(rules.products).indexOf(product),
		batch_id: made("batch", batch),
		validated_at: time(validation?.at ?? null),
		// Of a session that is over it may still say until when it would have been.
		onboarding_until: session ? { $: "one of", of: [null, TEXT] } : null,
		certificate: certificate ? certificateFacts(name, code!, now) : null,
		timeline: timelineOf(ledger, name),
	};
	return { ledger, expected: success(kind, 200, { pcode }) };
}

/** Its creation and its changes; persons of ops without a name, the partner by its key. */
function timelineOf({ codes, audit }: Ledger, name: string): Shape {
	const { batch } = codes[name]!;
	const creation = { ...audit[`batch ${batch}`]![0]!, action: "created" };
	return [creation, ...(audit[`code ${name}`] ?? [])].map(({ at, by, key, action }, i) => ({
		at: time(at),
		actor: by === "job" ? "service" : by,
		key_id: by !== "partner" ? null : key === undefined ? TEXT : made("keyId", key),
		action,
		outcome: i === 0 ? null : TEXT,
	}));
}

function certificateFacts(name: string, { product, reference, certificate }: CodeState, now: number) {
	const { issuedAt, notBefore, notAfter, revokedAt, revocationReason } = certificate!;
	return {
		serialNumber: made("serial", name),
		p_code: made("code", name),
		product,
		external_reference_id: reference,
		validity: validityOf(certificate!, now),
		issued_at: time(issuedAt),
		validFrom: time(notBefore),
		validTo: time(notAfter),
		revoked_at: time(revokedAt),
		revocation_reason: revocationReason,
	};
}

/** A revoked one stays revoked when its time is over (0001). */
function validityOf({ revokedAt, notAfter }: CertificateState, now: number): string {
	if (revokedAt !== null) return "revoked";
	return notAfter <= now ? "expired" : "valid";
}

export function applyOwnCancel(ledger: Ledger, name: string, desk: Desk): Outcome {
	const { kind, key, now, at, rules } = desk;
	if (!isOwn(ledger.codes[name], desk)) return { ledger, expected: error(kind, "NOT_FOUND") };
	const changed = cancel(ledger, name, undefined, { now, at, by: "partner", key });
	const { cancelledAt, certificate } = changed.codes[name]!;
	const data = {
		p_code: made("code", name),
		status: codeStatus(changed, name, now, rules),
		cancelled_at: time(cancelledAt),
		serialNumber: certificate ? made("serial", name) : null,
	};
	const expected = success(kind, 200, data);
	if (changed === ledger) return { ledger, expected: { ...expected, outcome: `${kind} again` } };
	return {
		ledger: changed,
		expected: certificate ? { ...expected, outcome: `${kind} of an issued code` } : expected,
	};
}

export function applyOwnRevocation(
	ledger: Ledger,
	{ of: name, reason }: CallOf<"own revocation">,
	desk: Desk,
): Outcome {
	const { kind, key, now, at } = desk;
	if (reason === "aACompromise") return { ledger, expected: badShape(kind, ["reason"]) };
	const code = ledger.codes[name];
	if (!isOwn(code, desk) || !code!.certificate) return { ledger, expected: error(kind, "NOT_FOUND") };
	const changed = revoke(ledger, name, reason, { now, at, by: "partner", key });
	const expected = success(kind, 200, { certificate: certificateFacts(name, changed.codes[name]!, now) });
	return {
		ledger: changed,
		expected: changed === ledger ? { ...expected, outcome: `${kind} again` } : expected,
	};
}

/** By their end, all pages; those of one moment in any order. */
export function applyOwnCertificates(
	ledger: Ledger,
	query: CallOf<"own certificates">["query"],
	{ id, kind, now }: Desk,
): Outcome {
	const { validity, expiring_before: before, limit = "50" } = query;
	const until = before === undefined ? undefined : readInstant(before);
	const problems = [
		...(validity === undefined || ["valid", "expired", "revoked"].includes(validity) ? [] : ["validity"]),
		...(until === null ? ["expiring_before"] : []),
		...(isLimit(limit) ? [] : ["limit"]),
	];
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const found = Object.entries(ledger.codes)
		.filter(([, { partner, certificate }]) => partner === id && certificate)
		.filter(([, { certificate }]) => validity === undefined || validityOf(certificate!, now) === validity)
		.filter(([, { certificate }]) => !until || certificate!.notAfter < until.first);
	const ends = [...new Set(found.map(([, { certificate }]) => certificate!.notAfter))].sort((a, b) => a - b);
	const of = ends.map((end) =>
		found
			.filter(([, { certificate }]) => certificate!.notAfter === end)
			.map(([name, code]) => certificateFacts(name, code, now)),
	);
	const data: Shape = { certificates: { $: "groups", of }, next: null };
	return { ledger, expected: success(validity ? `${kind} ${validity}` : kind, 200, data) };
}

/** Of a holder who is not erased; all pages. */
export function applySearch(
	ledger: Ledger,
	{ dni, limit = 50 }: CallOf<"search by RUT">,
	desk: Desk,
): Outcome {
	const { id, kind, now } = desk;
	const problems = [
		...(readRut(dni) === null ? ["dni"] : []),
		...(limit >= 1 && limit <= 500 ? [] : ["limit"]),
	];
	if (problems.length > 0) return { ledger, expected: badShape(kind, problems) };
	const of = Object.entries(ledger.codes)
		.filter(([, { partner, certificate }]) => partner === id && certificate)
		.filter(([, { validation }]) => validation?.rut === dni && !validation.erased)
		.map(([name, code]) => certificateFacts(name, code, now));
	const data: Shape = { certificates: { $: "set", of, maybe: [] }, next: null };
	return { ledger, expected: success(of.length > 0 ? `${kind} found` : kind, 200, data) };
}

/** Decisions, "CSV": the whole selection as the list has it, every cell a text. */
export function applyCsv(
	ledger: Ledger,
	{ query }: CallOf<"csv">,
	{ id, partner, kind, now, rules }: Desk,
): Outcome {
	const paging = ["page", "limit"].filter((field) => field in query);
	if (paging.length > 0) return { ledger, expected: badShape(kind, paging.slice(0, 1)) };
	const rows = listCodes(ledger, { id, partner }, query, now, rules).map((item) =>
		Object.fromEntries(
			Object.entries(item).map(([name, value]) => [
				name,
				value === null ? "" : typeof value === "number" ? String(value) : value,
			]),
		),
	);
	const type = { $: "containing", text: "text/csv" } as const;
	return {
		ledger,
		expected: { outcome: `${kind} 200`, status: 200, body: { rows }, headers: { "content-type": type } },
	};
}
