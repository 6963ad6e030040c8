import { seededRandom } from "../../unit/domain/seeded-random.ts";

/** How a partner comes to its database. `loads` are shares of all load, largest first. */
type Policy = (loads: readonly number[], databases: number) => Uint32Array;

/** By a hash of the partner's id: nobody decides, nobody measures. */
const byHash: Policy = (loads, databases) => {
	const random = seededRandom(1);
	return Uint32Array.from(loads, () => Math.floor(random() * databases));
};

/** At onboarding, the less loaded of two databases drawn by chance; how large the partner becomes nobody knows. */
const twoChoices: Policy = (loads, databases) => {
	const random = seededRandom(2);
	const held = new Float64Array(databases);
	const placed = new Uint32Array(loads.length);
	const order = loads.map((_, n) => [random(), n] as const).sort((a, b) => a[0] - b[0]);
	for (const [, partner] of order) {
		const [one, other] = [Math.floor(random() * databases), Math.floor(random() * databases)];
		const database = held[one]! <= held[other]! ? one : other;
		placed[partner] = database;
		held[database]! += loads[partner]!;
	}
	return placed;
};

/** At onboarding, the least loaded of all. */
const leastLoaded: Policy = (loads, databases) => {
	const random = seededRandom(3);
	const held = new Float64Array(databases);
	const placed = new Uint32Array(loads.length);
	const order = loads.map((_, n) => [random(), n] as const).sort((a, b) => a[0] - b[0]);
	for (const [, partner] of order) {
		const database = held.indexOf(Math.min(...held));
		placed[partner] = database;
		held[database]! += loads[partner]!;
	}
	return placed;
};

/** Moved until level: largest first, each to the least loaded. What moves can reach when sizes are known. */
const packed: Policy = (loads, databases) => {
	const held = new Float64Array(databases);
	return Uint32Array.from(loads, (load) => {
		const database = held.indexOf(Math.min(...held));
		held[database]! += load;
		return database;
	});
};

/** The largest partners have a database each, an eighth of all; the others go by hash among the rest. */
const hotAlone: Policy = (loads, databases) => {
	const alone = Math.floor(databases / 8);
	const rest = byHash(loads, databases - alone);
	return rest.map((database, n) => (n < alone ? n : alone + database));
};

export const POLICIES = {
	hash: byHash,
	"two choices": twoChoices,
	"least loaded": leastLoaded,
	"hot alone": hotAlone,
	"moved until level": packed,
} as const;

/** The fullest database's load over the mean. */
export function imbalance(loads: readonly number[], placed: Uint32Array, databases: number): number {
	const held = new Float64Array(databases);
	for (const [partner, load] of loads.entries()) held[placed[partner]!]! += load;
	return Math.max(...held) * databases;
}
