import { bytesToHex } from "@noble/hashes/utils.js";
import type { Context } from "hono";
import { HOUR_MS } from "../../domain/durations.ts";
import type { OpsToken } from "../../domain/operators.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { dropCookie, readCookie, writeCookie } from "../kit/cookie.ts";

/*
 * A session of an hour after a sign-in by token, in local and dev, which have no Cloudflare Access. The cookie has the
 * name and the end, under a keyed hash that includes the token: removing it from the settings ends its sessions.
 * Nothing is stored. docs/decisions/0017 describes the cost.
 */

const NAME = "ops";
const LIFE_MS = HOUR_MS;
const FORM = /^[A-Za-z0-9_-]{1,140}\.[0-9]{1,16}\.[A-Za-z0-9_-]{43}$/;

/** Prod has no sign-in of its own: people come in through Access. */
export function hasSignIn(c: Context<AppEnv>): boolean {
	const { environment, ops } = c.get("platform").settings;
	return environment !== "prod" && ops.tokens.length > 0;
}

export async function beginSession(c: Context<AppEnv>, token: OpsToken): Promise<void> {
	const until = String(c.get("platform").clock() + LIFE_MS);
	const mac = await c.get("platform").index.of(...signed(token, until));
	writeCookie(c, NAME, `${encode(token.name)}.${until}.${mac}`, LIFE_MS);
}

export function endSession(c: Context<AppEnv>): void {
	dropCookie(c, NAME);
}

/** The signed-in name; null without a session, and for one that has ended. */
export async function readSession(c: Context<AppEnv>): Promise<string | null> {
	if (!hasSignIn(c)) return null;
	const { settings, index, clock } = c.get("platform");
	const cookie = readCookie(c, NAME);
	if (!FORM.test(cookie)) return null;
	const [name = "", until = "", mac = ""] = cookie.split(".");
	if (Number(until) <= clock()) return null;
	for (const token of settings.ops.tokens)
		if (encode(token.name) === name && (await index.matches(mac, ...signed(token, until)))) return token.name;
	return null;
}

function encode(name: string): string {
	return new TextEncoder().encode(name).toBase64({ alphabet: "base64url", omitPadding: true });
}

function signed({ name, digest }: OpsToken, until: string) {
	return ["ops-session", name, until, bytesToHex(digest)] as const;
}
