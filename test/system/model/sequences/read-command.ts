import type { LookCall } from "../document/calls.ts";

/* What ops look at, among the commands. */

export const LOOKS = [
	"list partners",
	"show partner",
	"rotate secret",
	"show audit",
	"verify audit",
	"list deliveries",
	"resend",
	"list evidence",
	"show picture",
	"reconcile",
	"list jobs",
	"run job",
	"lapse",
	"misuse",
] as const satisfies readonly (LookCall["kind"] | "lapse")[];

export interface ReadCommand {
	do: "look";
	at: (typeof LOOKS)[number];
	/** Picks what it is of; `variant` picks how. */
	of: number;
	variant: number;
}
