import type { Db } from "../db/query.ts";
import type { Courier } from "../delivery/courier.ts";
import type { Platform } from "../platform.ts";
import type { Call } from "./messages.ts";

/** What a step of one purchase code works with. */
export interface CodeContext<C extends Call = Call> {
	call: C;
	/** The object's own storage: lease and kept answers. */
	storage: DurableObjectStorage;
	db: Db;
	evidence: R2Bucket;
	platform: Platform;
	courier: Courier;
	/** Work that the answer does not wait for. */
	later: (work: Promise<unknown>) => void;
	/** Epoch milliseconds. */
	clock: () => number;
}
