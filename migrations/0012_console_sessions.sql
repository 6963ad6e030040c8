CREATE TABLE `console_sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `console_sessions_partner` ON `console_sessions` (`partner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `console_sessions_expiry` ON `console_sessions` (`expires_at`);