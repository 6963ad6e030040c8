import { z } from "@hono/zod-openapi";
import { PAGE_SIZE_MAX } from "../../../domain/limits.ts";
import { createApi } from "../../../http/api.ts";
import { cursorField } from "../../../http/cursor.ts";
import { rut } from "../../../http/holder-fields.ts";
import { limitCalls } from "../../../http/rate-limit.ts";
import { jsonBody, successBody } from "../../../http/responses.ts";
import { partnerCaller } from "../../../services/caller.ts";
import { listCertificates, searchCertificates } from "../../../services/list-certificates.ts";
import { DESK_FIELDS } from "../../../texts/desk-codes.ts";
import { mark } from "../../../texts/language.ts";
import { REFERENCE } from "../../../texts/reference.ts";
import {
	CERTIFICATE_EXAMPLE,
	certificateQuery,
	certificateSchema,
	presentCertificate,
} from "../../../wire/certificate.ts";
import { deskRoute } from "./desk-route.ts";

const success = {
	status: 200 as const,
	schema: successBody(
		z.strictObject({
			certificates: z.array(certificateSchema),
			next: z
				.string()
				.nullable()
				.openapi({ description: mark(DESK_FIELDS.next) }),
		}),
	).openapi("CertificatesAnswer"),
	example: { success: true as const, data: { certificates: [CERTIFICATE_EXAMPLE], next: null } },
};

const list = deskRoute({
	id: "listCertificates",
	tag: "Certificates",
	scope: "read",
	method: "get",
	path: "/certificates",
	limit: limitCalls,
	request: { query: certificateQuery },
	success,
	reasons: [],
	invalid: { field: "validity", hint: "validity" },
});

const search = deskRoute({
	id: "searchCertificates",
	tag: "Certificates",
	scope: "read",
	method: "post",
	path: "/certificates/search",
	limit: limitCalls,
	request: jsonBody(
		z
			.strictObject(
				{
					dni: rut,
					limit: z
						.int("limit")
						.min(1, "limit")
						.max(PAGE_SIZE_MAX, "limit")
						.optional()
						.openapi({ description: mark(REFERENCE.limit) }),
					cursor: cursorField(z.string().max(64)).nullish(),
				},
				"object",
			)
			.openapi("CertificateSearch"),
	),
	success,
	reasons: [],
	invalid: { field: "dni", hint: "rut" },
});

export const ownCertificates = createApi()
	.openapi(list, async (c) => {
		const caller = partnerCaller(c);
		const { page, next } = await listCertificates(caller, c.req.valid("query"));
		const shown = page.map((certificate) => presentCertificate(certificate, caller.now));
		return c.json({ success: true as const, data: { certificates: shown, next } }, 200);
	})
	.openapi(search, async (c) => {
		const caller = partnerCaller(c);
		const { page, next } = await searchCertificates(caller, c.req.valid("json"));
		const shown = page.map((certificate) => presentCertificate(certificate, caller.now));
		return c.json({ success: true as const, data: { certificates: shown, next } }, 200);
	});
