import type { Who } from "./who.ts";

/* What a partner does at its desk, among the commands: several calls of one area at once. */

export const DESK_AREAS = [
	"deliveries",
	"webhook",
	"settings",
	"code",
	"certificates",
	"usage",
	"keys",
	"csv",
	"clock",
	"widget",
	"sandbox",
] as const;

export interface DeskCommand {
	do: "desk";
	at: (typeof DESK_AREAS)[number];
	who: Who;
	partner: number;
	/** Picks what it is of; `variant` picks how. */
	of: number;
	variant: number;
}
