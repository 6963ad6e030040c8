import { type EmittedPayload, emittedData, webhookBody } from "./webhook.ts";

/*
 * A certificate's payload is stored as its first channel sends it: a webhook's body, or an EmittedPayload as JSON.
 * A delivery that changes its channel is read here as the other.
 */

/** @param createdAt - of the delivery, epoch milliseconds: every attempt sends the same bytes. */
export function asWebhookBody(payload: string, createdAt: number): string {
	const stored: object = JSON.parse(payload);
	if ("type" in stored) return payload;
	return webhookBody("certificate.emitted", createdAt, emittedData(stored as EmittedPayload));
}

export function asEmittedPayload(payload: string): EmittedPayload {
	const stored: EmittedPayload | { data: ReturnType<typeof emittedData> } = JSON.parse(payload);
	if (!("data" in stored)) return stored;
	const { data } = stored;
	const { rut, nombreCompleto: fullName, email } = data.titular;
	return {
		code: data.p_code,
		reference: data.referenceId,
		holder: { rut, fullName, email },
		serial: data.serialNumber,
		validFrom: Date.parse(data.validFrom),
		validTo: Date.parse(data.validTo),
		fileName: data.pfxFileName,
		pfx: data.certificate,
	};
}
