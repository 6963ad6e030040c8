/** Changes that an audit row can record. `texts/audit.ts` has words for each: one that is missing there does not compile. */
export type AuditAction = CodeAction | PartnerAction | OtherAction | JobName;

type CodeAction =
	| "created"
	| "validated"
	| "emitted"
	| "validation_failed"
	| "validation_refused"
	| "claim_failed"
	| "cancel"
	| "block"
	| "unblock"
	| "replace"
	| "revoke"
	| "holder_erased"
	| "step_abandoned"
	| "session_made"
	| "certificate_entered"
	| "mended_after_restore"
	| "batch_abandoned";

type PartnerAction =
	| "changed"
	| "suspended"
	| "resumed"
	| "widget_changed"
	| "webhook_switched_off"
	| "webhook_secret_rotated"
	| "key_added"
	| "key_rotated"
	| "key_revoked"
	| "delivery_email_asked"
	| "clock_advanced"
	| "signed_in"
	| "signed_out"
	| "signed_out_everywhere"
	| "session_ended"
	| "ended_by_address";

type OtherAction =
	| "started"
	| "ended"
	| "delivery_resent"
	| "evidence_listed"
	| "evidence_read"
	| "holder_searched"
	| "restore_recorded"
	| "mending_ended";

export type JobName =
	| "forget-idempotency-keys"
	| "forget-onboarding-sessions"
	| "forget-rut-attempts"
	| "forget-console-sessions"
	| "forget-holder-visits"
	| "forget-holder-counts"
	| "forget-delivery-attempts"
	| "forget-emails"
	| "lapse-validations"
	| "erase-holders"
	| "erase-leaves"
	| "erase-delivery-details"
	| "sweep-stray-pictures"
	| "remind-of-certificates"
	| "remind-of-codes"
	| "remind-of-lapses"
	| "reconcile"
	| "reseal-rows"
	| "reseal-evidence"
	| "digest-audit"
	| "verify-audit"
	| "watch-authority";
