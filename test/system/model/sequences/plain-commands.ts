import type { ClaimCommand, RequestCommand } from "./commands.ts";

/* Calls with nothing wrong, on the first code. */

export const REQUEST: RequestCommand = {
	do: "request",
	who: "owner",
	code: 0,
	identity: "bound",
	style: 0,
	defects: [],
	idempotency: null,
	times: 1,
	held: false,
};

export const CLAIM: ClaimCommand = {
	do: "claim",
	who: "owner",
	code: 0,
	style: 0,
	defects: [],
	idempotency: null,
	times: 1,
};
