import { CRL_REASON, type CrlReason } from "./crl.ts";
import { encodeGeneralizedTime, encodeOid, frame, tag } from "./der.ts";
import { extension } from "./leaf-extensions.ts";
import type { OcspQuestion } from "./ocsp-request.ts";
import type { OcspResponder } from "./ocsp-responder.ts";
import { signDer } from "./signatures.ts";

/** Status of one certificate (RFC 6960 §2.2). */
export type CertificateStatus =
	| { kind: "good" }
	| { kind: "revoked"; at: Date; reason: CrlReason }
	| { kind: "unknown" };

export interface OcspAnswer {
	/** The questions in the order of the request, each with its status. */
	answers: readonly { question: OcspQuestion; status: CertificateStatus }[];
	/** DER value of the request's nonce extension, or null. */
	nonce: Uint8Array | null;
	/** Time of the database query and of the signature, truncated to the second. */
	now: Date;
	nextUpdate: Date;
}

/** OCSPResponseStatus (RFC 6960 §4.2.1) of errors. */
const ERROR_STATUS = { malformedRequest: 1, internalError: 2, tryLater: 3, unauthorized: 6 } as const;
export type OcspError = keyof typeof ERROR_STATUS;

const BASIC_RESPONSE = encodeOid("1.3.6.1.5.5.7.48.1.1");
const NONCE = "1.3.6.1.5.5.7.48.1.2";
const SUCCESSFUL = 0;
const GOOD = frame(tag.implicit(0));
const UNKNOWN = frame(tag.implicit(2));

/** Whether the question is about a certificate of the responder's authority: both hashes must match. */
export function isOurs(responder: OcspResponder, question: OcspQuestion): boolean {
	if (question.hash === "other") return false;
	const { nameHash, keyHash } = responder.issuer[question.hash];
	return question.issuerNameHash === nameHash && question.issuerKeyHash === keyHash;
}

/**
 * Builds and signs a BasicOCSPResponse that includes the responder's certificate (RFC 6960 §4.2.1).
 *
 * @returns DER OCSPResponse
 */
export async function buildOcspResponse(
	responder: OcspResponder,
	{ answers, nonce, now, nextUpdate }: OcspAnswer,
): Promise<Uint8Array<ArrayBuffer>> {
	const thisUpdate = encodeGeneralizedTime(now);
	const until = frame(tag.explicit(0), encodeGeneralizedTime(nextUpdate));
	const singles = answers.map(({ question, status }) =>
		frame(tag.sequence, question.certId, encodeStatus(status), thisUpdate, until),
	);
	const extensions =
		nonce === null
			? []
			: [frame(tag.explicit(1), frame(tag.sequence, extension(NONCE, Uint8Array.from(nonce))))];
	const tbs = frame(
		tag.sequence,
		frame(tag.explicit(2), frame(tag.octetString, responder.keyHash)),
		thisUpdate,
		frame(tag.sequence, ...singles),
		...extensions,
	);
	const certificates = frame(tag.explicit(0), frame(tag.sequence, responder.certificate));
	const basic = await signDer(responder.signer, tbs, certificates);
	const bytes = frame(tag.sequence, BASIC_RESPONSE, frame(tag.octetString, basic));
	return frame(tag.sequence, encodeEnumerated(SUCCESSFUL), frame(tag.explicit(0), bytes));
}

/** DER OCSPResponse that reports an error; errors are not signed. */
export function encodeOcspError(error: OcspError): Uint8Array<ArrayBuffer> {
	return frame(tag.sequence, encodeEnumerated(ERROR_STATUS[error]));
}

function encodeStatus(status: CertificateStatus): Uint8Array {
	switch (status.kind) {
		case "good":
			return GOOD;
		case "unknown":
			return UNKNOWN;
		case "revoked":
			return frame(tag.explicit(1), encodeGeneralizedTime(status.at), ...encodeReason(status.reason));
	}
}

/** RevokedInfo's reason, omitted for unspecified as in a CRL entry (RFC 5280 §5.3.1). */
function encodeReason(reason: CrlReason): Uint8Array[] {
	const code = CRL_REASON[reason];
	return code === CRL_REASON.unspecified ? [] : [frame(tag.explicit(0), encodeEnumerated(code))];
}

function encodeEnumerated(value: number): Uint8Array {
	return frame(tag.enumerated, new Uint8Array([value]));
}
