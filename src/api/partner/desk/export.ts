import { z } from "@hono/zod-openapi";
import type { TypedResponse } from "hono";
import { type ListedCode, walkPurchaseCodes } from "../../../db/list-purchase-codes.ts";
import { findCertificatesOfCodes } from "../../../db/own-codes.ts";
import { readUsage } from "../../../db/usage.ts";
import { DAY_MS } from "../../../domain/durations.ts";
import { CSV_ROWS_MAX } from "../../../domain/limits.ts";
import { createApi, invalidField } from "../../../http/api.ts";
import { limitBulk } from "../../../http/rate-limit.ts";
import { dateTime, successBody } from "../../../http/responses.ts";
import { streamAnswer } from "../../../http/stream-answer.ts";
import { timestamp } from "../../../http/timestamp.ts";
import { findOwnPartner, type PartnerCaller, partnerCaller } from "../../../services/caller.ts";
import { CERTIFICATE_EXAMPLE, certificateSchema, presentCertificate } from "../../../wire/certificate.ts";
import { OWN_SETTINGS_EXAMPLE, ownSettingsSchema, presentOwnSettings } from "../../../wire/own-settings.ts";
import { LISTED_CODE_EXAMPLE, listedCodeSchema, presentListedCode } from "../../../wire/purchase-code.ts";
import { presentWidget, WIDGET_EXAMPLE, widgetSchema } from "../../../wire/widget.ts";
import { listQuery } from "../purchase-codes/list.ts";
import { deskRoute } from "./desk-route.ts";
import { presentUsage, USAGE_EXAMPLE, usageSchema } from "./usage.ts";

/* Data that a partner takes with it: settings, usage, and each code with its certificate. Nothing of a holder but its own references. */

const exportedCode = z
	.strictObject({ ...listedCodeSchema.shape, certificate: z.union([certificateSchema, z.null()]) })
	.openapi("ExportedCode");

const route = deskRoute({
	id: "exportOwnData",
	tag: "Desk",
	scope: "read",
	method: "get",
	path: "/export",
	limit: limitBulk,
	request: {
		query: z.strictObject({
			created_from: listQuery.shape.created_from,
			created_to: listQuery.shape.created_to,
		}),
	},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				exported_at: dateTime,
				settings: ownSettingsSchema,
				widget: widgetSchema,
				usage: z.array(usageSchema),
				pcodes: z.array(exportedCode),
			}),
		).openapi("ExportAnswer"),
		example: {
			success: true,
			data: {
				exported_at: "2026-11-21T12:00:00.000Z",
				settings: OWN_SETTINGS_EXAMPLE,
				widget: WIDGET_EXAMPLE,
				usage: [USAGE_EXAMPLE],
				pcodes: [{ ...LISTED_CODE_EXAMPLE, certificate: CERTIFICATE_EXAMPLE }],
			},
		},
	},
	reasons: [],
	invalid: { field: "created_from", hint: "csvRows" },
});

export const ownExport = createApi().openapi(route, async (c) => {
	const caller = partnerCaller(c);
	const { db, partnerId, now, at } = caller;
	const { created_from: from, created_to: to } = c.req.valid("query");
	const [partner, { total, pages }] = await Promise.all([
		findOwnPartner(caller),
		walkPurchaseCodes(db, {
			partnerId,
			now,
			...(from && { createdFrom: from.first }),
			...(to && { createdTo: to.last }),
		}),
	]);
	if (total > CSV_ROWS_MAX) return invalidField(c, "created_from", "csvRows");
	const first = {
		exported_at: timestamp(at),
		settings: presentOwnSettings(partner, at),
		widget: presentWidget(partner),
	};
	async function* parts() {
		yield `{"success":true,"data":${JSON.stringify(first).slice(0, -1)},"usage":[`;
		yield* elements(usageByMonth(caller, partner.createdAt));
		yield '],"pcodes":[';
		yield* elements(withCertificates(caller, pages, partner.name));
		yield "]}}";
	}
	const headers = {
		"Content-Type": "application/json",
		"Content-Disposition": 'attachment; filename="export.json"',
	};
	// The compiler compares an answer with the JSON that its route describes.
	return streamAnswer(c, headers, parts()) as Response & TypedResponse<never, 200, "json">;
});

/** Elements of a JSON array, a page at a time. */
async function* elements(pages: AsyncGenerator<readonly object[]>): AsyncGenerator<string, void> {
	let before = "";
	for await (const page of pages) {
		if (page.length === 0) continue;
		yield before + page.map((element) => JSON.stringify(element)).join();
		before = ",";
	}
}

/** Usage from the present month back to the one in which the partner began. */
async function* usageByMonth({ db, partnerId, now }: PartnerCaller, createdAt: number) {
	// Chile's day may be the one before UTC's.
	const first = new Date(createdAt - DAY_MS).toISOString().slice(0, 7);
	for (let asked = ""; ; ) {
		const { month, counts } = await readUsage(db, { partnerId, month: asked, now });
		yield counts.length > 0 ? [presentUsage(month, counts)] : [];
		if (month <= first) return;
		asked = new Date(Date.parse(month) - DAY_MS).toISOString().slice(0, 7);
	}
}

async function* withCertificates(
	{ db, partnerId, now }: PartnerCaller,
	pages: AsyncGenerator<readonly ListedCode[]>,
	partnerName: string,
) {
	for await (const page of pages) {
		const issued = page.filter(({ issuedAt }) => issuedAt !== null).map(({ code }) => code);
		const found = await findCertificatesOfCodes(db, partnerId, issued);
		const certificates = new Map(found.map((one) => [one.code, presentCertificate(one, now)]));
		yield page.map((code) => ({
			...presentListedCode(code, partnerName, now),
			certificate: certificates.get(code.code) ?? null,
		}));
	}
}
