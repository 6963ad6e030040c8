import { DAY_MS } from "../../../../src/domain/durations.ts";
import type { Call } from "../document/calls.ts";
import type { Ledger, RutAttempts } from "../document/ledger.ts";
import { RULES } from "../document/rules.ts";
import type { Command, Sequence } from "./commands.ts";
import { pick } from "./pick-things.ts";
import { type Post, resolve } from "./resolve-command.ts";

const LONGEST_HOLD = 50_000;

/** Milliseconds that a command waits. While a call is held its lease must not run out. */
function waitOf(command: Command, ledger: Ledger, now: number): number {
	const wanted =
		command.do === "wait"
			? command.milliseconds
			: command.do === "wait until"
				? until(command, ledger, now)
				: 0;
	const codes = Object.values(ledger.codes);
	const since = Math.min(...codes.map(({ running }) => running?.since ?? Number.POSITIVE_INFINITY));
	return Math.max(0, Math.min(wanted, since + LONGEST_HOLD - now));
}

function until(command: Extract<Command, { do: "wait until" }>, ledger: Ledger, now: number): number {
	const codes = Object.values(ledger.codes);
	const real = (partner: string, time: number | null) =>
		time === null ? null : time - ledger.partners[partner]!.clockOffset;
	const realTimes = {
		"lock ends": codes.flatMap(({ partner, requestLockedUntil, claimLockedUntil }) => [
			real(partner, requestLockedUntil),
			real(partner, claimLockedUntil),
		]),
		"RUT lock ends": attemptsOf(ledger).map(([partner, { lockedUntil }]) => real(partner, lockedUntil)),
		"RUT is counted anew": attemptsOf(ledger).map(([partner, { firstAt }]) =>
			real(partner, firstAt + RULES.rutWindow),
		),
		"window ends": codes.map(({ partner, createdAt }) => real(partner, createdAt + RULES.window)),
		"certificate ends": codes.map(({ partner, certificate }) => real(partner, certificate?.notAfter ?? null)),
		"validation lapses": codes.map(({ partner, validation }) =>
			real(partner, validation && validation.at + RULES.validationLife),
		),
		"rate is free": Object.values(ledger.partners).map(({ emissions: [first] }) =>
			first === undefined ? null : first + RULES.emissionWindow,
		),
		"kept answer ends": Object.values(ledger.kept).map((kept) => kept.until),
		"sale ends": ends(ledger, RULES.saleMargin),
		"issue ends": ends(ledger, 0),
		"session ends": Object.values(ledger.sessions).map(({ code, until }) =>
			real(ledger.codes[code]!.partner, until),
		),
	};
	const moments = realTimes[command.moment].filter(
		(at): at is number => at !== null && at > now && at < Number.MAX_SAFE_INTEGER,
	);
	return (pick(moments, command.of) ?? now) + command.offBy - now;
}

/** When a certificate of each product, issued so long after, first outlives its authority. */
function ends({ authority }: Ledger, margin: number): number[] {
	const seconds = 1000;
	return Object.values(RULES.products).map((validity) => {
		const end = new Date(authority.until);
		if ("years" in validity) end.setUTCFullYear(end.getUTCFullYear() - validity.years);
		else end.setUTCDate(end.getUTCDate() - validity.days);
		return end.getTime() + seconds - margin;
	});
}

function attemptsOf({ partners }: Ledger): [string, RutAttempts][] {
	return Object.entries(partners).flatMap(([name, { rutAttempts }]) =>
		Object.values(rutAttempts).map((attempts): [string, RutAttempts] => [name, attempts]),
	);
}

/** Stage of a sequence: the service beside the model, or two models beside each other. */
export interface Stage {
	readonly ledger: Ledger;
	/**
	 * @param observes - the call is none of the sequence's: it is left out of what a disagreement says.
	 * @throws {Disagreement}
	 */
	make(call: Call, observes?: boolean): Promise<void>;
}

export interface Clock {
	now(): number;
	pass(milliseconds: number): void;
}

