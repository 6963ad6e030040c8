import { createMiddleware } from "hono/factory";
import { findKeyOwner, type KeyOwner, noteKeyUse } from "../db/api-keys.ts";
import { hashApiKey, isApiKey, type KeyEnvironment } from "../secrets/api-key.ts";
import type { AppEnv, CallPlatform } from "./app-env.ts";
import { errorAnswer } from "./errors.ts";

/** A revoked key or a suspended partner is refused everywhere within this time (decisions: Keys, 60 s). */
const CACHE_MS = 30_000;
const CACHE_ENTRIES = 5_000;

const cache = new Map<string, { owner: KeyOwner; until: number }>();

/** §5: the partner whose key the call carries in `x-gw`. Every invalid key gets the same answer. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
	const key = c.req.header("x-gw") ?? "";
	const environment = keyEnvironment(c.get("platform").settings.environment);
	const owner = (await isApiKey(key, environment))
		? await ownerOf(c.get("platform"), key, (use) => c.executionCtx.waitUntil(use))
		: null;
	if (!owner) return errorAnswer(c, "unauthorized");
	c.set("owner", owner);
	await next();
});

/** Keys of a developer's machine are dev keys. */
export function keyEnvironment(environment: "local" | "dev" | "prod"): KeyEnvironment {
	return environment === "prod" ? "prod" : "dev";
}

/** Forgets every cached key of this isolate: a revocation by ops is in force here at once. */
export function forgetKeys(): void {
	cache.clear();
}

async function ownerOf(
	{ db, clock }: CallPlatform,
	key: string,
	later: (use: Promise<void>) => void,
): Promise<KeyOwner | null> {
	const now = clock();
	const hash = await hashApiKey(key);
	const cached = cache.get(hash);
	if (cached && cached.until > now) return cached.owner;
	const owner = await findKeyOwner(db, hash, now);
	if (!owner) return null;
	if (cache.size >= CACHE_ENTRIES) cache.clear();
	cache.set(hash, { owner, until: now + CACHE_MS });
	later(noteKeyUse(db, owner, now).catch(() => undefined));
	return owner;
}
