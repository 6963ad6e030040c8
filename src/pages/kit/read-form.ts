import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Context } from "hono";

/* Reads the forms posted to a console. */

/** A form as it was filled in; `readForm` trims it. */
export interface Form {
	/** '' for a field that was not sent. */
	text(name: string): string;
	/** Every value of a field that may occur several times. */
	all(name: string): string[];
	/** Null without a chosen file. */
	file(name: string): File | null;
	/** Every name and value, a file as its hash: equal for the same form alone. */
	content(): Promise<string>;
}

/**
 * Whether a page of this origin posted the form. Browsers say so by Sec-Fetch-Site; the older ones by Origin alone, and
 * a form without both comes from no browser.
 */
export function isOwnForm(c: Context): boolean {
	const origin = c.req.header("origin");
	const site = c.req.header("sec-fetch-site");
	if (origin !== undefined && origin !== new URL(c.req.url).origin) return false;
	return site === undefined ? origin !== undefined : site === "same-origin";
}

/** @returns null for what is no form. */
export async function readForm(c: Context): Promise<Form | null> {
	const data = await c.req.formData().catch(() => null);
	if (data === null) return null;
	const all = (name: string) =>
		data.getAll(name).flatMap((value) => (typeof value === "string" ? [value.trim()] : []));
	return {
		all,
		text: (name) => all(name)[0] ?? "",
		file: (name) => {
			const value = data.get(name) as unknown;
			return value instanceof File && value.size > 0 ? value : null;
		},
		content: async () => JSON.stringify(await Promise.all([...data].map(contentOf))),
	};
}

async function contentOf([name, value]: [string, unknown]): Promise<readonly string[]> {
	if (!(value instanceof File)) return [name, String(value)];
	return [name, bytesToHex(sha256(new Uint8Array(await value.arrayBuffer())))];
}
