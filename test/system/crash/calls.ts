import type { Client } from "./client.ts";
import type { Answer, Holder, Partner } from "./journal.ts";

/* The calls that the load makes, as the interface document has them. */

/** Code and holder, whose code it is, and how it is called. */
export interface Redeemable {
	partner: Partner;
	code: string;
	holder: Holder;
}

export function bulk(
	client: Client,
	partner: Partner,
	quantity: number,
	idempotencyKey: string | null,
): Promise<Answer> {
	return client.send({
		kind: "bulk",
		partner,
		method: "POST",
		path: "/api/partner/v1/pcode/bulk",
		body: JSON.stringify({ productCode: "FV01", quantity }),
		idempotencyKey,
	});
}

/** A picture of an identity card: what it shows is nobody's business but the bucket's. */
const PICTURE = `data:image/png;base64,${Buffer.concat([
	Buffer.from("89504e470d0a1a0a", "hex"),
	Buffer.alloc(4_096, 7),
]).toString("base64")}`;

export interface RequestOptions {
	idempotencyKey: string | null;
	/** The card's serial is not the holder's. */
	isGuess?: boolean;
	withPictures?: boolean;
	withCopy?: boolean;
}

export function request(
	client: Client,
	{ partner, code, holder }: Redeemable,
	{ idempotencyKey, isGuess = false, withPictures = false, withCopy = false }: RequestOptions,
): Promise<Answer> {
	const isFull = partner.settings.require_cedula_serie === 0;
	const wrongSerial = holder.cardSerial.replace(/^0/, "9");
	const flow = isFull
		? {
				names: isGuess ? "Otra Persona" : holder.names,
				fLastname: "Prueba",
				mLastname: "Sandbox",
				phone: "+56912345678",
				ssoCredential: `sso-${holder.rut}`,
			}
		: { serialNumber: isGuess ? wrongSerial : holder.cardSerial };
	const body = {
		pCode: code,
		referenceId: `order-${code}`,
		dni: holder.rut,
		email: holder.email,
		pin: holder.pin,
		...flow,
		...(withPictures && { dniFront: PICTURE, dniBack: PICTURE }),
		...(withCopy && { partnerCopy: copyAddress(holder) }),
	};
	return client.send({
		kind: isGuess ? "guess" : "request",
		partner,
		method: "POST",
		path: "/api/partners/v1/certificate_request",
		body: JSON.stringify(body),
		idempotencyKey,
		code,
	});
}

export function copyAddress({ rut }: Holder): string {
	return `copy-${rut.toLowerCase()}@example.cl`;
}

export function claim(
	client: Client,
	{ partner, code, holder }: Redeemable,
	{ idempotencyKey, isWrong = false }: { idempotencyKey: string | null; isWrong?: boolean },
): Promise<Answer> {
	const pin = isWrong ? String((Number(holder.pin) + 1) % 10_000).padStart(4, "0") : holder.pin;
	return client.send({
		kind: isWrong ? "wrong-claim" : "claim",
		partner,
		method: "POST",
		path: "/api/partners/v1/certificate_claim",
		body: JSON.stringify({ p_code: code, dni: holder.rut, pin }),
		idempotencyKey,
		code,
	});
}

export function status(client: Client, partner: Partner, code: string): Promise<Answer> {
	const path = `/api/partners/v1/status?p_code=${code}`;
	return client.send({ kind: "status", partner, method: "GET", path });
}

/** @param query - with its question mark. */
export function list(client: Client, partner: Partner, query: string): Promise<Answer> {
	return client.send({ kind: "list", partner, method: "GET", path: `/api/partner/v1/pcodes${query}` });
}

/** Cancels as ops; the partner is the code's owner. */
export function cancel(client: Client, { partner, code }: Redeemable): Promise<Answer> {
	const path = `/ops/v1/pcodes/${code}/cancel`;
	const body = JSON.stringify({ reason: "crash run" });
	return client.send({ kind: "cancel", partner, method: "POST", path, body, code });
}
