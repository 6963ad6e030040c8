import { createHash, verify } from "node:crypto";
import type { Caller, Right } from "./config.ts";
import { demand, Refusal } from "./refusal.ts";
import type { Register } from "./register.ts";
import { DAY_MS, SKEW_MS } from "./tbs.ts";

/** A request as its caller signs it. */
export interface Request {
	method: string;
	/** With its query. */
	path: string;
	body: Uint8Array;
	/** Values by lower-case names. */
	headers: Record<string, unknown>;
}

/** Finds who asks, by an Ed25519 signature over method, path, time and digest. */
export function authenticate(
	callers: Caller[],
	{ method, path, body, headers }: Request,
	now: number,
): Caller {
	const caller = callers.find(({ name }) => name === headers["signer-caller"]);
	const isKnown = caller !== undefined && now < (caller.withdrawnAt ?? Infinity);
	demand(isKnown, "UNKNOWN_CALLER", "Send Signer-Caller: a name that is registered here.");
	const time = String(headers["signer-time"]);
	const digest = createHash("sha256").update(body).digest("hex");
	const signature = Buffer.from(String(headers["signer-authorization"]), "base64");
	const isSigned = verify(null, Buffer.from([method, path, time, digest].join("\n")), caller.key, signature);
	demand(isSigned, "BAD_SIGNATURE", "Sign method, path, time and digest with the registered key.");
	const isNow = /^\d{1,15}$/.test(time) && Math.abs(Number(time) - now) <= SKEW_MS;
	if (!isNow) throw new Refusal("STALE", "Send a time at most 60 seconds off.", { now });
	return caller;
}

const MINUTE_MS = 60_000;

/** Refuses who has as many entries of this right in a minute or a day as it may. */
export function demandRate(
	register: Register,
	{ name, per_minute, per_day }: Caller,
	right: Right,
	now: number,
): void {
	const freeAfter = (count: number, time: number) => {
		const sql =
			"SELECT at FROM log WHERE kind = ? AND caller = ? AND note IS NOT 'refused RATE' ORDER BY n DESC LIMIT 1 OFFSET ?";
		const [oldest] = register.all<{ at: number }>(sql, right, name, count - 1);
		return (oldest?.at ?? -Infinity) + time;
	};
	const freeAt = Math.max(freeAfter(per_minute, MINUTE_MS), freeAfter(per_day, DAY_MS));
	if (freeAt > now)
		throw new Refusal("RATE", "Ask less often.", { retry_after: Math.ceil((freeAt - now) / 1000) });
}
