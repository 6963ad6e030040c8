CREATE TABLE `upkeep_jobs` (
	`job` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`cursor` text,
	`ran_at` integer NOT NULL,
	`report` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `holders_rut` ON `holders` (`partner_id`,`rut_index`);