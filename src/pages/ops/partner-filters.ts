import type { PartnerRow } from "../../db/partners.ts";
import { lacksDeliveryAddress } from "../../domain/delivery-address.ts";
import { asksCardSerial, asksSingleSignOn } from "../../domain/partner-settings.ts";
import type { Text } from "../../texts/language.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";

/** Partners that need attention, by the name in the address. */
export const PARTNER_FILTERS = {
	unreachable: { label: T.unreachable, has: lacksDeliveryAddress },
	weak: { label: T.weak, has: (partner) => !partner.requireCardSerial && !asksSingleSignOn(partner) },
	sso_alone: { label: T.ssoAlone, has: (partner) => !asksCardSerial(partner) },
	webhook_off: { label: T.webhookOff, has: ({ webhookOffAt }) => webhookOffAt !== null },
	suspended: { label: T.suspended, has: ({ suspendedAt }) => suspendedAt !== null },
} as const satisfies Record<string, { label: Text; has: (partner: PartnerRow) => boolean }>;

export type PartnerFilter = keyof typeof PARTNER_FILTERS;

export function filterOf(text: string | undefined): PartnerFilter | null {
	return text !== undefined && Object.hasOwn(PARTNER_FILTERS, text) ? (text as PartnerFilter) : null;
}

/** Whether a partner's name contains a text, without regard to case and accents. */
export function isNamed(text: string): (partner: PartnerRow) => boolean {
	return ({ name }) => folded(name).includes(folded(text));
}

function folded(text: string): string {
	return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
