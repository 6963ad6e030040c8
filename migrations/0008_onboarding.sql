CREATE TABLE `onboarding_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`code` text NOT NULL,
	`token_hash` text NOT NULL,
	`reference` text NOT NULL,
	`locale` text NOT NULL,
	`claim` integer NOT NULL,
	`origins` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`until_at` integer NOT NULL,
	`validated_at` integer,
	`completed_at` integer,
	`ended_at` integer,
	`end_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `onboarding_sessions_open` ON `onboarding_sessions` (`partner_id`,`code`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `onboarding_sessions_due` ON `onboarding_sessions` (`until_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `onboarding_sessions_ended` ON `onboarding_sessions` (`ended_at`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `widget_logos` (
	`partner_id` text NOT NULL,
	`hash` text NOT NULL,
	`media_type` text NOT NULL,
	`content` blob NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`partner_id`, `hash`)
);
--> statement-breakpoint
ALTER TABLE `holders` ADD `terms_version` text;--> statement-breakpoint
ALTER TABLE `holders` ADD `terms_accepted_at` integer;--> statement-breakpoint
ALTER TABLE `partners` ADD `widget_origins` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `partners` ADD `widget_accent` text;--> statement-breakpoint
ALTER TABLE `partners` ADD `widget_logo` text;