import { env } from "cloudflare:workers";
import { platformOf } from "../../src/platform.ts";
import { makeRequest } from "../../src/services/holder-requests.ts";

/** A request that a holder made about a code, for ops to answer. */
export async function requestOf(partnerId: string, code: string, detail: string): Promise<void> {
	const at = Date.now();
	const caller = {
		platform: await platformOf(env),
		partnerId,
		actor: "holder:rv_test" as const,
		requestId: "test",
	};
	const whole = { ...caller, at, now: at, later: () => undefined };
	await makeRequest(whole, [partnerId, code], { kind: "correct", detail });
}
