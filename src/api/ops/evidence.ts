import { z } from "@hono/zod-openapi";
import { appendAudit } from "../../db/audit-events.ts";
import { type EvidenceRow, listEvidence, validationOf } from "../../db/evidence.ts";
import { type Databases, partnerDb } from "../../directory.ts";
import { createApi } from "../../http/api.ts";
import { errorAnswer } from "../../http/errors.ts";
import { dateTime, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { openEvidence } from "../../secrets/evidence.ts";
import { opsCaller, originOf } from "../../services/caller.ts";
import { findCode } from "../../services/change-code.ts";
import { opsFileRoute, opsRoute } from "./ops-route.ts";

/* Pictures of identity cards. Every access to them is first recorded in the audit, in the chain `evidence:<code>`. */

const SIDES = ["front", "back"] as const;

const codePath = z.object({ p_code: z.string().max(64, "identifier") });

const list = opsRoute({
	id: "listPictures",
	tag: "Codes",
	role: "evidence",
	method: "get",
	path: "/evidence/{p_code}",
	request: { params: codePath },
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				p_code: z.string(),
				evidence: z.array(
					z
						.strictObject({
							validation: z.string(),
							side: z.enum(SIDES),
							media_type: z.string(),
							created_at: dateTime,
						})
						.openapi("Picture"),
				),
			}),
		),
		example: {
			success: true,
			data: {
				p_code: "7K3M-9QXT-2B4C-H8WD",
				evidence: [
					{
						validation: "5f2b8a526a0e4e0b9f5e0d6f0c1b7a11",
						side: "front",
						media_type: "image/jpeg",
						created_at: "2026-11-21T12:00:00.000Z",
					},
				],
			},
		},
	},
	reasons: [],
});

const picture = { schema: z.string().openapi({ format: "binary" }) };

const download = opsFileRoute({
	id: "downloadPicture",
	tag: "Codes",
	role: "evidence",
	method: "get",
	path: "/evidence/{p_code}/{side}",
	request: {
		params: codePath.extend({ side: z.enum(SIDES, "side") }),
		query: z.strictObject({ validation: z.string("identifier").max(64, "identifier").optional() }),
	},
	content: { "image/jpeg": picture, "image/png": picture, "application/pdf": picture },
	reasons: [],
});

const EXTENSION: Record<EvidenceRow["mediaType"], string> = {
	"image/jpeg": "jpg",
	"image/png": "png",
	"application/pdf": "pdf",
};

export const opsEvidence = createApi()
	.openapi(list, async (c) => {
		const found = await findPictures(c.get("platform"), c.req.valid("param").p_code);
		if (!found) return errorAnswer(c, "not_found");
		const { db, code, partnerId, pictures } = found;
		const outcome = `${pictures.length} listed`;
		await appendAudit(
			db,
			{ ...audited(code, partnerId), action: "evidence_listed" as const, outcome },
			originOf(opsCaller(c)),
		);
		const evidence = pictures.map((picture) => ({
			validation: validationOf(picture),
			side: picture.side,
			media_type: picture.mediaType,
			created_at: timestamp(picture.createdAt),
		}));
		return c.json({ success: true as const, data: { p_code: code, evidence } }, 200);
	})
	.openapi(download, async (c) => {
		const { p_code, side } = c.req.valid("param");
		const { validation } = c.req.valid("query");
		const found = await findPictures(c.get("platform"), p_code);
		const picture = found?.pictures.findLast(
			(candidate) =>
				candidate.side === side && (validation === undefined || validationOf(candidate) === validation),
		);
		if (!found || !picture) return errorAnswer(c, "not_found");
		const { db, code, partnerId } = found;
		const what = {
			...audited(code, partnerId),
			action: "evidence_read" as const,
			outcome: picture.objectKey,
		};
		await appendAudit(db, what, originOf(opsCaller(c)));
		const content = await openEvidence(
			c.get("platform").evidence,
			c.get("platform").sealer,
			picture.objectKey,
		);
		if (content === null) return errorAnswer(c, "not_found");
		return c.body(content as Uint8Array<ArrayBuffer>, 200, {
			"Content-Type": picture.mediaType,
			"Content-Disposition": `attachment; filename="${code}-${side}.${EXTENSION[picture.mediaType]}"`,
		});
	});

function audited(code: string, partnerId: string) {
	return { entity: `evidence:${code}`, partnerId };
}

async function findPictures(platform: Databases, typed: string) {
	const facts = await findCode(platform, typed);
	if (!facts) return null;
	const { partnerId, code } = facts;
	const db = await partnerDb(platform, partnerId);
	return { db, code, partnerId, pictures: await listEvidence(db, facts) };
}
