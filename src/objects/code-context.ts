import type { Db } from "../db/query.ts";
import type { Platform } from "../platform.ts";
import type { Call } from "./rpc.ts";

/** What a step of one purchase code works with. */
export interface CodeContext<C extends Call = Call> {
	call: C;
	/** The object's own storage: lease and kept answers. */
	storage: DurableObjectStorage;
	db: Db;
	platform: Platform;
	/** Work that the answer does not wait for. */
	later: (work: Promise<unknown>) => void;
	/** Epoch milliseconds. */
	clock: () => number;
}
