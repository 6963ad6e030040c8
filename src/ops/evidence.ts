import { createRoute, z } from "@hono/zod-openapi";
import { appendAudit } from "../db/audit-events.ts";
import { type EvidenceRow, listEvidence, validationOf } from "../db/evidence.ts";
import { findCodeOwner } from "../db/purchase-codes.ts";
import type { Db } from "../db/query.ts";
import { parseCode } from "../domain/code-form.ts";
import { createApi } from "../http/api.ts";
import { rejectionAnswer } from "../http/rejections.ts";
import { openEvidence } from "../secrets/evidence.ts";
import { authorizeOps } from "./authorize-ops.ts";
import { originOf } from "./new-key.ts";
import { OPS_SECURITY, opsResponses } from "./route-parts.ts";
import { timestamp } from "./wire.ts";

/* Pictures of identity cards. Every look at them is an entry in the audit, chain `evidence:<code>`, written first. */

const codePath = z.object({ p_code: z.string().max(64, "identifier") });

const list = createRoute({
	method: "get",
	path: "/evidence/{p_code}",
	tags: ["Ops"],
	summary: "List the pictures kept of a code's validations; audited",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: { params: codePath },
	responses: opsResponses(200, "The pictures, oldest first, without their content."),
});

const download = createRoute({
	method: "get",
	path: "/evidence/{p_code}/{side}",
	tags: ["Ops"],
	summary: "Download a picture: of one validation, or of the latest that has this side; audited",
	security: OPS_SECURITY,
	middleware: [authorizeOps] as const,
	request: {
		params: codePath.extend({ side: z.enum(["front", "back"], "side") }),
		query: z.strictObject({ validation: z.string("identifier").max(64, "identifier").optional() }),
	},
	responses: {
		...opsResponses(200, "The picture."),
		200: {
			description: "The picture as the partner sent it.",
			content: Object.fromEntries(
				["image/jpeg", "image/png", "application/pdf"].map((type) => [
					type,
					{ schema: z.string().openapi({ format: "binary" }) },
				]),
			),
		},
	},
});

const EXTENSION: Record<EvidenceRow["mediaType"], string> = {
	"image/jpeg": "jpg",
	"image/png": "png",
	"application/pdf": "pdf",
};

export const opsEvidence = createApi()
	.openapi(list, async (c) => {
		const db = c.get("platform").db;
		const found = await findPictures(db, c.req.valid("param").p_code);
		if (!found) return rejectionAnswer(c, { reason: "not_found" });
		const { code, partnerId, pictures } = found;
		const outcome = `${pictures.length} listed`;
		await appendAudit(db, { ...audited(code, partnerId), action: "evidence_listed", outcome }, originOf(c));
		const evidence = pictures.map((picture) => ({
			validation: validationOf(picture),
			side: picture.side,
			media_type: picture.mediaType,
			created_at: timestamp(picture.createdAt),
		}));
		return c.json({ success: true, data: { p_code: code, evidence } }, 200);
	})
	.openapi(download, async (c) => {
		const { p_code, side } = c.req.valid("param");
		const { validation } = c.req.valid("query");
		const db = c.get("platform").db;
		const found = await findPictures(db, p_code);
		const picture = found?.pictures.findLast(
			(candidate) =>
				candidate.side === side && (validation === undefined || validationOf(candidate) === validation),
		);
		if (!found || !picture) return rejectionAnswer(c, { reason: "not_found" });
		const { code, partnerId } = found;
		const what = { ...audited(code, partnerId), action: "evidence_read", outcome: picture.objectKey };
		await appendAudit(db, what, originOf(c));
		const content = await openEvidence(
			c.get("platform").evidence,
			c.get("platform").sealer,
			picture.objectKey,
		);
		if (content === null) return rejectionAnswer(c, { reason: "not_found" });
		return c.body(content as Uint8Array<ArrayBuffer>, 200, {
			"Content-Type": picture.mediaType,
			"Content-Disposition": `attachment; filename="${code}-${side}.${EXTENSION[picture.mediaType]}"`,
		});
	});

function audited(code: string, partnerId: string) {
	return { entity: `evidence:${code}`, partnerId };
}

async function findPictures(db: Db, typed: string) {
	const code = parseCode(typed);
	const facts = code === null ? null : await findCodeOwner(db, code);
	if (!facts) return null;
	return { code: facts.code, partnerId: facts.partnerId, pictures: await listEvidence(db, facts) };
}
