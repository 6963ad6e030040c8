import type { Register, Statement } from "../db/register.ts";
import { outbox } from "../db/schema.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import type { Sealer } from "../vault/sealing.ts";

/** Everything a delivery of an issued certificate needs; sealed as JSON in the outbox row. Times in epoch milliseconds. */
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

interface Recipient {
	channel: "webhook" | "email";
	address: string | null;
}

/**
 * The rows that owe an issued certificate to its recipients, for the commit that issues it: in B2B the partner's
 * webhook and its delivery e-mail, in both modes the request's `partnerCopy` (§4.1, §6).
 */
export async function oweDeliveries(
	{ register, sealer }: { register: Register; sealer: Sealer },
	owed: {
		partnerId: string;
		settings: PartnerSettings;
		partnerCopy: string | null;
		payload: EmittedPayload;
		now: number;
	},
): Promise<Statement[]> {
	const { partnerId, payload, now } = owed;
	const text = JSON.stringify(payload);
	const rows = await Promise.all(
		recipients(owed.settings, owed.partnerCopy).map(async ({ channel, address }) => {
			const id = crypto.randomUUID();
			const place = (column: string) => ({ table: "outbox", row: id, column });
			return {
				id,
				partnerId,
				code: payload.code,
				event: "certificate.emitted" as const,
				channel,
				recipientSealed: address === null ? null : await sealer.seal(address, place("recipient_sealed")),
				payloadSealed: await sealer.seal(text, place("payload_sealed")),
				createdAt: now,
				nextAttemptAt: now,
			};
		}),
	);
	return rows.length > 0 ? [register.insert(outbox).values(rows)] : [];
}

/** A B2B partner without any address still gets a row: the certificate waits for the address, it is not lost. */
function recipients(settings: PartnerSettings, partnerCopy: string | null): Recipient[] {
	const to: Recipient[] = [];
	if (settings.mode === "B2B") {
		to.push({ channel: "webhook", address: null });
		if (settings.deliveryEmail !== null) to.push({ channel: "email", address: settings.deliveryEmail });
	}
	if (partnerCopy !== null) to.push({ channel: "email", address: partnerCopy });
	return to;
}
