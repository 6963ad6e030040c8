import { findCertificatesOf } from "../db/certificates.ts";
import type { Db } from "../db/query.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import type { Platform } from "../platform.ts";
import { DerError } from "../x509/der.ts";
import { type OcspQuestion, parseOcspRequest } from "../x509/ocsp-request.ts";
import { buildOcspResponse, type CertificateStatus, isOurs, type OcspError } from "../x509/ocsp-response.ts";
import { OCSP_VALIDITY_MS } from "./validity.ts";

/** Times in epoch milliseconds; `nonce`: the answer is for this one caller. */
export type OcspOutcome =
	| { kind: "error"; error: OcspError }
	/** The caller may not ask D1 now. */
	| { kind: "refused" }
	| { kind: "answer"; der: Uint8Array<ArrayBuffer>; thisUpdate: number; nextUpdate: number; nonce: boolean };

/**
 * Answers an OCSPRequest from D1 as it is now, for the authority of the first question that is about one of ours.
 *
 * @param mayQuery - asked once, before the query
 * @throws {Unavailable}, and when the responder's certificate does not hold at `now`
 */
export async function answerOcsp(
	{ authorities, db, now }: Pick<Platform, "authorities" | "db"> & { now: number },
	der: Uint8Array,
	mayQuery: () => Promise<boolean>,
): Promise<OcspOutcome> {
	const request = readRequest(der);
	if (request === null) return { kind: "error", error: "malformedRequest" };
	const { questions, nonce } = request;
	const asked = findAsked(authorities, questions);
	// RFC 5019 §2.2.3: no answer here is one that a responder of ours could give.
	if (!asked) return { kind: "error", error: "unauthorized" };
	const { responder, keyId } = asked;
	const ours = questions.filter((question) => isOurs(responder, question));
	if (now < responder.notBefore.getTime() || now >= responder.notAfter.getTime())
		throw new Error("the OCSP certificate is not valid now");

	const known = await findKnown(db, { keyId, first: authorities[0]!.keyId }, ours, mayQuery);
	if (known === null) return { kind: "refused" };
	const thisUpdate = Math.floor(now / 1000) * 1000;
	const nextUpdate = Math.min(thisUpdate + OCSP_VALIDITY_MS, responder.notAfter.getTime());
	const answers = questions.map((question) => ({
		question,
		status: statusOf(ours.includes(question) ? known.get(question.serial ?? "") : undefined),
	}));
	const times = { now: new Date(thisUpdate), nextUpdate: new Date(nextUpdate) };
	const response = await buildOcspResponse(responder, { answers, nonce, ...times });
	return { kind: "answer", der: response, thisUpdate, nextUpdate, nonce: nonce !== null };
}

function readRequest(der: Uint8Array) {
	try {
		return parseOcspRequest(der);
	} catch (error) {
		if (error instanceof DerError) return null;
		throw error;
	}
}

/** The authority that the first question we know the issuer of is about, with its responder. */
function findAsked(authorities: Platform["authorities"], questions: readonly OcspQuestion[]) {
	for (const question of questions)
		for (const { responder, keyId } of authorities)
			if (responder && isOurs(responder, question)) return { responder, keyId };
	return null;
}

async function findKnown(
	db: Db,
	issuer: { keyId: string; first: string },
	questions: readonly OcspQuestion[],
	mayQuery: () => Promise<boolean>,
): Promise<Map<string, CertificateFacts> | null> {
	const serials = new Set(questions.map(({ serial }) => serial).filter((serial) => serial !== null));
	if (serials.size === 0) return new Map();
	if (!(await mayQuery())) return null;
	const found = await findCertificatesOf(db, issuer, [...serials]);
	return new Map(found.map((facts) => [facts.serial, facts]));
}

/**
 * A serial that was never issued is unknown: RFC 6960 §2.2 would allow revoked, which would disclose reserved
 * serials.
 */
function statusOf(facts: CertificateFacts | undefined): CertificateStatus {
	if (!facts) return { kind: "unknown" };
	const { revokedAt, revocationReason, issuedAt } = facts;
	if (revokedAt !== null)
		return { kind: "revoked", at: new Date(revokedAt), reason: revocationReason ?? "unspecified" };
	return issuedAt === null ? { kind: "unknown" } : { kind: "good" };
}
