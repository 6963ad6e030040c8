import { Hono } from "hono";
import { expect, test } from "vitest";
import { isFromOneOf, readRange } from "../../../src/http/address-ranges.ts";

test.for([
	["203.0.113.0/24", "203.0.113.0/24"],
	["203.0.113.77/24", "203.0.113.0/24"],
	["203.0.113.77", "203.0.113.77/32"],
	["0.0.0.0/0", "0.0.0.0/0"],
	["2001:DB8::1", "2001:db8::1/128"],
	["2001:db8:0:0::77/32", "2001:db8::/32"],
	["203.0.113.0/33", null],
	["203.0.113/24", null],
	["0x7f.1", null],
	["010.0.0.1", null],
	["2001:db8::/129", null],
	["::ffff:203.0.113.7", null],
	["fe80::1%eth0", null],
	["203.0.113.0/24/8", null],
	["example.cl", null],
	["", null],
])("%s is read as %s", ([text, range]) => {
	expect(readRange(text as string)).toBe(range);
});

async function isAdmitted(address: string | null, ranges: string[]): Promise<boolean> {
	const app = new Hono().get("/", (c) => c.json(isFromOneOf(c, ranges)));
	return (
		await app.request("/", address === null ? {} : { headers: { "cf-connecting-ip": address } })
	).json();
}

test.for([
	["203.0.113.9", ["203.0.113.0/24"], true],
	["203.0.114.9", ["203.0.113.0/24"], false],
	["::ffff:203.0.113.9", ["203.0.113.0/24"], true],
	["2001:db8::9", ["203.0.113.0/24", "2001:db8::/32"], true],
	["2001:db9::9", ["0.0.0.0/0", "2001:db8::/32"], false],
	["not an address", ["0.0.0.0/0", "::/0"], false],
	["", ["0.0.0.0/0", "::/0"], false],
	[null, ["0.0.0.0/0", "::/0"], false],
] as const)("%s in %j: %s", async ([address, ranges, admitted]) => {
	expect(await isAdmitted(address, [...ranges])).toBe(admitted);
});
