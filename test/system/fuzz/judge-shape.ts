import { faultsOf, type Schema } from "../../support/json-schema.ts";
import type { Call } from "./call.ts";
import type { Described, Operation } from "./described.ts";
import { headerOf, type Judged } from "./exchange.ts";

/** Target of a call by the document: an operation, something outside it, or nothing. */
export type Reached =
	| { kind: "operation"; operation: Operation }
	| { kind: "undocumented"; path: string }
	| { kind: "other_method"; methods: string[] }
	| { kind: "nothing" };

const ERROR: Schema = { $ref: "#/components/schemas/Error" };

/**
 * All that a call can be taken for. A path that is spelled oddly may be read as it stands, decoded, or with its dot
 * segments resolved: each of them is right, anything else is not.
 */
export function readings({ method, path }: Call, described: Described): Reached[] {
	const asked = method === "HEAD" ? "GET" : method;
	return [...spellings(path)].map((spelling): Reached => {
		const concurrent = Object.keys(described.undocumented).find(
			(known) => known === spelling || (known.endsWith("/") && spelling.startsWith(known)),
		);
		const operations = described.at(spelling);
		const operation = operations.find((candidate) => candidate.method === asked);
		if (operation) return { kind: "operation", operation };
		const methods = concurrent
			? described.undocumented[concurrent]!.methods
			: operations.map((candidate) => candidate.method);
		if (concurrent && methods.includes(asked)) return { kind: "undocumented", path: concurrent };
		return methods.length > 0 ? { kind: "other_method", methods } : { kind: "nothing" };
	});
}

/** A path as it stands, decoded, and with its dot segments resolved. */
export function spellings(path: string): Set<string> {
	const bare = path.replace(/^[a-z]+:\/\/[^/]*/, "").replace(/[?#].*$/s, "");
	const found = new Set([bare, `/${bare}`.replace(/^\/\//, "/")]);
	const decoded = attempt(() => decodeURI(bare));
	if (decoded !== null) found.add(decoded);
	for (const text of [...found]) {
		const normal = attempt(() => new URL(`http://x${text.startsWith("/") ? "" : "/"}${text}`).pathname);
		if (normal !== null) found.add(normal).add(attempt(() => decodeURI(normal)) ?? normal);
	}
	return found;
}

/** Faults in the shape of the Worker's answer to a call that reached this. */
export function shapeFaults(judged: Judged, reached: Reached, described: Described): string[] {
	const { status } = judged.answer;
	switch (reached.kind) {
		case "nothing":
			return status === 404
				? errorFaults(judged, "NOT_FOUND", described)
				: [`${status} where nothing is: no 404`];
		case "other_method":
			return status === 405 ? methodFaults(judged, reached.methods, described) : [`${status}: no 405`];
		case "undocumented":
			return undocumentedFaults(judged, reached.path, described);
		case "operation":
			return operationFaults(judged, reached.operation, described);
	}
}

function operationFaults(judged: Judged, operation: Operation, described: Described): string[] {
	const { answer, exchange, json } = judged;
	const response = operation.responses[answer.status];
	if (!response) return [`${answer.status} is not documented for ${operation.method} ${operation.path}`];
	const type = headerOf(answer, "content-type")?.split(";")[0] ?? "";
	const media = response.content?.[type];
	if (!media) return [`content type ${type} is not documented for ${answer.status}`];
	if (exchange.call.method === "HEAD" || type !== "application/json") return emptyIfHead(judged);
	if (json === undefined) return ["the body is no JSON"];
	const faults = faultsOf(described.document, media.schema, json);
	const given = answerKind(judged);
	const documented = described.documentedAnswers(operation);
	return documented.includes(given) ? faults : [...faults, `${given} is not documented`];
}

/** Kind of an answer, as {@link Described.documentedAnswers} names it. */
export function answerKind({ answer: { status }, json }: Judged): string {
	const { error, details } = (json ?? {}) as { error?: string; details?: { code?: string }[] };
	if (status === 406) return `406 ${details?.length === 1 ? details[0]?.code : "without one detail"}`;
	return error === undefined ? String(status) : `${status} ${error}`;
}

function errorFaults(judged: Judged, error: string, described: Described): string[] {
	if (judged.exchange.call.method === "HEAD") return emptyIfHead(judged);
	const faults = faultsOf(described.document, ERROR, judged.json);
	const given = (judged.json as { error?: string } | undefined)?.error;
	return given === error ? faults : [...faults, `error is ${given}, not ${error}`];
}

function methodFaults(judged: Judged, methods: string[], described: Described): string[] {
	const allow = headerOf(judged.answer, "allow")?.split(", ") ?? [];
	const lacking = methods.length > 0 && !methods.some((method) => allow.includes(method));
	const wrong = lacking || allow.includes(judged.exchange.call.method);
	return [
		...errorFaults(judged, "METHOD_NOT_ALLOWED", described),
		...(wrong ? [`Allow is ${allow.join(", ")}`] : []),
	];
}

function undocumentedFaults(judged: Judged, path: string, described: Described): string[] {
	const { statuses, types } = described.undocumented[path]!;
	const { answer, exchange } = judged;
	if (!statuses.includes(answer.status)) return [`${answer.status} from ${path}`];
	const type = headerOf(answer, "content-type")?.split(";")[0] ?? "";
	if (answer.status !== 304 && !types.includes(type)) return [`content type ${type} from ${path}`];
	if (exchange.call.method === "HEAD" || answer.status === 304) return emptyIfHead(judged);
	if (type === "application/json") return judged.json === undefined ? ["the body is no JSON"] : [];
	return answer.body[0] === 0x30 ? [] : ["the body is no DER"];
}

function emptyIfHead({ answer, exchange }: Judged): string[] {
	return exchange.call.method === "HEAD" && answer.body.length > 0 ? ["an answer to HEAD has a body"] : [];
}

function attempt(read: () => string): string | null {
	try {
		return read();
	} catch {
		return null;
	}
}
