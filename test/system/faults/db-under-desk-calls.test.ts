import { describe } from "vitest";
import { describeMatrix } from "./describe-matrix.ts";
import { DESK_CALLS } from "./desk-use-cases.ts";

describe(
	"desk calls, while D1 or the code's object fails at every round trip",
	{ tags: ["durable-before-answer"] },
	() => describeMatrix("desk calls", DESK_CALLS),
);
