import { z } from "@hono/zod-openapi";
import type { ApiKeyRow, KeyOwner } from "../db/api-keys.ts";
import { readInstant } from "../domain/dates.ts";
import { DEFAULT_SCOPES, KEY_SCOPES } from "../domain/key-scopes.ts";
import { KEY_RANGES_MAX } from "../domain/limits.ts";
import { readRange } from "../http/address-ranges.ts";
import { cursorField } from "../http/cursor.ts";
import { printable } from "../http/fields.ts";
import { pageLimit } from "../http/query-fields.ts";
import { dateTime, successBody } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import type { WantedKey } from "../services/new-secrets.ts";
import type { Hint } from "../texts/hints.ts";
import { KEY_TEXTS } from "../texts/keys.ts";
import { mark } from "../texts/language.ts";
import { overlapHours } from "./secret.ts";
import { view } from "./view.ts";

/* API keys as ops and partners send and see them. */

const label = printable(100, "name").openapi({ example: "kiosk 7" });

/** Epoch milliseconds; the clock decides whether it is in the future. */
const expiresAt = z
	.string("expiry")
	.transform((text, context) => {
		const instant = readInstant(text);
		if (instant !== null && text.length > "YYYY-MM-DD".length) return instant.first;
		context.addIssue({ code: "custom", message: "expiry" satisfies Hint });
		return z.NEVER;
	})
	.openapi({ type: "string", format: "date-time" })
	.nullable()
	.optional()
	.openapi({ description: mark(KEY_TEXTS.expiresAt) });

const scopes = z
	.array(z.enum(KEY_SCOPES, "scopes"), "scopes")
	.min(1, "scopes")
	.refine((sent) => new Set(sent).size === sent.length, "scopes" satisfies Hint)
	.transform((sent) => KEY_SCOPES.filter((scope) => sent.includes(scope)))
	.optional()
	.openapi({ description: mark(KEY_TEXTS.scopes) });

const range = z.string("ranges").transform((text, context) => {
	const canonical = readRange(text);
	if (canonical !== null) return canonical;
	context.addIssue({ code: "custom", message: "ranges" satisfies Hint });
	return z.NEVER;
});

const allowedCidrs = z
	.array(range.openapi({ type: "string", example: "203.0.113.0/24" }), "ranges")
	.min(1, "ranges")
	.max(KEY_RANGES_MAX, "ranges")
	.nullable()
	.optional()
	.openapi({ description: mark(KEY_TEXTS.allowedCidrs) });

export const newKey = z
	.strictObject({ label, scopes, expires_at: expiresAt, allowed_cidrs: allowedCidrs }, "object")
	.openapi("NewKey");

export const keyRotation = z
	.strictObject({ label, overlap_hours: overlapHours, expires_at: expiresAt }, "object")
	.openapi("KeyRotation");

/** Applies the defaults: every scope but `manage`, no end, any address. */
export function readKey(sent: z.output<typeof newKey>): WantedKey {
	return {
		label: sent.label,
		scopes: sent.scopes ?? DEFAULT_SCOPES,
		expiresAt: sent.expires_at ?? null,
		allowedCidrs: sent.allowed_cidrs ?? null,
	};
}

/** A key without its secret. */
export const keySchema = z
	.strictObject({
		id: z.string(),
		label: z.string(),
		scopes: z.array(z.enum(KEY_SCOPES)),
		expires_at: dateTime.nullable(),
		allowed_cidrs: z.array(z.string()).nullable(),
		created_at: dateTime,
		last_used_at: dateTime.nullable().openapi({ description: mark(KEY_TEXTS.lastUsedAt) }),
		revoked_at: dateTime.nullable().openapi({ description: mark(KEY_TEXTS.revokedAt) }),
	})
	.openapi("ApiKey");

const API_KEY_EXAMPLE = "gw_dev_7K3M9QXT2B4CH8WD5N6P7R8S9T0V1W2X";

export const KEY_EXAMPLE: z.input<typeof keySchema> = {
	id: "key_1c9e6b2a4d5f4c7b",
	label: "kiosk 7",
	scopes: [...DEFAULT_SCOPES],
	expires_at: null,
	allowed_cidrs: ["203.0.113.0/24"],
	created_at: "2026-11-21T12:00:00.000Z",
	last_used_at: null,
	revoked_at: null,
};

/** The key of a call, as its own answer names it. */
export const callingKeySchema = keySchema.pick({
	id: true,
	scopes: true,
	expires_at: true,
	allowed_cidrs: true,
});

export const CALLING_KEY_EXAMPLE = view(callingKeySchema, KEY_EXAMPLE);

export function presentCallingKey(owner: KeyOwner): z.input<typeof callingKeySchema> {
	return {
		id: owner.keyId,
		scopes: [...owner.scopes],
		expires_at: timestamp(owner.expiresAt),
		allowed_cidrs: owner.allowedCidrs && [...owner.allowedCidrs],
	};
}

/** Pages of keys that have ended, for partners and ops. */
export const endedKeysQuery = z.strictObject({
	cursor: cursorField(z.strictObject({ endedAt: z.number(), id: z.string() })).optional(),
	limit: pageLimit,
});

export const endedKeys = {
	status: 200 as const,
	schema: successBody(z.strictObject({ keys: z.array(keySchema), next: z.string().nullable() })),
	example: {
		success: true as const,
		data: { keys: [{ ...KEY_EXAMPLE, revoked_at: "2026-11-22T12:00:00.000Z" }], next: null },
	},
};

export const addedKey = {
	status: 201 as const,
	schema: successBody(z.strictObject({ key: keySchema, api_key: z.string() })),
	example: { success: true as const, data: { key: KEY_EXAMPLE, api_key: API_KEY_EXAMPLE } },
};

export const rotatedKey = {
	status: 201 as const,
	schema: successBody(z.strictObject({ key: keySchema, replaces: keySchema, api_key: z.string() })),
	example: {
		success: true as const,
		data: {
			key: KEY_EXAMPLE,
			replaces: {
				...KEY_EXAMPLE,
				id: "key_9d0e1f2a3b4c5d1c",
				revoked_at: "2026-11-22T12:00:00.000Z",
			},
			api_key: API_KEY_EXAMPLE,
		},
	},
};

export const revokedKey = {
	status: 200 as const,
	schema: successBody(z.strictObject({ key: keySchema })),
	example: {
		success: true as const,
		data: { key: { ...KEY_EXAMPLE, revoked_at: "2026-11-22T12:00:00.000Z" } },
	},
};

/** A new key with its secret, which no other answer shows. */
export function presentAddedKey({ key, apiKey }: { key: ApiKeyRow; apiKey: string }) {
	return { key: presentKey(key), api_key: apiKey };
}

export function presentRotatedKey(rotated: { key: ApiKeyRow; replaces: ApiKeyRow; apiKey: string }) {
	return { ...presentAddedKey(rotated), replaces: presentKey(rotated.replaces) };
}

export function readRotation({
	label,
	overlap_hours: overlapHours,
	expires_at: expiresAt,
}: z.output<typeof keyRotation>) {
	return { label, overlapHours, expiresAt };
}

export function presentKey(row: ApiKeyRow): z.input<typeof keySchema> {
	return {
		id: row.id,
		label: row.label,
		scopes: [...row.scopes],
		expires_at: timestamp(row.expiresAt),
		allowed_cidrs: row.allowedCidrs && [...row.allowedCidrs],
		created_at: timestamp(row.createdAt),
		last_used_at: timestamp(row.lastUsedAt),
		revoked_at: timestamp(row.revokedAt),
	};
}