/** A certificate may be used for as long after its authority's end. */
const BEYOND_MS = 366 * DAY_MS;
const OBSERVE_ALL_EVERY = 8;
const MAY_CHANGE = new Set([
	"request",
	"begin",
	"finish",
	"claim",
	"operate",
	"revoke certificate",
	"make session",
	"frame",
	"end session",
]);

/** Plays a sequence from the present on, and after every command looks at what it may have changed. */
export async function play(stage: Stage, clock: Clock, { partners, commands }: Sequence): Promise<void> {
	const end = stage.ledger.authority.until + BEYOND_MS;
	const posts: Post[] = [];
	for (const [i, settings] of partners.entries()) {
		await stage.make({ kind: "create partner", settings });
		clock.pass(1);
		await stage.make({ kind: "bulk", key: `p${i + 1}`, fields: { productCode: "FV00", quantity: 2 } });
		clock.pass(1);
	}
	for (const [i, command] of commands.entries()) {
		const wait = waitOf(command, stage.ledger, clock.now());
		if (clock.now() + wait < end) clock.pass(wait);
		const calls = resolve(command, stage.ledger, clock.now(), posts);
		for (const call of calls) {
			await stage.make(call);
			posts.push(...idempotentPosts(call));
			if (call.kind === "set back") posts.length = 0;
			// No two calls of a sequence are of one millisecond.
			clock.pass(1);
		}
		const isTimeForAll = i % OBSERVE_ALL_EVERY === OBSERVE_ALL_EVERY - 1;
		const extent = isTimeForAll ? "all" : wait > 0 ? "lists" : "touched";
		await observe(stage, calls, extent);
	}
	for (const [code, { running }] of Object.entries(stage.ledger.codes))
		if (running) await stage.make({ kind: "finish", code });
	for (const [partner, { move }] of Object.entries(stage.ledger.partners))
		if (move) await stage.make({ kind: "move", partner, to: "moved" });
	await observe(stage, [], "all");
	await observeEnd(stage);
}

function idempotentPosts(call: Call): Post[] {
	const post = call.kind === "begin" ? call.request : call;
	return "fields" in post && "key" in post && post.idempotency !== undefined ? [post] : [];
}

/**
 * Observes, after calls that may change a code, its statuses and the whole list of its partner; after a wait, every
 * list; now and then, everything.
 */
async function observe(
	stage: Stage,
	calls: readonly Call[],
	extent: "touched" | "lists" | "all",
): Promise<void> {
	const { codes, partners } = stage.ledger;
	const touched = [...new Set(calls.flatMap((call) => codeOf(stage.ledger, call)))].filter(
		(name) => codes[name],
	);
	const owners = extent === "touched" ? touched.map((name) => codes[name]!.partner) : Object.keys(partners);
	for (const partner of new Set(owners)) await stage.make({ kind: "list", key: partner }, true);
	for (const name of extent === "all" ? Object.keys(codes) : touched)
		await observeCode(stage, name, extent === "all");
}

function codeOf({ sessions }: Ledger, call: Call): string[] {
	const post = call.kind === "begin" ? call.request : call;
	if (post.kind === "frame" || post.kind === "end session") {
		const session = sessions[post.session];
		return session ? [session.code] : [];
	}
	if (!MAY_CHANGE.has(post.kind) || !("code" in post) || post.code == null) return [];
	return [typeof post.code === "string" ? post.code : post.code.code];
}

/** @param closely - with what only ops see: the counts of attempts, the revocation. */
async function observeCode(stage: Stage, name: string, closely: boolean): Promise<void> {
	const { partner, certificate } = stage.ledger.codes[name]!;
	const code = { code: name };
	await stage.make({ kind: "status", key: partner, code }, true);
	if (closely) await stage.make({ kind: "show code", code }, true);
	if (certificate && closely) await stage.make({ kind: "show certificate", code: name }, true);
}

/** Observes what no later call would report: each session's end, and the database's own checks. */
async function observeEnd(stage: Stage): Promise<void> {
	const { codes, sessions } = stage.ledger;
	for (const [session, { code }] of Object.entries(sessions))
		await stage.make({ kind: "show session", key: codes[code]!.partner, session }, true);
	await stage.make({ kind: "reconcile" }, true);
	await stage.make({ kind: "verify audit" }, true);
}
