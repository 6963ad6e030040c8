import { bulk, cancel, claim, list, request, status } from "./calls.ts";
import { ServiceDied } from "./service-process.ts";
import { SCENARIOS, type Scenario } from "./steps.ts";
import { giveBack, isRateLimited, keep, type Load, maybeKey, pickPartner, redeemable } from "./stock.ts";
import { goThroughWidget, visitWidget, withdrawSession } from "./widget-load.ts";

/** Concurrent clients, and how many of them do what leads to the planned step. */
const CLIENTS = 8;
const BIASED = 4;
/** Share of a B2C partner's rounds in which the holder goes through the whole widget. */
const BY_WIDGET = 0.15;

/** Runs the clients until the service dies under them, or the load is over. */
export async function runLoad(load: Load, towards: Scenario | null): Promise<void> {
	await Promise.all(
		Array.from({ length: CLIENTS }, async (_, n) => {
			try {
				while (!load.isOver())
					await ACTS[towards && n < BIASED ? towards : load.random.pick(SCENARIOS)](load);
			} catch (error) {
				if (!(error instanceof ServiceDied)) throw error;
			}
		}),
	);
}

const ACTS: Record<Scenario, (load: Load) => Promise<unknown>> = {
	b2c: async (load) => {
		if (load.random.chance(BY_WIDGET)) return goThroughWidget(load);
		const code = await redeemable(load, "B2C");
		const { client, random } = load;
		const answer = await request(client, code, {
			idempotencyKey: maybeKey(random, 0.5),
			withPictures: random.chance(0.3),
			withCopy: random.chance(0.3),
		});
		if (isRateLimited(answer)) return giveBack(load, code);
		if (answer.status !== 200) return;
		if (random.chance(0.2)) await status(client, code.partner, code.code);
		if (random.chance(0.15)) return load.stock.cancellable.push(code);
		if (random.chance(0.2)) await claim(client, code, { idempotencyKey: null, isWrong: true });
		const idempotencyKey = maybeKey(random, 0.6);
		const claims = random.chance(0.25) ? 2 : 1;
		await Promise.all(Array.from({ length: claims }, () => claim(client, code, { idempotencyKey })));
		if (random.chance(0.2)) await claim(client, code, { idempotencyKey });
		if (random.chance(0.2)) load.stock.cancellable.push(code);
	},
	b2b: async (load) => {
		const code = await redeemable(load, "B2B");
		const { client, random } = load;
		const idempotencyKey = maybeKey(random, 0.5);
		const answer = await request(client, code, { idempotencyKey, withCopy: random.chance(0.2) });
		if (isRateLimited(answer)) return giveBack(load, code);
		if (random.chance(0.3)) await status(client, code.partner, code.code);
		if (random.chance(0.1)) load.stock.cancellable.push(code);
	},
	widget: visitWidget,
	withdraw: withdrawSession,
	guess: async (load) => {
		const code = await redeemable(load, load.random.chance(0.7) ? "B2C" : "B2B");
		const { client, random } = load;
		for (let guesses = 1 + random.below(2); guesses > 0; guesses--)
			await request(client, code, { idempotencyKey: maybeKey(random, 0.3), isGuess: true });
		if (random.chance(0.5)) await request(client, code, { idempotencyKey: null });
	},
	bulk: async (load) => {
		const { client, random, stock } = load;
		const partner = pickPartner(load);
		const idempotencyKey = maybeKey(random, 0.7);
		const quantity = 1 + random.below(random.chance(0.03) ? 500 : 20);
		const times = idempotencyKey && random.chance(0.3) ? 2 : 1;
		const answers = await Promise.all(
			Array.from({ length: times }, () => bulk(client, partner, quantity, idempotencyKey)),
		);
		keep(stock, partner, answers[0]!);
	},
	cancel: async (load) => {
		const { client, random, stock } = load;
		const at = random.below(stock.cancellable.length);
		const [code = await redeemable(load, "B2C")] = stock.cancellable.splice(at, 1);
		await cancel(client, code);
	},
	list: async (load) => {
		const { client, random } = load;
		const partner = pickPartner(load);
		const query = random.pick([
			"?limit=100",
			"?status=emitido",
			"?status=validado&limit=20",
			"?page=2&limit=50",
		]);
		await list(client, partner, query);
	},
	repeat: async ({ client, journal, random }) => {
		const kept = journal.calls.filter(
			({ idempotencyKey, answer }) => idempotencyKey !== null && answer && answer.status <= 201,
		);
		if (kept.length > 0) await client.repeat(random.pick(kept));
		else await new Promise((resolve) => setTimeout(resolve, 5));
	},
};
