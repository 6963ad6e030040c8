ALTER TABLE `api_keys` ADD `scopes` text DEFAULT '["codes","redeem","read"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `allowed_cidrs` text;