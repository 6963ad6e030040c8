CREATE TABLE `holder_counts` (
	`key` text PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`erase_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holder_counts_erase` ON `holder_counts` (`erase_at`);--> statement-breakpoint
CREATE TABLE `holder_visits` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`found` text,
	`proved_at` integer,
	`erase_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holder_visits_erase` ON `holder_visits` (`erase_at`);--> statement-breakpoint
ALTER TABLE `batches` ADD `reminded_at` integer;--> statement-breakpoint
CREATE INDEX `batches_expiring` ON `batches` (`created_at`) WHERE reminded_at IS NULL;--> statement-breakpoint
ALTER TABLE `certificates` ADD `renews` text;--> statement-breakpoint
ALTER TABLE `certificates` ADD `reminded_days` integer;--> statement-breakpoint
CREATE INDEX `certificates_expiring` ON `certificates` (`reminded_days`,`not_after`) WHERE issued_at IS NOT NULL AND revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `certificates_renews` ON `certificates` (`partner_id`,`renews`) WHERE renews IS NOT NULL;--> statement-breakpoint
ALTER TABLE `holders` ADD `renews` text;--> statement-breakpoint
ALTER TABLE `partners` ADD `holder_reminders` integer DEFAULT false NOT NULL;