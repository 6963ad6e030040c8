import type { Answer } from "../../../support/service.ts";
import type { Expected } from "../document/expected.ts";
import { compareShape, differ } from "./compare-shape.ts";
import type { Names } from "./names.ts";

const REPLAYED = "Idempotency-Replayed";

/** @returns where an answer is not what the model expects, a line each; none when it is. */
export function compare(expected: Expected, answer: Answer, names: Names): string[] {
	const { status, headers, body, bytes } = expected;
	const found = (name: string) => answer.headers.get(name) ?? undefined;
	return [
		...(answer.status === status ? [] : differ("status", status, answer.status)),
		...Object.entries(headers).flatMap(([name, shape]) =>
			compareShape(shape, found(name), `header ${name}`, names),
		),
		...(REPLAYED in headers ? [] : compareShape(undefined, found(REPLAYED), `header ${REPLAYED}`, names)),
		...compareShape(body, answer.body, "body", names),
		...(bytes === undefined || names.sameAnswer(bytes, answer.text)
			? []
			: differ("bytes", `those of ${bytes}`, answer.text)),
	];
}
