/** Data that the Worker writes into the page, for anybody who has the session's id: no personal data, no token. */
export interface PageData {
	/** Null: no such session, or it cannot be told now. */
	session: {
		id: string;
		code: string;
		/** Why it is over; null while it is open. */
		endReason: string | null;
		/** Origins that may embed it and may receive events. */
		origins: readonly string[];
		partner: { name: string; accent: string | null; logo: string | null };
	} | null;
	/** Name of the service whose page it is. */
	service: string;
	locale: "es" | "en";
	/** Why the page cannot be shown now, as a refusal's code; the holder may try again. */
	refusal: "SERVICE_UNAVAILABLE" | "RATE_LIMIT_EXCEEDED" | null;
	/** Embedded in a partner's page, or alone in the page that `url` names. */
	place: "frame" | "hosted";
}

/** Id of the element that holds it. */
export const PAGE_DATA_ID = "page-data";
