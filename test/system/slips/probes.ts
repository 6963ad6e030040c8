import { parseAst } from "vitest/node";
import type { Place } from "./slip.ts";

/*
 * Probes tell which tests enter the function that a slip is in: no other test could notice it. They call `slipEntered`,
 * which `SET_UP` defines and reports with each file of tests.
 */

/**
 * Added to a set-up file of the tests. What a file enters before its first test, it may enter by loading the sources, which
 * the next file of the process finds loaded: those calls are the next file's too. After the first test that fails it
 * skips the file's others: a slip may let each run until its time is over.
 */
export const SET_UP = `
import { afterEach as afterEachOfSlips, beforeEach as beforeEachOfSlips } from "vitest";
const slips = globalThis as unknown as { slipEntered: unknown; slipsLoaded?: Record<number, number> };
let isLoading = true;
const loaded = (slips.slipsLoaded ??= {});
const entered: Record<number, number> = {};
slips.slipEntered = (slip: number) => {
	const calls = isLoading ? loaded : entered;
	calls[slip] = (calls[slip] ?? 0) + 1;
};
let hasFailed = false;
beforeEachOfSlips(({ skip }) => {
	isLoading = false;
	skip(hasFailed);
});
afterEachOfSlips(({ task }) => {
	Object.assign(task.file.meta, { entered: { ...loaded, ...entered } });
	hasFailed ||= task.result?.state === "fail";
});
`;

interface Node {
	type: string;
	start: number;
	end: number;
	body?: Node;
	expression?: boolean;
}

/** The file's text with probes of the slips at these places; a slip that is in no function has one in each. */
export function addProbes(text: string, places: readonly { id: number; place: Place }[]): string {
	const functions = functionsOf(text);
	const added = places.flatMap(({ id, place }) => {
		const around = functions.filter(({ start, end }) => start <= place.start && place.end <= end);
		const innermost = around.toSorted((a, b) => a.end - a.start - (b.end - b.start)).slice(0, 1);
		return (innermost.length > 0 ? innermost : functions).flatMap(({ body, expression }) => {
			const call = `globalThis.slipEntered?.(${id})`;
			if (!expression) return [{ at: body!.start + 1, text: `${call};` }];
			return [
				{ at: body!.start, text: `(${call}, ` },
				{ at: body!.end, text: ")" },
			];
		});
	});
	// What stands last is added first, for the places before it to stay; an opening goes before what it encloses.
	return added
		.toSorted((a, b) => b.at - a.at)
		.reduce((changed, { at, text }) => changed.slice(0, at) + text + changed.slice(at), text);
}

/** Functions with a body; parentheses around an arrow's expression belong to it. */
function functionsOf(text: string): Node[] {
	const found: Node[] = [];
	const visit = (node: unknown): void => {
		if (typeof node !== "object" || node === null) return;
		const one = node as Node;
		if (/Function/.test(one.type) && one.body) found.push(one);
		for (const child of Object.values(node)) visit(child);
	};
	visit(parseAst(text, { lang: "tsx" }));
	return found;
}
