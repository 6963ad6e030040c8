import { findCertificate } from "../db/certificates.ts";
import type { Db } from "../db/query.ts";
import { readSerial } from "../domain/certificate-serial.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { RevocationAnswer } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import type { OpsContext } from "./authorize.ts";

export async function findTypedCertificate(db: Db, typed: string): Promise<CertificateFacts | null> {
	const serial = readSerial(typed);
	return serial === null ? null : findCertificate(db, serial);
}

/** Revokes a certificate and leaves its code as it is. */
export async function revokeCertificate(
	{ platform, origin: { actor, requestId }, later }: OpsContext,
	{ partnerId, code, serial }: CertificateFacts,
	reason: RevocationReason,
): Promise<RevocationAnswer> {
	const { answer } = await callCode(platform, { partnerId, code }, (object) =>
		object.revokeCertificate({ partnerId, code, actor, requestId, idempotency: null, serial, reason }),
	);
	if (answer.kind === "revoked") later(keepCrlFresh(platform));
	return answer;
}
