import type { Unavailable } from "./unavailable.ts";

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
