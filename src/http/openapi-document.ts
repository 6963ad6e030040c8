import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "./app-env.ts";

const DESCRIPTION = `Sells digital-signature certificates by purchase code: codes are created in bulk, a holder's identity is checked
against the civil registry, and an X.509 certificate is issued as a PFX.

What the interface document states is the contract; **chosen** marks what it leaves open and this service decided.
Errors have one shape (see Error). Messages are English, or Spanish when Accept-Language prefers it; codes never change.
Chosen: an unknown path answers 404 NOT_FOUND, another method 405 METHOD_NOT_ALLOWED with Allow.
Every answer carries x-request-id. Limited endpoints answer with RateLimit-Policy and RateLimit.`;

const SECURITY_SCHEMES = {
	partnerKey: {
		type: "apiKey",
		in: "header",
		name: "x-gw",
		description: "The partner's API key (§5), given when the integration is set up.",
	},
	opsToken: { type: "http", scheme: "bearer" },
} as const;

let described: { publicUrl: string; json: string } | undefined;

/** The OpenAPI 3.1 description as JSON, built once per isolate: nothing in it changes between two calls. */
export function describeApi(app: OpenAPIHono<AppEnv>, publicUrl: string): string {
	if (described?.publicUrl !== publicUrl)
		described = { publicUrl, json: JSON.stringify(buildDocument(app, publicUrl)) };
	return described.json;
}

/** Of everything mounted on `app`, from the schemas that validate. */
function buildDocument(app: OpenAPIHono<AppEnv>, publicUrl: string) {
	const document = app.getOpenAPI31Document({
		openapi: "3.1.0",
		info: { title: "Partner Digital-Certificate Service", version: "1.0.0", description: DESCRIPTION },
		servers: [{ url: publicUrl }],
	});
	return { ...document, components: { ...document.components, securitySchemes: SECURITY_SCHEMES } };
}
