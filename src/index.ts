import { app } from "./app.ts";
import { keepCrlFresh } from "./authority/keep-crl-fresh.ts";
import type { Bindings } from "./config.ts";
import { deleteExpiredIdempotencyKeys } from "./db/idempotency-keys.ts";
import { openRegister } from "./db/register.ts";

export { PartnerObject } from "./objects/partner-object.ts";
export { PurchaseCodeObject } from "./objects/purchase-code-object.ts";

export default {
	fetch: app.fetch,
	async scheduled(_controller, env) {
		await Promise.all([deleteExpiredIdempotencyKeys(openRegister(env.DB), Date.now()), keepCrlFresh(env)]);
	},
} satisfies ExportedHandler<Bindings>;
