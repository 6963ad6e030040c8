/*
 * `Uint8Array.fromBase64` as the platform has it (TC39 proposal, stage 4), for Node 22: ASCII blanks are passed over,
 * padding may be left out, anything else throws a SyntaxError.
 */

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

export {};

Uint8Array.fromBase64 ??= (text: string) => {
	const bare = text.replaceAll(/[\t\n\f\r ]/g, "");
	if (!BASE64.test(bare)) throw new SyntaxError("no base64");
	return new Uint8Array(Buffer.from(bare, "base64"));
};
