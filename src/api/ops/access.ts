import { decode, verifyWithJwks } from "hono/jwt";
import * as z from "zod";
import { HOUR_MS } from "../../domain/durations.ts";
import { callUpstream, type Fetcher } from "../../identity/call-upstream.ts";
import { Unavailable } from "../../unavailable.ts";

/** Cloudflare Access in front of ops: https://developers.cloudflare.com/cloudflare-one/ ("Validate JWTs"). */
export interface CloudflareAccess {
	/**
	 * E-mail address, in lower case, of the person in an assertion; null when it is not valid now. @throws
	 * {Unavailable} when the team's keys cannot be had: then nobody is let in.
	 */
	personOf(assertion: string): Promise<string | null>;
}

export interface AccessSettings {
	/** `https://<team>.cloudflareaccess.com`: the assertion's issuer. */
	team: string;
	/** The Access application's AUD tag. */
	audience: string;
}

/** Access changes its keys every six weeks and keeps the old ones for a week. */
const KEYS_MS = HOUR_MS;
/** Shortest time between two requests for a missing key, whatever the team answered. */
const ASK_AGAIN_MS = 10_000;
const TIMEOUT_MS = 5_000;

const jwks = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.literal("RSA") })) });
type Keys = z.output<typeof jwks>["keys"];

const header = z.object({ kid: z.string() });
const claims = z.object({ email: z.email(), exp: z.number(), nbf: z.number() });

export function createAccess(
	{ team, audience }: AccessSettings,
	{ fetcher, clock }: { fetcher: Fetcher; clock: () => number },
): CloudflareAccess {
	let known: { at: number; keys: Keys } = { at: Number.NEGATIVE_INFINITY, keys: [] };
	let askedAt = Number.NEGATIVE_INFINITY;
	let asking: Promise<void> | null = null;

	/** Earlier keys stay in use when the team does not answer. */
	async function ask(): Promise<void> {
		const at = clock();
		askedAt = at;
		const keys = await fetchKeys(team, fetcher);
		if (keys) known = { at, keys };
	}

	async function keysWith(kid: string): Promise<Keys> {
		const isFresh = () => clock() - known.at < KEYS_MS;
		if (!isFresh() || !known.keys.some((key) => key.kid === kid)) {
			if (clock() - askedAt >= ASK_AGAIN_MS) {
				asking = ask();
				await asking;
			} else {
				// The call that asks may be cancelled: then its promise never ends.
				await Promise.race([asking, scheduler.wait(TIMEOUT_MS)]);
			}
		}
		if (!isFresh()) throw new Unavailable("access", "no keys of the team");
		return known.keys;
	}

	return {
		async personOf(assertion) {
			const kid = readKeyId(assertion);
			if (kid === null) return null;
			const keys = await keysWith(kid);
			const verified = await verifyWithJwks(assertion, {
				keys,
				allowedAlgorithms: ["RS256"],
				// Times are compared below, with the service's clock, and must be there.
				verification: { iss: team, aud: audience, exp: false, nbf: false, iat: false },
			}).catch(() => null);
			const { data } = claims.safeParse(verified);
			const now = clock() / 1000;
			return data && data.nbf <= now && now < data.exp ? data.email.toLowerCase() : null;
		},
	};
}

function readKeyId(assertion: string): string | null {
	try {
		return header.safeParse(decode(assertion).header).data?.kid ?? null;
	} catch {
		return null;
	}
}

/** @returns null when the team did not answer with keys. */
async function fetchKeys(team: string, fetcher: Fetcher): Promise<Keys | null> {
	const url = `${team}/cdn-cgi/access/certs`;
	const makeRequest = (signal: AbortSignal) => new Request(url, { signal, redirect: "manual" });
	const answer = await callUpstream({ fetcher, makeRequest, timeoutMs: TIMEOUT_MS });
	return answer.kind === "json" ? (jwks.safeParse(answer.value).data?.keys ?? null) : null;
}
