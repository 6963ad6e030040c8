import { describe } from "vitest";
import { describeMatrix } from "./describe-matrix.ts";
import { WIDGET_CALLS } from "./widget-use-cases.ts";

describe(
	"the widget's calls, while D1 or the code's object fails at every round trip",
	{ tags: ["durable-before-answer", "widget-token", "widget-progress"] },
	() => describeMatrix("the widget's calls", WIDGET_CALLS),
);
