import type { DeskCall } from "../document/calls.ts";

/** A call of the desk, before it is known with which key. */
export type Asked = DeskCall extends infer One ? (One extends DeskCall ? Omit<One, "key"> : never) : never;

/** What a command has picked of what there is. */
export interface Picks {
	of: number;
	variant: number;
}
