import { expect, test } from "vitest";
import { likelyOrigins } from "../../../../src/widget/browser/likely-origins.ts";

const SHOPS = ["https://shop.example", "https://other.example"];

test.for([
	["https://other.example", ["https://other.example"]],
	["https://stranger.example", SHOPS],
	["null", SHOPS],
	[undefined, SHOPS],
] as const)("a browser that names %s around the frame has events go to %j", ([around, told]) => {
	expect(likelyOrigins(SHOPS, around)).toEqual(told);
});
