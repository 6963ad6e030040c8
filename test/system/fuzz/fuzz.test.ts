import { expect, test } from "vitest";
import { fuzz } from "./fuzz.ts";

test("1,500 calls of everything there is, valid and broken: every answer keeps what the document promises", async () => {
	const { figures, violations } = await fuzz(["--requests", "1500", "--seed", "20261121"]);
	expect(violations).toEqual([]);
	expect(figures.requests).toBe(1500);
	expect(figures["documented answers reached"]).toBeGreaterThan(60);
	for (const status of [200, 201, 400, 401, 404, 405, 406])
		expect(figures[`answers: ${status}`]).toBeGreaterThan(0);
}, 240_000);
