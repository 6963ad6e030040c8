import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
	type CertificatePosition,
	findCertificatesOfHolder,
	pageCertificates,
} from "../db/own-certificates.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../domain/limits.ts";
import { partnerNow } from "../domain/partner-clock.ts";
import { VALIDITIES } from "../domain/validity.ts";
import { createApi } from "../http/api.ts";
import type { AppEnv } from "../http/app-env.ts";
import { cursorField, writeCursor } from "../http/cursor.ts";
import { rut } from "../http/holder-fields.ts";
import { platformIn } from "../http/platform-in.ts";
import { instant, pageLimit } from "../http/query-fields.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { DESK_FIELDS } from "../texts/desk-codes.ts";
import { mark } from "../texts/language.ts";
import { REFERENCE } from "../texts/reference.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema, presentCertificate } from "./certificate-wire.ts";
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

const afterCertificate: z.ZodType<CertificatePosition> = z.strictObject({
	notAfter: z.int(),
	serial: z.string().max(32),
});

export const certificateQuery = z.strictObject({
	validity: z
		.enum(VALIDITIES, "validity")
		.optional()
		.openapi({ description: mark(DESK_FIELDS.validity) }),
	expiring_before: instant()
		.optional()
		.openapi({
			type: "string",
			description: mark(DESK_FIELDS.expiringBefore),
			example: "2026-12-31",
		}),
	limit: pageLimit,
	cursor: cursorField(afterCertificate).optional(),
});

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
		const { page, next, now } = await listOwnCertificates(c, c.req.valid("query"));
		const shown = page.map((certificate) => presentCertificate(certificate, now));
		return c.json({ success: true as const, data: { certificates: shown, next } }, 200);
	})
	.openapi(search, async (c) => {
		const { page, next, now } = await searchOwnCertificates(c, c.req.valid("json"));
		const shown = page.map((certificate) => presentCertificate(certificate, now));
		return c.json({ success: true as const, data: { certificates: shown, next } }, 200);
	});

/** A page of the certificates of the partner that calls, and the cursor of the next. */
export async function listOwnCertificates(c: Context<AppEnv>, asked: z.output<typeof certificateQuery>) {
	const { validity, expiring_before, limit = PAGE_SIZE_DEFAULT, cursor } = asked;
	const platform = platformIn(c);
	const now = partnerNow(platform, c.get("owner"));
	const found = await pageCertificates(platform.db, {
		partnerId: c.get("owner").partnerId,
		now,
		...(validity && { validity }),
		...(expiring_before && { endingBefore: expiring_before.first }),
		after: cursor ?? null,
		limit: limit + 1,
	});
	const page = found.slice(0, limit);
	const last = found.length > limit ? page.at(-1) : undefined;
	const next = writeCursor(last ? { notAfter: last.notAfter, serial: last.serial } : null);
	return { page, next, now };
}

/** A page of the certificates that the partner that calls had issued for a RUT, and the cursor of the next. */
export async function searchOwnCertificates(
	c: Context<AppEnv>,
	{
		dni,
		limit = PAGE_SIZE_DEFAULT,
		cursor,
	}: { dni: string; limit?: number | undefined; cursor?: string | null | undefined },
) {
	const platform = platformIn(c);
	const { db, index } = platform;
	const { partnerId } = c.get("owner");
	const rutIndex = await index.of("rut", partnerId, dni);
	const asked = { partnerId, rutIndex, after: cursor ?? "", limit: limit + 1 };
	const found = await findCertificatesOfHolder(db, asked);
	const page = found.slice(0, limit);
	const next = writeCursor(found.length > limit ? page.at(-1)!.code : null);
	return { page, next, now: partnerNow(platform, c.get("owner")) };
}
