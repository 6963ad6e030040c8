import type { D1Migration } from "cloudflare:test";
import type { Bindings } from "../../src/bindings.ts";

declare global {
	namespace Cloudflare {
		interface Env extends Bindings {
			/** Bound in system tests alone. */
			DB_3?: D1Database;
			DB_4?: D1Database;
			TEST_MIGRATIONS: D1Migration[];
			/** Size given by `npm run test:system`, JSON: see run-size.ts. */
			RUN_SIZE: string;
		}
		interface GlobalProps {
			mainModule: typeof import("../../src/dev.ts");
		}
	}
}
