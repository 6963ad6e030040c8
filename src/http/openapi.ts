import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Handler } from "hono";
import { inLanguage, type Language, mark, type Text } from "../texts/language.ts";
import type { AppEnv } from "./app-env.ts";
import { headerComponent, type ResponseHeader } from "./responses.ts";

/** Parts of an OpenAPI document besides its calls. */
export interface DocumentFacts {
	title: Text;
	introduction: Text;
	tags: readonly { name: string; description: Text }[];
	/** The security schemes of every call; one of them suffices. */
	security: readonly {
		name: string;
		scheme: { type: "apiKey"; in: "header"; name: string } | { type: "http"; scheme: "bearer" };
		description: Text;
	}[];
	headers: readonly ResponseHeader[];
}

/** SPDX; OpenAPI 3.1 has it, the library's type does not. */
const LICENSE = { name: "Proprietary", identifier: "LicenseRef-Proprietary" };

/** An OpenAPI 3.1 document, from the schemas that validate. @returns its generator, for one address and language. */
export function describeApi(api: OpenAPIHono<AppEnv>, facts: DocumentFacts) {
	for (const { name, scheme, description } of facts.security)
		api.openAPIRegistry.registerComponent("securitySchemes", name, {
			...scheme,
			description: mark(description),
		});
	for (const header of facts.headers)
		api.openAPIRegistry.registerComponent("headers", header, headerComponent(header));
	return (publicUrl: string, language: Language) =>
		inLanguage(
			api.getOpenAPI31Document({
				openapi: "3.1.0",
				info: {
					title: mark(facts.title),
					version: "1.0.0",
					description: mark(facts.introduction),
					license: LICENSE,
				},
				servers: [{ url: publicUrl }],
				security: facts.security.map(({ name }) => ({ [name]: [] })),
				tags: facts.tags.map((tag) => ({ name: tag.name, description: mark(tag.description) })),
			}),
			language,
		);
}

/** The document as an answer, in the caller's language; made once per isolate and language. */
export function serveDocument(describe: ReturnType<typeof describeApi>): Handler<AppEnv> {
	const made = new Map<Language, string>();
	return (c) => {
		const language = c.get("language");
		const json = made.get(language) ?? JSON.stringify(describe(c.env.PUBLIC_URL, language));
		made.set(language, json);
		return c.body(json, 200, {
			"Content-Type": "application/json",
			"Content-Language": language,
			Vary: "Accept-Language",
		});
	};
}
