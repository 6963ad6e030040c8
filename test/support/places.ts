import { REGISTER } from "./db.ts";

/** Opens the register to partners that a test makes up: triggers refuse the rows of any other. */
export async function openPlaces(...partnerIds: readonly string[]): Promise<void> {
	await setPlaces("open", partnerIds);
}

/** Freezes the writes of partners, as their move does. */
export async function freezePlaces(...partnerIds: readonly string[]): Promise<void> {
	await setPlaces("frozen", partnerIds);
}

async function setPlaces(state: "open" | "frozen", partnerIds: readonly string[]): Promise<void> {
	const place = REGISTER.prepare(
		"INSERT INTO partner_places (partner_id, number, epoch, state, since) VALUES (?1, 0, 1, ?2, 0) ON CONFLICT DO UPDATE SET state = ?2",
	);
	await REGISTER.batch(partnerIds.map((id) => place.bind(id, state)));
}
