import type { WebhookEvent } from "../domain/webhook-events.ts";

/** Everything a delivery of an issued certificate needs. Times in epoch milliseconds. */
export interface EmittedPayload {
	code: string;
	reference: string | null;
	holder: { rut: string; fullName: string; email: string };
	serial: string;
	validFrom: number;
	validTo: number;
	fileName: string;
	/** Base64. */
	pfx: string;
}

/** The body of a webhook (Standard Webhooks 1.0, "Payload structure"): stored as text, so that every attempt sends the same octets. */
export function webhookBody(type: WebhookEvent, at: number, data: object): string {
	return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

/** §2.4 and referenceId, titular and pfxFileName: what a B2B partner gets in place of a claim. */
export function emittedData(payload: EmittedPayload) {
	const { holder } = payload;
	return {
		...claimedData(payload),
		certificate: payload.pfx,
		titular: { rut: holder.rut, nombreCompleto: holder.fullName, email: holder.email },
		pfxFileName: payload.fileName,
	};
}

/** In B2C the certificate went to whoever claimed it: its data without the file and the holder. */
export function claimedData(payload: EmittedPayload) {
	return {
		p_code: payload.code,
		validFrom: new Date(payload.validFrom).toISOString(),
		validTo: new Date(payload.validTo).toISOString(),
		serialNumber: payload.serial,
		referenceId: payload.reference,
	};
}
