/* The fence of docs/scaling.md as it would be a migration: a partner's rows change only where the partner is open. */

/** Tables with a partner's rows; `code_counts` follows from `purchase_codes`. */
const FENCED = [
	"batches",
	"purchase_codes",
	"holders",
	"holder_emails",
	"certificates",
	"evidence",
	"outbox",
	"webhook_secrets",
	"audit_events",
	"idempotency_keys",
	"api_keys",
];

/** `copying` is 1 within a batch of the mover, which ends with 0: nobody else ever sees 1. */
const TENURES = `CREATE TABLE partner_tenures (
	partner_id text PRIMARY KEY NOT NULL,
	epoch integer NOT NULL,
	state text NOT NULL CHECK (state IN ('arriving', 'open', 'frozen', 'void', 'gone')),
	copying integer NOT NULL DEFAULT 0
) WITHOUT ROWID`;

/** Statements that build the fence and open it for every partner there is. One round trip, in this order. */
export function buildFence(): string[] {
	return [
		TENURES,
		"INSERT INTO partner_tenures (partner_id, epoch, state) SELECT id, 1, 'open' FROM partners",
		...FENCED.flatMap((table) =>
			[
				["INSERT", "NEW"],
				["UPDATE", "NEW"],
				["DELETE", "OLD"],
			].map(
				([event, row]) => `CREATE TRIGGER ${table}_fence_${event!.toLowerCase()} BEFORE ${event} ON ${table}
WHEN ${row}.partner_id <> '' AND NOT EXISTS (SELECT 1 FROM partner_tenures AS tenure
	WHERE tenure.partner_id = ${row}.partner_id AND (tenure.state = 'open' OR tenure.copying = 1))
BEGIN SELECT RAISE(ABORT, 'the partner is not open here'); END`,
			),
		),
	];
}
