import { eraseDeliveryDetails } from "./erase-delivery-details.ts";
import { eraseEvidence } from "./erase-evidence.ts";
import { eraseHolders } from "./erase-holders.ts";
import { eraseLeaves } from "./erase-leaves.ts";
import { forgetEmails } from "./forget-emails.ts";
import { forgetIdempotencyKeys } from "./forget-idempotency-keys.ts";
import type { Job } from "./job.ts";
import { reconcile } from "./reconcile.ts";
import { resealEvidence } from "./reseal-evidence.ts";
import { resealRows } from "./reseal-rows.ts";
import { sweepStrayPictures } from "./sweep-stray-pictures.ts";
import { verifyAuditChains } from "./verify-audit-chains.ts";
import { watchAuthority } from "./watch-authority.ts";

/** In the order in which the cron runs them. docs/retention.md and docs/operations.md say what each is for. */
export const JOBS: readonly Job[] = [
	forgetIdempotencyKeys,
	eraseHolders,
	eraseEvidence,
	sweepStrayPictures,
	forgetEmails,
	eraseLeaves,
	eraseDeliveryDetails,
	reconcile,
	resealRows,
	resealEvidence,
	verifyAuditChains,
	watchAuthority,
];
