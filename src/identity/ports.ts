/** A person as recorded in the civil registry. */
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

/** Why the registry does not confirm a holder. A partner sees ID_CARD_MISMATCH for all of them. */
type RegistryMismatch =
	| "not_found"
	| "holder_deceased"
	| "serial_mismatch"
	| "card_reported_lost"
	| "card_expired";

export type RegistryAnswer =
	| { kind: "found"; person: RegisteredPerson }
	| { kind: "mismatch"; reason: RegistryMismatch }
	| NoAnswer;

export interface RegistryQuery {
	/** Canonical, `12345678-5`. */
	rut: string;
	/** Canonical, from `normaliseCardSerial`. With null the serial is not checked; the card's state always is. */
	cardSerial: string | null;
}

/** Chile's civil registry. Errors of the registry or the network are returned as `unavailable`, not thrown. */
export interface CivilRegistry {
	lookUp(query: RegistryQuery): Promise<RegistryAnswer>;
}

export type SingleSignOnAnswer =
	| {
			kind: "verified";
			/** RUT of the credential, canonical `12345678-5`. The caller compares it with the holder's. */
			rut: string;
			/** The service's own stable id of that person (`sub`, OpenID Connect Core §5.1). */
			subject: string;
	  }
	| { kind: "rejected" }
	| NoAnswer;

/** Kept by the caller of `begin` until its end; null where the provider takes none. Secrets, never logged. */
export interface SignOnSecrets {
	/** OpenID Connect Core §3.1.2.1. */
	nonce: string | null;
	/** RFC 7636 §4.1. */
	codeVerifier: string | null;
}

export type SignOnAnswer =
	| (Extract<SingleSignOnAnswer, { kind: "verified" }> & {
			/** The access token: what `verify` takes. A secret, never logged. */
			credential: string;
			/** Validity of the credential as the service states it; null where it does not. */
			validForMs: number | null;
	  })
	| { kind: "rejected" }
	| NoAnswer;

/** The government's single sign-on, ClaveÚnica. Errors of the service or the network are returned, not thrown. */
export interface SingleSignOn {
	/** Address where a browser signs on; the answer of `begin` is its query. */
	authorizeUrl: string;
	/** @param state - comes back with the browser; unguessable */
	begin(state: string): Promise<{ query: string; secrets: SignOnSecrets }>;
	/** Turns the code that a browser brought back into a credential, and asks whose it is. */
	finish(code: string, state: string, secrets: SignOnSecrets): Promise<SignOnAnswer>;
	/** @param credential - an access token as the partner sent it; a secret, never logged */
	verify(credential: string): Promise<SingleSignOnAnswer>;
}

/**
 * An upstream gave no usable answer: the holder is neither confirmed nor refused, and no attempt is counted.
 *
 * - `timeout`: the answer was not complete within the deadline
 * - `connection`: no connection, or it failed while the answer was read
 * - `status`: an HTTP status that the contract does not define, including redirects
 * - `format`: an answer that does not follow the contract
 */
export interface NoAnswer {
	kind: "unavailable";
	reason: "timeout" | "connection" | "status" | "format";
	/** Logged for operators. Never quotes the request or the answer: both contain personal data. */
	detail: string;
}
