CREATE TABLE `delivery_attempts` (
	`id` integer PRIMARY KEY NOT NULL,
	`partner_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`channel` text NOT NULL,
	`outcome` text NOT NULL,
	`http_status` integer
);
--> statement-breakpoint
CREATE INDEX `delivery_attempts_delivery` ON `delivery_attempts` (`partner_id`,`delivery_id`,`id`);--> statement-breakpoint
CREATE INDEX `outbox_partner_state` ON `outbox` (`partner_id`,CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN dead_at IS NOT NULL THEN 'dead' ELSE 'pending' END,`event`,`created_at`,`id`);