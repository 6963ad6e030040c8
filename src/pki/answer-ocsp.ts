import type { StatusFacts } from "../db/certificates.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { DerError } from "../x509/der.ts";
import { type OcspQuestion, parseOcspRequest } from "../x509/ocsp-request.ts";
import { buildOcspResponse, type CertificateStatus, isOurs, type OcspError } from "../x509/ocsp-response.ts";
import { OCSP_VALIDITY_MS } from "./validity.ts";

export interface ReadStatus {
	facts: readonly StatusFacts[];
	/** When they were read, epoch milliseconds. */
	readAt: number;
	/** Serials whose database is silent, or was put back: a revocation that it does not tell of is no proof of none. */
	doubted: ReadonlySet<string>;
}

/** @returns what is known of them; null where the caller may not ask now */
type ReadFacts = (authority: PublishedAuthority, serials: readonly string[]) => Promise<ReadStatus | null>;

/** Times in epoch milliseconds, `readAt` that of the facts; `nonce`: the answer is for this one caller. */
export type OcspOutcome =
	| { kind: "error"; error: OcspError }
	/** The caller may not ask a database now. */
	| { kind: "refused" }
	| { kind: "answer"; der: Uint8Array<ArrayBuffer>; readAt: number; nextUpdate: number; nonce: boolean };

/**
 * Answers an OCSPRequest for the authority of the first question that is about one of ours.
 *
 * @throws {Unavailable}, and when the responder's certificate does not hold at `now`
 */
export async function answerOcsp(
	{ authorities, now }: Pick<Platform, "authorities"> & { now: number },
	der: Uint8Array,
	readFacts: ReadFacts,
): Promise<OcspOutcome> {
	const request = readRequest(der);
	if (request === null) return { kind: "error", error: "malformedRequest" };
	const { questions, nonce } = request;
	const asked = findAsked(authorities, questions);
	// RFC 5019 §2.2.3: no answer here is one that a responder of ours could give.
	if (!asked) return { kind: "error", error: "unauthorized" };
	const { responder } = asked;
	const ours = questions.filter((question) => isOurs(responder, question));
	if (now < responder.notBefore.getTime() || now >= responder.notAfter.getTime())
		throw new Error("the OCSP certificate is not valid now");

	const serials = new Set(ours.map(({ serial }) => serial).filter((serial) => serial !== null));
	const read =
		serials.size === 0
			? { facts: [], readAt: now, doubted: new Set<string>() }
			: await readFacts(asked.authority, [...serials]);
	if (read === null) return { kind: "refused" };
	const known = new Map(read.facts.map((facts) => [facts.serial, facts]));
	const thisUpdate = Math.floor(read.readAt / 1000) * 1000;
	const nextUpdate = Math.min(thisUpdate + OCSP_VALIDITY_MS, responder.notAfter.getTime());
	const answers = questions.map((question) => ({
		question,
		status: statusOf(ours.includes(question) ? known.get(question.serial ?? "") : undefined),
	}));
	const isDoubted = ({ question, status }: (typeof answers)[number]) =>
		status.kind !== "revoked" && read.doubted.has(question.serial ?? "");
	if (answers.some(isDoubted)) return { kind: "error", error: "tryLater" };
	const times = { now: new Date(thisUpdate), nextUpdate: new Date(nextUpdate) };
	const response = await buildOcspResponse(responder, { answers, nonce, ...times });
	return { kind: "answer", der: response, readAt: read.readAt, nextUpdate, nonce: nonce !== null };
}

function readRequest(der: Uint8Array) {
	try {
		return parseOcspRequest(der);
	} catch (error) {
		if (error instanceof DerError) return null;
		throw error;
	}
}

/** The authority that the first question with a known issuer is about, with its responder. */
function findAsked(authorities: Platform["authorities"], questions: readonly OcspQuestion[]) {
	for (const question of questions)
		for (const authority of authorities)
			if (authority.responder && isOurs(authority.responder, question))
				return { authority, responder: authority.responder };
	return null;
}

/**
 * A serial that was never issued is unknown: RFC 6960 §2.2 would allow revoked, which would disclose reserved
 * serials.
 */
function statusOf(facts: StatusFacts | undefined): CertificateStatus {
	if (!facts) return { kind: "unknown" };
	const { revokedAt, revocationReason, issuedAt } = facts;
	if (revokedAt !== null)
		return { kind: "revoked", at: new Date(revokedAt), reason: revocationReason ?? "unspecified" };
	return issuedAt === null ? { kind: "unknown" } : { kind: "good" };
}
