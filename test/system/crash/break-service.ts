import { env } from "cloudflare:workers";
import { type Breakage, readSettings } from "./settings.ts";

/* Defects built in on purpose: a service with one of them must be found out. None without the setting. */

const { PROOF_SETTINGS, DB, ...bound } = env as unknown as { PROOF_SETTINGS: string; DB: D1Database };
const { breakage } = readSettings(PROOF_SETTINGS);
/** Delay of a commit after its answer. Milliseconds. */
const LATE_MS = 400;

function isBroken(asked: Breakage): boolean {
	return breakage === asked;
}

/** Returns the lease that is really written. */
export function breakLease(lease: unknown): unknown {
	if (isBroken("serial-not-written")) return { ...(lease as object), serial: null };
	if (isBroken("attempt-not-reserved")) return { ...(lease as object), attemptReserved: false };
	return lease;
}

/** Sends a batch changed or late. */
export async function breakStatements<S extends { statement: string }>(
	kind: string,
	statements: S[],
	deliver: (sent: S[]) => Promise<unknown>,
): Promise<unknown> {
	if (isBroken("mark-left")) return deliver(without(statements, UNMARK));
	if (isBroken("onboarding-left") && kind === "end") return deliver(without(statements, OUT_OF_ONBOARDING));
	if (kind !== "commit") return deliver(statements);
	if (isBroken("outbox-dropped")) return deliver(without(statements, /^insert into "outbox"/));
	if (!isBroken("answer-before-commit")) return deliver(statements);
	setTimeout(() => void deliver(statements), LATE_MS);
	return statements.map(() => ({ success: true, results: [], meta: {} }));
}

const UNMARK = /^update "purchase_codes" set "processing_until" = .*"processing_until" = \?\)+$/s;
const OUT_OF_ONBOARDING = /^update "purchase_codes" set "onboarding_until"/;

function without<S extends { statement: string }>(statements: S[], form: RegExp): S[] {
	const nothing = DB.prepare("SELECT 1 WHERE 0") as unknown as S;
	return statements.map((sent) => (form.test(sent.statement) ? nothing : sent));
}

let listed: string | null = null;
let dropped: Promise<unknown> | null = null;

/** Removes the trigger that refuses a write where the partner's place is not open. */
function dropTriggers(): Promise<unknown> {
	const others = Object.entries(bound as Record<string, D1Database>).filter(([name]) => /^DB_\d$/.test(name));
	const databases = [DB, ...others.map(([, database]) => database)];
	return Promise.all(
		databases.map((database) =>
			database.prepare("DROP TRIGGER IF EXISTS partner_changes_of_open_places").run(),
		),
	);
}

/** Breaks a call from outside the service. */
export async function breakCall(
	request: Request,
	serve: (request: Request) => Promise<Response>,
): Promise<Response> {
	if (isBroken("old-place-open")) dropped ??= dropTriggers();
	await dropped;
	if (isBroken("pin-logged") && request.method === "POST") console.log(await request.clone().text());
	if (isBroken("token-logged")) console.log(request.headers.get("authorization"));
	const isList = new URL(request.url).pathname.endsWith("/pcodes") && request.method === "GET";
	const response = await serve(request);
	if (!isBroken("list-shared") || !isList) return response;
	const earlier = listed;
	listed = await response.clone().text();
	return earlier === null ? response : new Response(earlier, response);
}
