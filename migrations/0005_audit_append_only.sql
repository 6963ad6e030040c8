-- The audit only grows. Whoever can drop these triggers can still tamper; the chain of hashes then tells.
CREATE TRIGGER `audit_events_never_change` BEFORE UPDATE ON `audit_events`
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_never_go` BEFORE DELETE ON `audit_events`
BEGIN
	SELECT RAISE(ABORT, 'audit_events is append-only');
END;
