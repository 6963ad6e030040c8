import { z } from "@hono/zod-openapi";
import type { HeldCode } from "../../db/holders-across-partners.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import { REVOCATION_REASONS } from "../../domain/revocation-reason.ts";
import { CODE_STATUSES, codeStatus, LIST_STATUSES, listStatus } from "../../domain/status-tables.ts";
import { createApi } from "../../http/api.ts";
import { printable } from "../../http/fields.ts";
import { rut } from "../../http/holder-fields.ts";
import { dateTime, jsonBody, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { findHolder } from "../../services/find-holder.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { opsRoute } from "./ops-route.ts";

const heldCode = z
	.strictObject({
		p_code: z.string(),
		partner_id: z.string(),
		partner_name: z.string(),
		product: z.enum(PRODUCT_CODES),
		status: z.enum(CODE_STATUSES),
		list_status: z.enum(LIST_STATUSES),
		created_at: dateTime,
		validated_at: dateTime.nullable(),
		issued_at: dateTime.nullable(),
		certificate_serial: z.string().nullable(),
		certificate_not_after: dateTime.nullable(),
		revoked_at: dateTime.nullable(),
		revocation_reason: z.enum(REVOCATION_REASONS).nullable(),
	})
	.openapi("HeldCode");

export const holderSearch = z
	.strictObject(
		{ dni: rut, reason: printable(128, "text").openapi({ example: "Ticket 4711: lost the file" }) },
		"object",
	)
	.openapi("HolderSearch");

const search = opsRoute({
	id: "searchHolder",
	tag: "Codes",
	role: "operate",
	method: "post",
	path: "/holders/search",
	request: jsonBody(holderSearch),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				codes: z.array(heldCode),
				more: z.boolean().openapi({ description: mark(OPS_FIELDS.moreCodes) }),
			}),
		),
		example: {
			success: true,
			data: {
				codes: [
					{
						p_code: "7K3M-9QXT-2B4C-H8WD",
						partner_id: "pt_0f2c6f0c9b1d4a7e",
						partner_name: "Demo Partner",
						product: "FV01",
						status: "EMITTED",
						list_status: "emitido",
						created_at: "2026-11-21T11:00:00.000Z",
						validated_at: "2026-11-21T11:30:00.000Z",
						issued_at: "2026-11-21T12:00:00.000Z",
						certificate_serial: "4F0C6D1E9A3B5C7D8E9F0A1B2C3D4E5F",
						certificate_not_after: "2027-11-21T12:00:00.000Z",
						revoked_at: null,
						revocation_reason: null,
					},
				],
				more: false,
			},
		},
	},
	reasons: [],
});

export const opsHolders = createApi().openapi(search, async (c) => {
	const { dni, reason } = c.req.valid("json");
	const caller = opsCaller(c);
	const { codes, more } = await findHolder(caller, { rut: dni, reason });
	const shown = codes.map((code) => present(code, onBehalfOf(caller, code.partnerId, code).now));
	const data = { codes: shown, more };
	return c.json({ success: true as const, data }, 200);
});

function present(held: HeldCode, now: number) {
	return {
		p_code: held.code,
		partner_id: held.partnerId,
		partner_name: held.partnerName,
		product: held.product,
		status: codeStatus(held, now),
		list_status: listStatus(held, now),
		created_at: timestamp(held.createdAt),
		validated_at: timestamp(held.validatedAt),
		issued_at: timestamp(held.issuedAt),
		certificate_serial: held.certificateSerial,
		certificate_not_after: timestamp(held.certificateNotAfter),
		revoked_at: timestamp(held.revokedAt),
		revocation_reason: held.revocationReason,
	};
}
