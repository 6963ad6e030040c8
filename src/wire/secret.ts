import { z } from "@hono/zod-openapi";
import { dateTime, successBody } from "../http/responses.ts";
import { KEY_TEXTS } from "../texts/keys.ts";
import { mark } from "../texts/language.ts";

/* The rotation of a webhook secret as ops and partners ask for it. */

export const overlapHours = z
	.int("overlapHours")
	.min(0, "overlapHours")
	.max(168, "overlapHours")
	.optional()
	.openapi({ description: mark(KEY_TEXTS.overlapHours) });

export const secretRotation = z
	.strictObject({ overlap_hours: overlapHours }, "object")
	.openapi("WebhookSecretRotation");

export const rotatedSecret = {
	status: 201 as const,
	schema: successBody(z.strictObject({ webhook_secret: z.string(), previous_valid_until: dateTime })),
	example: {
		success: true as const,
		data: {
			webhook_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwPD8ILPZIo2I=",
			previous_valid_until: "2026-11-22T12:00:00.000Z",
		},
	},
};
