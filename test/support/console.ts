import { expect } from "vitest";
import { Browser, withoutOwnScript } from "./browser.ts";
import { tripsDuring } from "./failing-db.ts";
import type { Answer, Partner } from "./service.ts";

/** A browser that a partner's `manage` key has signed in. */
export async function signIn(partner: Partner, key?: string, address?: string): Promise<Browser> {
	const browser = new Browser(address);
	await browser.open("/console/sign_in");
	const answer = await browser.submit({ key: key ?? (await partner.manageKey()) });
	expect([answer.status, browser.status], answer.text).toEqual([303, 200]);
	return browser;
}

/** Posts a form as a page of this session would. */
export function act(browser: Browser, path: string, fields: [string, string][] = []): Promise<Answer> {
	return browser.act(path, fields);
}

/** Counts a page's trips to D1. */
export async function tripsOf(browser: Browser, path: string): Promise<number> {
	const [{ status, text }, trips] = await tripsDuring(() => browser.open(path));
	expect([path, status], text).toEqual([path, 200]);
	return trips.length;
}

/** Text of a page, without its markup. */
export function textOf(page: string): string {
	const [, body = ""] = page.split("</head>");
	const text = withoutOwnScript(body)
		.replaceAll(/<[^>]*>/g, " ")
		.replaceAll(/&(lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity]!);
	return text.replaceAll(/\s+/g, " ");
}

const ENTITIES: Readonly<Record<string, string>> = {
	"&lt;": "<",
	"&gt;": ">",
	"&quot;": '"',
	"&amp;": "&",
	"&#39;": "'",
};

/** Target of the link whose text contains this. */
export function linkOf(page: string, text: string): string {
	const links = page.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/gs);
	const [, address] = [...links].find(([, , shown = ""]) => textOf(`</head>${shown}`).includes(text)) ?? [];
	if (address === undefined) throw new Error(`no link says ${text}`);
	return address.replaceAll("&amp;", "&");
}
