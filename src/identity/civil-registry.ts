import type { Unavailable } from "./unavailable.ts";

/** A person as the civil registry has them. */
export interface RegisteredPerson {
	/** Given names in the registry's order and spelling, NFC, never blank: `MARÍA JOSÉ`. */
	names: string;
	/** Paternal surname, NFC, never blank. */
	fatherSurname: string;
	/** Maternal surname, NFC; null when the registry records none. */
	motherSurname: string | null;
	/** Last day the ID card is valid, a real calendar date `YYYY-MM-DD`. */
	cardExpiry: string;
}

/** Why the registry does not confirm a holder. All read ID_CARD_MISMATCH to a partner. */
type RegistryMismatch =
	| "not_found"
	| "holder_deceased"
	| "serial_mismatch"
	| "card_reported_lost"
	| "card_expired";

export type RegistryAnswer =
	| { kind: "found"; person: RegisteredPerson }
	| { kind: "mismatch"; reason: RegistryMismatch }
	| Unavailable;

export interface RegistryQuery {
	/** Canonical, `12345678-5`. */
	rut: string;
	/** Canonical, as `normaliseCardSerial` gives it; null leaves the serial unchecked, never the card's state. */
	cardSerial: string | null;
}

/** Chile's civil registry. Never throws for what the registry or the network does: that is an answer too. */
export interface CivilRegistry {
	lookUp(query: RegistryQuery): Promise<RegistryAnswer>;
}
