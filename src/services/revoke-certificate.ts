import { findCertificate } from "../db/certificates.ts";
import { findOwnCertificate, type OwnCertificate } from "../db/own-codes.ts";
import { findHomeOfSerial } from "../directory.ts";
import { readSerial } from "../domain/certificate-serial.ts";
import type { CertificateFacts } from "../domain/decide-revocation.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import { type Rejected, type RevocationAnswer, rejected } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import { keepCrlFresh } from "../pki/publish-crl.ts";
import type { Platform } from "../platform.ts";
import type { PartnerCaller } from "./caller.ts";

/** A certificate of any partner, as ops typed its serial. */
export async function findTypedCertificate(
	platform: Platform,
	typed: string,
): Promise<CertificateFacts | null> {
	const serial = readSerial(typed);
	const home = serial && (await findHomeOfSerial(platform, serial));
	return home ? findCertificate(home.database.db, serial) : null;
}

/** Revokes a certificate permanently; its code does not change. */
export async function revokeCertificate(
	{ platform, partnerId, actor, requestId, later }: PartnerCaller,
	{ code, serial }: { code: string; serial: string },
	reason: RevocationReason,
): Promise<RevocationAnswer> {
	const call = { partnerId, code, actor, requestId, idempotency: null, serial, reason };
	const { answer } = await callCode(platform, call, (object) => object.revokeCertificate(call));
	if (answer.kind === "revoked") later(keepCrlFresh(platform));
	return answer;
}

/** Revokes a certificate of the partner that calls. @param typed - its serial as it was written */
export async function revokeOwnCertificate(
	caller: PartnerCaller,
	typed: string,
	reason: RevocationReason,
): Promise<{ kind: "revoked"; certificate: OwnCertificate } | Rejected> {
	const serial = readSerial(typed);
	const found = serial && (await findOwnCertificate(caller.db, caller.partnerId, serial));
	if (!found) return rejected({ reason: "not_found" });
	const answer = await revokeCertificate(caller, found, reason);
	if (answer.kind === "rejected") return answer;
	const { revokedAt, revocationReason } = answer.facts;
	return { kind: "revoked", certificate: { ...found, revokedAt, revocationReason } };
}
