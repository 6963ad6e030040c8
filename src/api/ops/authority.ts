import { z } from "@hono/zod-openapi";
import { createApi } from "../../http/api.ts";
import { dateTime, successBody } from "../../http/responses.ts";
import { timestamp } from "../../http/timestamp.ts";
import { authorityDates, DATED } from "../../pki/authority-dates.ts";
import { askSigner, SIGNER_STATES } from "../../signer/signer-state.ts";
import { mark } from "../../texts/language.ts";
import { OPS_FIELDS } from "../../texts/ops-fields.ts";
import { opsRoute } from "./ops-route.ts";

const signerSchema = z
	.strictObject({
		state: z.enum(SIGNER_STATES).openapi({ description: mark(OPS_FIELDS.signerState) }),
		entries: z.int().nullable(),
		head_kept_at: dateTime.nullable().openapi({ description: mark(OPS_FIELDS.headKeptAt) }),
		stopped: z.strictObject({ reason: z.string(), since: dateTime, all: z.boolean() }).nullable(),
		refused: z.record(z.string(), z.int()).openapi({ description: mark(OPS_FIELDS.refused) }),
	})
	.openapi("Signer");

const show = opsRoute({
	id: "showAuthority",
	tag: "Jobs",
	role: "read",
	method: "get",
	path: "/authority",
	request: {},
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				key_id: z.string(),
				issuing_key: z.enum(["worker", "signer"]).openapi({ description: mark(OPS_FIELDS.issuingKey) }),
				signer: signerSchema.nullable(),
				ends: z.array(
					z
						.strictObject({
							certificate: z.enum(DATED),
							key_id: z.string().nullable(),
							ends_at: dateTime,
							renew_now: z.boolean(),
						})
						.openapi("AuthorityEnd"),
				),
			}),
		),
		example: {
			success: true,
			data: {
				key_id: "2f7d0b6a9c1e4f8a3b5d7c9e1f2a4b6c8d0e1f3a",
				issuing_key: "signer",
				signer: {
					state: "ok",
					entries: 4182,
					head_kept_at: "2026-11-21T00:17:00.000Z",
					stopped: null,
					refused: { STALE: 1 },
				},
				ends: [
					{
						certificate: "issuing",
						key_id: "2f7d0b6a9c1e4f8a3b5d7c9e1f2a4b6c8d0e1f3a",
						ends_at: "2036-11-20T12:00:00.000Z",
						renew_now: false,
					},
				],
			},
		},
	},
	reasons: [],
});

export const opsAuthority = createApi().openapi(show, async (c) => {
	const platform = c.get("platform");
	const [signer, dates] = await Promise.all([
		askSigner(platform),
		authorityDates(platform, platform.clock()),
	]);
	const data = {
		key_id: platform.authority.keyId,
		issuing_key: signer ? ("signer" as const) : ("worker" as const),
		signer: signer && {
			state: signer.state,
			entries: signer.entries,
			head_kept_at: timestamp(signer.headKeptAt),
			stopped: signer.stopped && { ...signer.stopped, since: timestamp(signer.stopped.since) },
			refused: signer.refused,
		},
		ends: dates.map(({ certificate, keyId, endsAt, isNear }) => ({
			certificate,
			key_id: keyId,
			ends_at: timestamp(endsAt),
			renew_now: isNear,
		})),
	};
	return c.json({ success: true as const, data }, 200);
});
