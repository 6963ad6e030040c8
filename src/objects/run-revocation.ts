import { revokeCertificate } from "../db/certificate-register.ts";
import { commitCodeChange } from "../db/change-code.ts";
import { withdrawCertificate } from "../db/outbox-register.ts";
import { ask } from "../db/query.ts";
import { findCertificateOfCode } from "../db/read-certificates.ts";
import { selectCode } from "../db/read-code.ts";
import { decideRevocation } from "../domain/decide-revocation.ts";
import type { CodeContext } from "./code-context.ts";
import { type RevocationAnswer, type RevocationCall, rejected } from "./rpc.ts";

const TRIES = 3;

/**
 * Revokes a certificate of a code and leaves the code as it is. Like other ops it does not wait for the lease; the
 * version it takes tells a running step.
 */
export async function runRevocation(context: CodeContext<RevocationCall>): Promise<RevocationAnswer> {
	const { call, db, clock } = context;
	const { serial, reason } = call;
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const [row] = await ask(selectCode(db, call.partnerId, call.code));
		const facts = await findCertificateOfCode(db, call);
		const now = clock();
		const decision = decideRevocation(facts, reason, now);
		if (decision.kind === "rejected" || !facts || !row)
			return rejected(decision.kind === "rejected" ? decision.rejection : { reason: "not_found" });
		if (decision.kind === "unchanged") return { kind: "revoked", facts };
		const result = await commitCodeChange(db, {
			row,
			set: {},
			action: "revoke",
			outcome: `${serial} ${reason}`,
			actor: call.actor,
			requestId: call.requestId,
			step: null,
			now,
			alongside: [
				revokeCertificate(db, { serial, partnerId: call.partnerId, reason, now }),
				// Only of the certificate that the code names: a stray serial has no delivery of its own.
				...(row.facts.certificateSerial === serial
					? [withdrawCertificate(db, { ...call, now, why: "revoked" })]
					: []),
			],
		});
		if (result === "committed") return { kind: "revoked", facts: { ...facts, ...decision.set } };
	}
	return rejected({ reason: "service_unavailable" });
}
