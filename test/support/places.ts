import { REGISTER } from "./db.ts";

/** Opens the register to partners that a test makes up: triggers refuse the rows of any other. */
export async function openPlaces(...partnerIds: readonly string[]): Promise<void> {
	await forEach(
		partnerIds,
		"INSERT INTO partner_places (partner_id, number, epoch, state, since) VALUES (?, 0, 1, 'open', 0) ON CONFLICT DO UPDATE SET state = 'open'",
	);
}

/** Freezes the writes of partners whose place in the register is open, as their move does. */
export async function freezePlaces(...partnerIds: readonly string[]): Promise<void> {
	await forEach(
		partnerIds,
		"UPDATE partner_places SET state = 'frozen', since = 0 WHERE partner_id = ? AND state = 'open'",
	);
}

/** Opens what {@link freezePlaces} froze, and nothing that a mover has frozen or closed since. */
export async function thawPlaces(...partnerIds: readonly string[]): Promise<void> {
	await forEach(
		partnerIds,
		"UPDATE partner_places SET state = 'open' WHERE partner_id = ? AND state = 'frozen' AND since = 0",
	);
}

async function forEach(partnerIds: readonly string[], statement: string): Promise<void> {
	await REGISTER.batch(partnerIds.map((id) => REGISTER.prepare(statement).bind(id)));
}
