import type { Step } from "./explore.ts";
import type { MoveState, Place, Placement, Reader, Safeguards, Writer } from "./move-state.ts";

type Next = Step<MoveState>;

/** What writers and the reader may do next. A write is a letter, lower case; what settled it, the same in upper case. */
export function callerSteps(state: MoveState, safeguards: Safeguards): Next[] {
	return [
		...state.writers.flatMap((writer, n) => writerSteps(state, writer, n, safeguards)),
		...readerSteps(state),
	];
}

function writerSteps(state: MoveState, writer: Writer, n: number, { fence }: Safeguards): Next[] {
	const steps: Next[] = [];
	const step = (what: string, change: Partial<Writer>, other: Partial<MoveState> = {}) => {
		const writers = state.writers.with(n, { ...writer, ...change });
		steps.push({ label: `writer ${n} ${what}`, state: { ...state, ...other, writers } });
	};
	const { cache, message, run } = writer;
	if (cache.epoch !== state.directory.epoch) step("asks the directory again", { cache: state.directory });

	if (run === null && message === null && writer.writesLeft > 0) {
		const id = String.fromCharCode(97 + n * 8 + writer.writesLeft);
		const version = state[cache.database].chain.length;
		const sent = { run: { id, phase: "sent" }, message: { ...cache, id, version } } as const;
		step(`sends ${id} to ${cache.database}`, { ...sent, writesLeft: writer.writesLeft - 1 });
	}
	if (message) {
		const place = state[message.database];
		const isTaken = letsIn(place, message, fence) && place.chain.length === message.version;
		const phase = isTaken ? "accepted" : "refused";
		const told = run?.phase === "sent" ? { run: { ...run, phase } as const } : {};
		const change = isTaken ? { [message.database]: append(place, message.id) } : {};
		step(`has ${message.id} ${phase} by ${message.database}`, { message: null, ...told }, change);
	}
	if (run?.phase === "accepted") {
		step(`tells of ${run.id}`, { run: null }, { acknowledged: add(state.acknowledged, run.id) });
	}
	if (run?.phase === "refused") step(`gives ${run.id} up`, { run: null, cache: state.directory });
	if (run && run.phase !== "unknown" && writer.crashesLeft > 0)
		step(`crashes over ${run.id}`, { run: { ...run, phase: "unknown" }, crashesLeft: 0 });
	if (run?.phase === "unknown") {
		// As src/objects/settle-step.ts: the register says whether the commit arrived, or its version is taken.
		const place = state[cache.database];
		if (place.chain.includes(run.id))
			step(`finds ${run.id}`, { run: null }, { acknowledged: add(state.acknowledged, run.id) });
		else if (letsIn(place, cache, fence)) {
			const settled = append(place, run.id.toUpperCase());
			const abandoned = add(state.abandoned, run.id);
			step(
				`abandons ${run.id} in ${cache.database}`,
				{ run: null },
				{ abandoned, [cache.database]: settled },
			);
		}
	}
	return steps;
}

function readerSteps(state: MoveState): Next[] {
	const { cache, read } = state.reader;
	const step = (what: string, change: Partial<Reader>, other: Partial<MoveState> = {}): Next => ({
		label: `reader ${what}`,
		state: { ...state, ...other, reader: { ...state.reader, ...change } },
	});
	const steps: Next[] = [];
	if (cache.epoch !== state.directory.epoch)
		steps.push(step("asks the directory again", { cache: state.directory }));
	if (read) {
		const found = state[read.database].chain;
		const missing = [...read.mustFind].find((id) => !found.includes(id));
		const staleRead =
			missing === undefined ? null : `${missing} was acknowledged, and ${read.database} does not show it`;
		steps.push(step(`reads ${read.database}`, { read: null }, { staleRead }));
	} else {
		const { database } = cache;
		steps.push(step(`sends a read to ${database}`, { read: { database, mustFind: state.acknowledged } }));
	}
	return steps;
}

function letsIn(place: Place, { epoch }: Placement, fence: Safeguards["fence"]): boolean {
	if (fence === "none") return true;
	return place.tenure === "open" && (fence === "state" || place.epoch === epoch);
}

function append(place: Place, id: string): Place {
	return { ...place, chain: place.chain + id };
}

/** A set as sorted letters: the same set is the same state. */
function add(set: string, id: string): string {
	return [...new Set(set + id)].sort().join("");
}
