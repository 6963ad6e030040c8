import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { app } from "../../src/app.ts";
import type { Bindings } from "../../src/bindings.ts";
import { Browser } from "./browser.ts";
import type { Answer } from "./service.ts";

/** A browser that the local token has signed in to the console of ops. */
export async function signInOps(): Promise<Browser> {
	const browser = new Browser();
	await browser.open("/ops/console/sign_in");
	const answer = await browser.submit({ token: env.OPS_TOKEN! });
	expect([answer.status, browser.status], answer.text).toEqual([303, 200]);
	return browser;
}

/** Posts a form as a page of this browser would. */
export function actOps(browser: Browser, path: string, fields: [string, string][] = []): Promise<Answer> {
	return browser.act(`/ops/console${path}`, fields);
}

export interface Asked {
	headers?: Record<string, string>;
	/** Fields of a form; without them the page is fetched. */
	fields?: Record<string, string>;
	scheme?: "http" | "https";
}

/** One call of the console with settings of its own, as a page of this origin would make it. */
export async function askConsole(
	here: Bindings,
	path: string,
	{ headers = {}, fields, scheme = "http" }: Asked = {},
): Promise<Answer> {
	const context = createExecutionContext();
	const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
	const request = new Request(`${scheme}://service.test/ops/console${path}`, {
		method: fields ? "POST" : "GET",
		redirect: "manual",
		headers: { ...(fields && form), ...headers },
		...(fields && { body: new URLSearchParams(fields).toString() }),
	});
	const response = await app.fetch(request, here, context);
	const text = await response.text();
	await waitOnExecutionContext(context);
	return { status: response.status, headers: response.headers, text, body: null };
}

export function csrfIn({ text }: Pick<Answer, "text">): string {
	return /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
}
