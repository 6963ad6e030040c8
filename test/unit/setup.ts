import { timingSafeEqual } from "node:crypto";
import { afterAll, vi } from "vitest";

/* Files share a process: a clock or a spy that one leaves behind must not reach the next. */
afterAll(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	vi.unstubAllEnvs();
});

/** An extension of workerd's WebCrypto. */
define(crypto.subtle, "timingSafeEqual", timingSafeEqual);

/*
 * The conversions of TC39's "Uint8Array to/from Base64" that src uses and Node 22 lacks; workerd has them. Strict as
 * workerd's are: `Buffer.from` would skip what is not of the alphabet.
 */

type Alphabet = { alphabet?: "base64" | "base64url"; omitPadding?: boolean };

function define(target: object, name: string, value: (...args: never[]) => unknown): void {
	if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

define(Uint8Array.prototype, "toHex", function (this: Uint8Array) {
	return Buffer.from(this).toString("hex");
});

define(
	Uint8Array.prototype,
	"toBase64",
	function (this: Uint8Array, { alphabet = "base64", omitPadding = false }: Alphabet = {}) {
		const text = Buffer.from(this).toString(alphabet);
		if (alphabet === "base64url" && !omitPadding) return text.padEnd(Math.ceil(text.length / 4) * 4, "=");
		return omitPadding ? text.replaceAll("=", "") : text;
	},
);

define(Uint8Array, "fromHex", (text: string) => {
	if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new SyntaxError("not hexadecimal");
	return new Uint8Array(Buffer.from(text, "hex"));
});

define(Uint8Array, "fromBase64", (text: string, { alphabet = "base64" }: Alphabet = {}) => {
	const plain = text.replaceAll(/[\t\n\f\r ]/g, "");
	const symbols = alphabet === "base64" ? /^[A-Za-z0-9+/]*={0,2}$/ : /^[A-Za-z0-9_-]*={0,2}$/;
	const stripped = plain.replace(/=+$/, "");
	const padded = plain.length % 4 === 0 || plain === stripped;
	if (!symbols.test(plain) || !padded || stripped.length % 4 === 1) throw new SyntaxError("not base64");
	return new Uint8Array(Buffer.from(stripped, alphabet));
});
