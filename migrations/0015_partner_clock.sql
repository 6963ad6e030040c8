ALTER TABLE `partners` ADD `clock_offset` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `partners` ADD `listening_until` integer;