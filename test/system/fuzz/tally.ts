import type { Exchange } from "./call.ts";
import type { Described } from "./described.ts";
import { isOurs, readAnswer } from "./exchange.ts";
import { answerKind, readings } from "./judge-shape.ts";

/** Documented answers that no call from outside can bring about, and why. */
const OUT_OF_REACH: [answer: RegExp, why: string][] = [
	[/ 500 INTERNAL_ERROR$/, "a bug, and none was found"],
	[/ 503 SERVICE_UNAVAILABLE$/, "neither D1 nor an object failed"],
	[
		/^\S+ \/ops\/v1\/(?:partners|upkeep|audit\/verify|digests|restores|reconcile|deliveries) 404 /,
		"OPS_TOKEN is set",
	],
	[/^GET \/ops\/v1\/(?:partners|upkeep|digests) 400 /, "takes nothing that could be wrong"],
];

/** Counts what was asked and what was answered. */
export class Tally {
	readonly #described: Described;
	readonly #byOperation = new Map<string, number>();
	readonly #byStatus = new Map<string, number>();
	readonly #reached = new Set<string>();
	#changes = new Map<string, number>();
	#slowest = 0;
	#requests = 0;
	#inFront = 0;
	#inFront5xx = 0;

	constructor(described: Described) {
		this.#described = described;
	}

	add(exchange: Exchange): void {
		const { call, applied, outcome } = exchange;
		const name = call.operation ? `${call.operation.method} ${call.operation.path}` : "outside the document";
		this.#requests++;
		this.#slowest = Math.max(this.#slowest, outcome.ms);
		increase(this.#byOperation, name);
		for (const change of applied) increase(this.#changes, change);
		if ("failure" in outcome) {
			increase(this.#byStatus, outcome.failure);
			return;
		}
		increase(this.#byStatus, String(outcome.status));
		if (!isOurs(outcome)) {
			this.#inFront++;
			if (outcome.status >= 500) this.#inFront5xx++;
		} else if (!exchange.bent.wire && call.method !== "HEAD") this.#note(exchange);
	}

	/** Operations by answers documented and answers given. */
	figures(): Record<string, number | string> {
		const described = this.#described;
		const documented = described.operations.flatMap((operation) =>
			described.documentedAnswers(operation).map((kind) => `${operation.method} ${operation.path} ${kind}`),
		);
		const missing = documented.filter((answer) => !this.#reached.has(answer));
		const unreachable = (answer: string) => OUT_OF_REACH.find(([form]) => form.test(answer))?.[1];
		const unexplained = missing.filter((answer) => unreachable(answer) === undefined);
		return {
			requests: this.#requests,
			"changes used": this.#changes.size,
			"answered by the server in front": this.#inFront,
			"of them 5xx": this.#inFront5xx,
			"slowest answer, ms": Math.round(this.#slowest),
			"documented answers": documented.length,
			"documented answers reached": documented.length - missing.length,
			...Object.fromEntries(
				OUT_OF_REACH.map(([, why]) => [
					`not reached: ${why}`,
					missing.filter((answer) => unreachable(answer) === why).length,
				]).filter(([, count]) => count !== 0),
			),
			"not reached by chance": unexplained.length === 0 ? "none" : unexplained.join("; "),
			...named("answers", this.#byStatus),
			...named("requests", this.#byOperation),
		};
	}

	#note(exchange: Exchange): void {
		const judged = readAnswer(exchange)!;
		for (const reached of readings(exchange.call, this.#described))
			if (reached.kind === "operation")
				this.#reached.add(`${reached.operation.method} ${reached.operation.path} ${answerKind(judged)}`);
	}
}

function increase(counts: Map<string, number>, name: string): void {
	counts.set(name, (counts.get(name) ?? 0) + 1);
}

function named(what: string, counts: Map<string, number>): Record<string, number> {
	return Object.fromEntries([...counts].sort().map(([name, count]) => [`${what}: ${name}`, count]));
}
