import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readOpsRoles, readOpsTokens } from "../../../src/domain/operators.ts";

const LONGEST = "a".repeat(100);
const DIGEST = "0123456789abcdef".repeat(4);
/** SHA-256 of no token at all. */
const EMPTY = createHash("sha256").digest("hex");

test("roles are read by name, in any case, with blanks and ends", () => {
	const roles = readOpsRoles(` Ana+1@example.cl:read+operate , ${LONGEST}:evidence,`)!;
	expect([...roles].map(([name, set]) => [name, [...set]])).toEqual([
		["ana+1@example.cl", ["read", "operate"]],
		[LONGEST, ["evidence"]],
	]);
	expect(readOpsRoles("")!.size).toBe(0);
});

test.each([
	"ana",
	"ana:",
	"ana:admin",
	"ana:read+",
	"ana:read,ANA:operate",
	`a${LONGEST}:read`,
	"-ana:read",
	":read",
	"ana maria:read",
])("%j is no list of roles", (text) => expect(readOpsRoles(text)).toBeNull());

test("tokens are read by name, a name's several ones too", () => {
	const other = "f".repeat(64);
	expect(
		readOpsTokens(`Ana:${DIGEST}, ana:${other}`)!.map(({ name, digest }) => [
			name,
			Buffer.from(digest).toString("hex"),
		]),
	).toEqual([
		["ana", DIGEST],
		["ana", other],
	]);
});

test.each([
	"ana",
	`-ana:${DIGEST}`,
	`ana:${DIGEST}0`,
	`ana:x${DIGEST}`,
	`ana:${DIGEST.toUpperCase()}`,
	`ana:${EMPTY}`,
	`ana:${DIGEST},bob:1`,
])("%j is no list of tokens", (text) => expect(readOpsTokens(text)).toBeNull());
