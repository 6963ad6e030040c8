import type { Defect } from "../db/defects.ts";
import { DEFAULT_REVOCATION_REASON } from "../domain/revocation-reason.ts";
import { callCode } from "../objects/stubs.ts";
import type { UpkeepContext } from "./job.ts";

/**
 * Mends what the register itself says how to mend, through the code's object as every change of a code.
 * @returns null where only people can: a certificate was never delivered, codes or batches are gone.
 */
export async function mendDefect(
	{ platform, actor, requestId }: UpkeepContext,
	{ kind, partnerId, subject, serial }: Defect,
): Promise<boolean | null> {
	const call = { partnerId, code: subject, actor, requestId, idempotency: null };
	switch (kind) {
		case "stale_step":
		case "certificate_missing": {
			const { answer } = await callCode(platform, { partnerId, code: subject }, (object) =>
				object.mend({ ...call, kind }),
			);
			return answer.kind === "mended";
		}
		case "serial_not_emitted":
		case "serial_not_revoked":
		case "cancelled_not_revoked": {
			const revocation = { ...call, serial: serial!, reason: DEFAULT_REVOCATION_REASON };
			const { answer } = await callCode(platform, { partnerId, code: subject }, (object) =>
				object.revokeCertificate(revocation),
			);
			return answer.kind === "revoked";
		}
		case "delivery_missing":
		case "batch_missing":
		case "codes_missing":
		case "batch_gap":
			return null;
	}
}
