import { applyReconcile, applyShowAudit, applyVerifyAudit } from "./apply-audit.ts";
import { applyRotateSecret } from "./apply-ops-partners.ts";
import { applyListJobs, applyRunJob } from "./apply-upkeep.ts";
import type { LookCall } from "./calls.ts";
import { applyListDeliveries, applyResend } from "./deliveries.ts";
import { applyListEvidence, applyShowPicture } from "./evidence.ts";
import type { Outcome } from "./expected.ts";
import type { Ledger } from "./ledger.ts";
import { applyMend, applyRecordRestore } from "./mend.ts";
import { applyMisuse } from "./misuse.ts";
import { applyListPartners, applyShowPartner } from "./partner-facts.ts";
import type { Rules } from "./rules.ts";

/** What ops look at, and what they set going. */
export function applyRead(ledger: Ledger, call: LookCall, now: number, rules: Rules): Outcome {
	switch (call.kind) {
		case "list partners":
			return applyListPartners(ledger, rules);
		case "show partner":
			return applyShowPartner(ledger, call, rules);
		case "rotate secret":
			return applyRotateSecret(ledger, call, now);
		case "show audit":
			return applyShowAudit(ledger, call);
		case "verify audit":
			return applyVerifyAudit(ledger);
		case "list deliveries":
			return applyListDeliveries(ledger, call);
		case "resend":
			return applyResend(ledger, call, now, rules);
		case "list evidence":
			return applyListEvidence(ledger, call, now);
		case "show picture":
			return applyShowPicture(ledger, call, now);
		case "reconcile":
			return applyReconcile(ledger, call);
		case "list jobs":
			return applyListJobs(ledger);
		case "run job":
			return applyRunJob(ledger, call, now, rules);
		case "record restore":
			return applyRecordRestore(ledger, call);
		case "mend":
			return applyMend(ledger, now, rules);
		case "misuse":
			return applyMisuse(ledger, call);
	}
}
