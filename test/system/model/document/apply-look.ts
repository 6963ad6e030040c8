import { applyReconcile, applyShowAudit, applyVerifyAudit } from "./apply-audit.ts";
import { applyRotateSecret } from "./apply-ops-partners.ts";
import { applyListJobs, applyRunJob } from "./apply-upkeep.ts";
import type { LookCall } from "./calls.ts";
import { applyListDeliveries, applyResend } from "./deliveries.ts";
import { applyListEvidence, applyShowPicture } from "./evidence.ts";
import type { Outcome } from "./expected.ts";
import { applyMisuse } from "./misuse.ts";
import { applyListPartners, applyShowPartner } from "./partner-facts.ts";
import type { Rules } from "./rules.ts";
import type { World } from "./world.ts";

/** What ops look at, and what they set going. */
export function applyLook(world: World, call: LookCall, now: number, rules: Rules): Outcome {
	switch (call.kind) {
		case "list partners":
			return applyListPartners(world);
		case "show partner":
			return applyShowPartner(world, call);
		case "rotate secret":
			return applyRotateSecret(world, call, now);
		case "show audit":
			return applyShowAudit(world, call);
		case "verify audit":
			return applyVerifyAudit(world);
		case "list deliveries":
			return applyListDeliveries(world, call);
		case "resend":
			return applyResend(world, call, now);
		case "list evidence":
			return applyListEvidence(world, call, now);
		case "show picture":
			return applyShowPicture(world, call, now);
		case "reconcile":
			return applyReconcile(world, call);
		case "list jobs":
			return applyListJobs(world);
		case "run job":
			return applyRunJob(world, call, now, rules);
		case "misuse":
			return applyMisuse(world, call);
	}
}
