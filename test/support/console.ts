import { expect } from "vitest";
import { Browser } from "./browser.ts";
import type { Answer, Partner } from "./service.ts";

/** A browser that a partner's `manage` key has signed in. */
export async function signIn(partner: Partner, key?: string, address?: string): Promise<Browser> {
	const browser = new Browser(address);
	await browser.open("/console/sign_in");
	const answer = await browser.submit({ key: key ?? (await partner.manageKey()) });
	expect([answer.status, browser.status], answer.text).toEqual([303, 200]);
	return browser;
}

/** What a page of this session would post. */
export function act(browser: Browser, path: string, fields: [string, string][] = []): Promise<Answer> {
	return browser.send(path, [["csrf", browser.csrf], ...fields]);
}
