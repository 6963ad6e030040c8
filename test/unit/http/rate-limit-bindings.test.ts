import { expect, test } from "vitest";
import { readEnvironment } from "../../../scripts/deploy/check-environment.ts";
import {
	BULK_CALLS_PER_MINUTE,
	CALLS_PER_MINUTE,
	FRAME_CALLS_PER_MINUTE,
	READINESS_CALLS_PER_MINUTE,
	SESSIONS_PER_MINUTE,
	SIGN_INS_PER_MINUTE,
	SUBMITS_PER_MINUTE,
	UNKNOWN_KEYS_PER_MINUTE,
} from "../../../src/domain/limits.ts";

interface Binding {
	name: string;
	namespace_id: string;
	simple: { limit: number; period: number };
}

const ENVIRONMENTS = ["local", "dev", "prod"] as const;
const bindingsOf = (environment: (typeof ENVIRONMENTS)[number]) =>
	readEnvironment(environment).ratelimits as Binding[];

test.for(ENVIRONMENTS)(
	"wrangler.toml, %s: each rate-limit binding holds the limit of the decisions",
	(name) => {
		const limits = bindingsOf(name).map(({ name, simple }) => [name, simple.limit, simple.period]);
		expect(limits).toEqual([
			["BULK_RATE", BULK_CALLS_PER_MINUTE, 60],
			["CALL_RATE", CALLS_PER_MINUTE, 60],
			["ADDRESS_KEY_RATE", UNKNOWN_KEYS_PER_MINUTE, 60],
			["ADDRESS_READYZ_RATE", READINESS_CALLS_PER_MINUTE, 60],
			["ADDRESS_OCSP_RATE", 600, 60],
			["SESSION_RATE", SESSIONS_PER_MINUTE, 60],
			["SUBMIT_RATE", SUBMITS_PER_MINUTE, 60],
			["ADDRESS_WIDGET_RATE", FRAME_CALLS_PER_MINUTE, 60],
			["SIGN_IN_RATE", SIGN_INS_PER_MINUTE, 60],
		]);
	},
);

test("no two bindings count together", () => {
	const ids = ENVIRONMENTS.flatMap((name) => bindingsOf(name).map(({ namespace_id }) => namespace_id));
	expect(new Set(ids).size).toBe(ids.length);
});
