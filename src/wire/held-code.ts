import { z } from "@hono/zod-openapi";
import type { HeldCode } from "../db/holders-across-partners.ts";
import { timestamp } from "../http/timestamp.ts";
import { opsCertificateSchema } from "./certificate.ts";
import { CODE_EXAMPLE, codeSchema, presentCode } from "./purchase-code.ts";
import { view } from "./view.ts";

/* A code of a holder as ops find it, with its partner's name and its certificate's state. */

const heldFields = codeSchema.pick({
	p_code: true,
	partner_id: true,
	product: true,
	status: true,
	list_status: true,
	created_at: true,
	validated_at: true,
	issued_at: true,
	certificate_serial: true,
	certificate_not_after: true,
});
const { revoked_at, revocation_reason } = opsCertificateSchema.shape;

export const heldCodeSchema = heldFields
	.extend({ partner_name: z.string(), revoked_at, revocation_reason })
	.openapi("HeldCode");

export const HELD_CODE_EXAMPLE: z.input<typeof heldCodeSchema> = {
	...view(heldFields, CODE_EXAMPLE),
	partner_name: "Demo Partner",
	revoked_at: null,
	revocation_reason: null,
};

export function presentHeldCode(held: HeldCode, now: number): z.input<typeof heldCodeSchema> {
	return {
		...view(heldFields, presentCode(held, now)),
		partner_name: held.partnerName,
		revoked_at: timestamp(held.revokedAt),
		revocation_reason: held.revocationReason,
	};
}
