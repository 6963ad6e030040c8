import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
	createSessionToken,
	hashSessionToken,
	isTokenOf,
	newSessionId,
	partnerNumberIn,
} from "../../../src/secrets/session-token.ts";

test.each([
	[0, "00000000"],
	[255, "000000ff"],
	[4_294_967_295, "ffffffff"],
])("an id of partner %i ends in its number, and is random", (number, end) => {
	const ids = [newSessionId(number), newSessionId(number)];
	for (const id of ids) expect(id).toMatch(new RegExp(`^os_[0-9a-f]{24}${end}$`));
	expect(ids[0]).not.toBe(ids[1]);
	expect(ids.map(partnerNumberIn)).toEqual([number, number]);
});

test.each([
	"",
	`os_${"0".repeat(31)}`,
	`os_${"0".repeat(33)}`,
	`x_${"0".repeat(32)}`,
	`xos_${"0".repeat(32)}`,
	`os_${"G".repeat(24)}00000001`,
	`os_${"0".repeat(24)}0000000G`,
])("%j is no id of a session", (text) => {
	expect(partnerNumberIn(text)).toBe(null);
});

test("a token has 256 random bits and is stored as SHA-256 in hex", async () => {
	const [token, other] = [createSessionToken(), createSessionToken()];
	expect(token).toMatch(/^wt_[\w-]{43}$/);
	expect(other).not.toBe(token);
	const hash = await hashSessionToken(token);
	expect(hash).toBe(createHash("sha256").update(token).digest("hex"));
	expect(await isTokenOf(token, hash)).toBe(true);
	expect(await isTokenOf(other, hash)).toBe(false);
});

test.each([`x_${"A".repeat(43)}`, `xwt_${"A".repeat(43)}`, `wt_${"A".repeat(44)}`, `wt_${"A".repeat(42)}+`])(
	"%j is no token, whatever is stored",
	async (text) => {
		expect(await isTokenOf(text, await hashSessionToken(text))).toBe(false);
	},
);
