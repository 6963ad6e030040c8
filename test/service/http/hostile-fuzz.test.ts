import { beforeAll, describe, expect, test } from "vitest";
import { expectBareRefusal, PIN, TARGETS } from "../../support/hostile.ts";
import { runSize } from "../../support/run-size.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { call, freshService, Partner } from "../../support/service.ts";

beforeAll(freshService);

const ROUNDS = 100;
/** Under every rate limit. */
const CALLS_EACH = 8;

const PIECES = [
	"",
	" ",
	"0",
	"-1",
	"1e9",
	"\u0000",
	"\ud800",
	"K",
	"k",
	"@",
	".",
	"'",
	"\\",
	"%00",
	"٣",
	"\u202e",
	"🂡",
];
const VALUES = [null, true, 0, -0, 1e308, 2 ** 53, 0.1, [], {}, [[]], { a: { b: [] } }, "", "x".repeat(500)];

describe.for(TARGETS)("hostile POST $name", { timeout: 60_000 }, (target) => {
	const { seed } = runSize({ runs: 1, seed: 20_261_121 });
	const random = seededRandom(seed);
	const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

	/** The value of a field, bent a little or replaced. */
	function bend(value: unknown): unknown {
		if (typeof value !== "string" || random() < 0.3) return pick(VALUES);
		const place = Math.floor(random() * (value.length + 1));
		const dropped = random() < 0.5 ? 1 : 0;
		return `${value.slice(0, place)}${pick(PIECES)}${value.slice(place + dropped)}`;
	}

	test(`${ROUNDS} bent bodies: success, or a refusal that tells nothing (seed ${seed})`, async () => {
		let partner = await Partner.create();
		for (let round = 0; round < ROUNDS; round++) {
			if (round % CALLS_EACH === 0) partner = await Partner.create();
			const fields = Object.entries(target.fields).filter(() => random() > 0.1);
			const bent = fields.map(([name, value]) => [name, random() < 0.2 ? bend(value) : value]);
			let body = JSON.stringify(Object.fromEntries(bent));
			if (random() < 0.1) body = body.slice(0, Math.floor(random() * body.length));
			const headers = { "content-type": "application/json", ...target.credentials(partner) };
			const answer = await call("POST", target.path, { headers, body });
			if (answer.status < 300) expect(answer.body.success, body).toBe(true);
			else expectBareRefusal(answer, [partner.key, PIN]);
		}
	});
});
