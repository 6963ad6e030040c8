import { z } from "@hono/zod-openapi";
import { createApi } from "../http/api.ts";
import { errorAnswer } from "../http/errors.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { mark } from "../texts/language.ts";
import { SANDBOX_REFERENCE } from "../texts/sandbox-reference.ts";
import { callListener } from "./listener-rpc.ts";
import { sandboxRoute } from "./sandbox-route.ts";

/* Calls of `npm run listen`: one waits for the next webhook, one says how it was answered. */

const WAIT_SECONDS_MAX = 20;
const EXAMPLE_ID = "5f2b8a52-6a0e-4e0b-9f5e-0d6f0c1b7a11";

const listen = sandboxRoute({
	id: "listenInSandbox",
	tag: "Sandbox",
	scope: "manage",
	method: "post",
	path: "/sandbox/listen",
	limit: limitCalls,
	request: jsonBody(
		z
			.strictObject(
				{
					wait_seconds: z
						.int("waitSeconds")
						.min(0, "waitSeconds")
						.max(WAIT_SECONDS_MAX, "waitSeconds")
						.optional()
						.openapi({ description: mark(SANDBOX_REFERENCE.waitSeconds), example: 0 }),
				},
				"object",
			)
			.openapi("SandboxListen"),
	),
	success: {
		status: 200,
		schema: successBody(
			z.strictObject({
				webhook: z
					.strictObject({
						id: z.string(),
						headers: z.record(z.string(), z.string()),
						body: z.string(),
					})
					.nullable(),
			}),
		),
		example: {
			success: true,
			data: {
				webhook: {
					id: EXAMPLE_ID,
					headers: {
						"content-type": "application/json",
						"webhook-id": EXAMPLE_ID,
						"webhook-timestamp": "1795608000",
						"webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
					},
					body: '{"type":"ping","timestamp":"2026-11-21T12:00:00.000Z","data":{}}',
				},
			},
		},
	},
	reasons: [],
	invalid: { field: "wait_seconds", hint: "waitSeconds" },
});

const answer = sandboxRoute({
	id: "answerInSandbox",
	tag: "Sandbox",
	scope: "manage",
	method: "post",
	path: "/sandbox/listen/{id}",
	limit: limitCalls,
	request: {
		params: z.object({ id: z.string().max(64, "identifier").openapi({ example: EXAMPLE_ID }) }),
		...jsonBody(
			z
				.strictObject(
					{
						status: z
							.int("httpStatus")
							.min(200, "httpStatus")
							.max(599, "httpStatus")
							.nullable()
							.openapi({ description: mark(SANDBOX_REFERENCE.answeredStatus), example: 204 }),
						retry_after: z.string("text").max(64, "text").optional(),
					},
					"object",
				)
				.openapi("SandboxAnswer"),
		),
	},
	success: { status: 200, schema: successBody(z.strictObject({})), example: { success: true, data: {} } },
	reasons: ["not_found"],
	invalid: { field: "status", hint: "httpStatus" },
	notes: { not_found: SANDBOX_REFERENCE.noWebhookWaits },
});

const stop = sandboxRoute({
	id: "stopListeningInSandbox",
	tag: "Sandbox",
	scope: "manage",
	method: "delete",
	path: "/sandbox/listen",
	limit: limitCalls,
	request: { query: z.strictObject({}) },
	success: { status: 200, schema: successBody(z.strictObject({})), example: { success: true, data: {} } },
	reasons: [],
});

export const listenCalls = createApi()
	.openapi(listen, async (c) => {
		const { wait_seconds = 0 } = c.req.valid("json");
		const { partnerId } = c.get("owner");
		const webhook = await callListener(c.get("platform"), partnerId, (object) =>
			object.listen(partnerId, wait_seconds * 1000),
		);
		return c.json({ success: true as const, data: { webhook } }, 200);
	})
	.openapi(answer, async (c) => {
		const { status, retry_after = null } = c.req.valid("json");
		const { id } = c.req.valid("param");
		const waited = await callListener(c.get("platform"), c.get("owner").partnerId, (object) =>
			object.answerPost(id, { status, retryAfter: retry_after }),
		);
		return waited ? c.json({ success: true as const, data: {} }, 200) : errorAnswer(c, "not_found");
	})
	.openapi(stop, async (c) => {
		const { partnerId } = c.get("owner");
		await callListener(c.get("platform"), partnerId, (object) => object.stopListening(partnerId));
		return c.json({ success: true as const, data: {} }, 200);
	});
