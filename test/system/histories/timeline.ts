import { type Operation, showCall } from "./calls.ts";
import type { Verdict } from "./linearizability.ts";
import { advance } from "./specification.ts";
import type { ModelState } from "./state.ts";

/* A history for a reader: who asked what, when it was under way, what was answered; and how far an order of it goes. */

const WIDTH = 48;

function showHistory(history: readonly Operation[]): string {
	const last = Math.max(...history.map(({ invokedAt, returnedAt }) => knownEnd(invokedAt, returnedAt)));
	const column = (moment: number) => Math.floor(((WIDTH - 1) * moment) / last);
	const lines = [...history]
		.sort((a, b) => a.invokedAt - b.invokedAt)
		.map(({ id, client, call, answer, invokedAt, returnedAt }) => {
			const from = column(invokedAt);
			const to = column(Math.min(returnedAt, last));
			const bar = `${" ".repeat(from)}|${"-".repeat(Math.max(0, to - from - 1))}${returnedAt === Infinity ? ">" : "|"}`;
			const reported = answer ?? "cut off, outcome unknown";
			return `${bar.padEnd(WIDTH + 2)}#${String(id).padEnd(3)} ${client.padEnd(4)} ${showCall(call)} → ${reported}`;
		});
	return lines.join("\n");
}

function knownEnd(invokedAt: number, returnedAt: number): number {
	return returnedAt === Infinity ? invokedAt + 1 : returnedAt;
}

/** The history, the longest order that fits, and what the next calls in it would have to be answered. */
export function explain(history: readonly Operation[], verdict: Verdict<ModelState, Operation>): string {
	if (verdict.kind === "linearizable") return "";
	const lines = [showHistory(history), "", `${verdict.kind} after ${verdict.explored} states`];
	if (verdict.kind === "undecided") return lines.join("\n");
	const { steps, state, waiting } = verdict.deepest;
	lines.push(`longest order: ${steps.map(({ id }) => `#${id}`).join(" ")}`, `then: ${JSON.stringify(state)}`);
	for (const operation of waiting) {
		const due = advance(state, operation, "a serial").map(({ reported }) => reported ?? "(on its way)");
		lines.push(`  #${operation.id} would go on to: ${due.join(" | ") || "nothing yet"}`);
	}
	return lines.join("\n");
}
