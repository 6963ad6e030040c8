import { createRoute, z } from "@hono/zod-openapi";
import { ping } from "../db/partners.ts";
import { askEach } from "../directory.ts";
import type { IssuerDates } from "../domain/certificate-dates.ts";
import { bindingOf, DIRECTORY } from "../domain/database-names.ts";
import { READINESS_CALLS_PER_MINUTE } from "../domain/limits.ts";
import { findMending } from "../mending.ts";
import { platformOf } from "../platform.ts";
import { ConfigError } from "../settings/config-error.ts";
import { askSigner, SIGNER_STATES, type SignerState } from "../signer/signer-state.ts";
import { createApi } from "./api.ts";
import { errorAnswer } from "./errors.ts";
import { admits, callerAddress } from "./rate-limit.ts";
import { dateTime, errorSchema, successBody } from "./responses.ts";
import { timestamp } from "./timestamp.ts";

/* Calls for probes, in no OpenAPI document because they are no part of the interface. */

const alive = createRoute({
	method: "get",
	path: "/healthz",
	hide: true,
	responses: {
		200: answer(
			"The Worker runs.",
			successBody(
				z.strictObject({
					status: z.literal("alive"),
					frozen: z.literal(true).optional(),
					databases: z.array(z.string()).optional(),
				}),
			),
		),
	},
});

const ready = createRoute({
	method: "get",
	path: "/readyz",
	hide: true,
	responses: {
		200: answer(
			"The settings are valid, the authority's certificates too, and the directory's database answers.",
			successBody(
				z.strictObject({
					status: z.literal("ready"),
					version: z.string().optional(),
					frozen: z.literal(true).optional(),
					mending: z.literal(true).optional(),
					signer: z
						.strictObject({
							state: z.enum(SIGNER_STATES),
							head_kept_at: dateTime.nullable(),
							refused: z.record(z.string(), z.int()),
						})
						.optional(),
					silent: z.array(z.string()).optional(),
				}),
			),
		),
		429: answer("Asked too often from one address.", errorSchema),
		503: answer("Not ready.", errorSchema),
	},
});

export const health = createApi()
	.openapi(alive, (c) => {
		// Read from the variable alone: a deployment asks this while D1 is away.
		const { FROZEN } = c.env;
		const frozen = FROZEN && {
			frozen: true as const,
			...(FROZEN !== "1" && { databases: FROZEN.split(",") }),
		};
		return c.json({ success: true as const, data: { status: "alive" as const, ...frozen } }, 200);
	})
	.openapi(ready, async (c) => {
		if (!(await admits(c.env.ADDRESS_READYZ_RATE, callerAddress(c)))) {
			c.header("Retry-After", "60");
			return errorAnswer(c, "rate_limit_exceeded", { values: { quota: READINESS_CALLS_PER_MINUTE } });
		}
		let frozen = false;
		let mending = false;
		let signer: SignerState | null = null;
		let silent: number[] = [];
		try {
			const platform = await platformOf(c.env);
			const { databases, clock, authority, settings } = platform;
			frozen = settings.frozen || settings.frozenDatabases.length > 0;
			requireValid(authority, clock());
			// A bucket that does not answer makes nothing unready: issuing goes on without it.
			const asked = Promise.all(
				databases.map(({ number }) => findMending(platform, number).catch(() => null)),
			);
			const signing = askSigner(platform);
			({ silent } = await askEach(platform, ({ db }) => ping(db)));
			signer = await signing;
			mending = (await asked).some((one) => one !== null);
			if (silent.includes(DIRECTORY)) return errorAnswer(c, "database_unavailable");
		} catch (error) {
			return error instanceof ConfigError
				? errorAnswer(c, "setting_invalid", { values: { setting: error.setting } })
				: errorAnswer(c, "database_unavailable");
		}
		const data = {
			status: "ready" as const,
			version: c.env.VERSION?.id,
			...(frozen && { frozen }),
			...(mending && { mending }),
			...(signer && {
				signer: {
					state: signer.state,
					head_kept_at: timestamp(signer.headKeptAt),
					refused: signer.refused,
				},
			}),
			...(silent.length > 0 && { silent: silent.map(bindingOf) }),
		};
		return c.json({ success: true as const, data }, 200);
	});

function requireValid({ notBefore, notAfter }: IssuerDates, now: number): void {
	if (now < notBefore.getTime() || now > notAfter.getTime())
		throw new ConfigError("ISSUING_CERTIFICATE or ROOT_CERTIFICATE", "is not valid at this time");
}

function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
	return { description, content: { "application/json": { schema } } };
}
