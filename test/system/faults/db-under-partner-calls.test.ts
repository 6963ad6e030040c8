import { describe } from "vitest";
import { describeMatrix } from "./describe-matrix.ts";
import { PARTNER_CALLS } from "./partner-use-cases.ts";

describe(
	"partner calls, while D1 or the code's object fails at every round trip",
	{ tags: ["durable-before-answer"] },
	() => describeMatrix("partner calls", PARTNER_CALLS),
);
