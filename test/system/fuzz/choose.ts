import type { Chosen, Mutation } from "./draft.ts";
import { BODY_MUTATIONS } from "./mutate-body.ts";
import { FIELD_MUTATIONS } from "./mutate-fields.ts";
import { headerMutations } from "./mutate-headers.ts";
import { REQUEST_MUTATIONS } from "./mutate-request.ts";
import { WIRE_MUTATIONS } from "./mutate-wire.ts";
import { one } from "./values.ts";
import type { World } from "./world.ts";

/** How often each kind of mutation is taken. */
const SHARES = { fields: 0.42, body: 0.2, request: 0.14, headers: 0.16 };
/** How many calls have no mutation at all, at most one, at most two; the others have three. */
const COUNTS = [0.35, 0.75, 0.92];

/** Chooses none to three mutations. */
export function chooseMutations(world: World, random: () => number): Chosen[] {
	const share = random();
	const count = COUNTS.findIndex((limit) => share < limit);
	return Array.from({ length: count < 0 ? COUNTS.length : count }, () => ({
		mutation: one(random, kind(world, random)),
		seed: Math.floor(random() * 2 ** 32),
	}));
}

function kind(world: World, random: () => number): readonly Mutation[] {
	const share = random();
	if (share < SHARES.fields) return FIELD_MUTATIONS;
	if (share < SHARES.fields + SHARES.body) return BODY_MUTATIONS;
	if (share < SHARES.fields + SHARES.body + SHARES.request) return REQUEST_MUTATIONS;
	if (share < SHARES.fields + SHARES.body + SHARES.request + SHARES.headers) return headerMutations(world);
	return WIRE_MUTATIONS;
}
