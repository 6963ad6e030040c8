import type { ClaimCommand, MakeSessionCommand, RequestCommand, SessionCommand } from "./commands.ts";

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

export const MAKE_SESSION: MakeSessionCommand = {
	do: "make session",
	who: "owner",
	code: 0,
	style: 0,
	prefill: false,
	claim: null,
	idempotency: null,
};

/** Step of the first session. */
export const STEP: SessionCommand = {
	do: "session",
	at: "through",
	who: "owner",
	of: 0,
	token: "right",
	style: 0,
	defects: [],
};
