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

export type SingleSignOnAnswer =
	| {
			kind: "verified";
			/** Whose credential it is, canonical `12345678-5`. The caller compares it with the holder's. */
			rut: string;
			/** The service's own stable id of that person (`sub`, OpenID Connect Core §5.1). */
			subject: string;
	  }
	| { kind: "rejected" }
	| Unavailable;

/** The government's single sign-on, ClaveÚnica. Never throws for what the service or the network does. */
export interface SingleSignOn {
	/** @param credential an access token as the partner passed it on; a secret, never logged */
	verify(credential: string): Promise<SingleSignOnAnswer>;
}

/**
 * An upstream that gave no usable answer: the holder is neither confirmed nor refused, and no attempt is spent.
 *
 * - `timeout`: the deadline ran out before the whole answer had arrived
 * - `connection`: no connection, or it broke while the answer was being read
 * - `status`: an HTTP status the contract gives no meaning, redirects included
 * - `format`: an answer that does not follow the contract
 */
export interface Unavailable {
	kind: "unavailable";
	reason: "timeout" | "connection" | "status" | "format";
	/** For the operator's log, in English. Never quotes the request or the answer: both hold personal data. */
	detail: string;
}
