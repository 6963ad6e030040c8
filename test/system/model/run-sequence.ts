import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { passTime, startClock, stopClock } from "../../support/clock.ts";
import { spyOnEmail } from "../../support/receiver.ts";
import { freshService } from "../../support/service.ts";
import { type Apply, apply } from "./document/apply.ts";
import type { Call } from "./document/calls.ts";
import { REFUSED_ADDRESS } from "./document/deliveries.ts";
import type { Sequence } from "./sequences/commands.ts";
import { type Post, resolve } from "./sequences/resolve-command.ts";
import { waitOf } from "./sequences/wait-of.ts";
import { ServiceAndModel, type Tally } from "./service/compare-with-service.ts";

/** Four years: every certificate ends before its authority. */
const LONGEST_MS = 4 * 366 * 86_400_000;
const OBSERVE_ALL_EVERY = 8;
const MAY_CHANGE = new Set([
	"request",
	"begin",
	"finish",
	"claim",
	"operate",
	"replace",
	"revoke certificate",
]);

/** Emptying costs as much as twenty calls. A sequence has no partner and no code in common with another. */
const SEQUENCES_PER_SERVICE = 10;
const service = { sequences: 0 };

/**
 * Runs a sequence from the present on, and holds every answer, and after it the statuses of the codes, against the
 * model.
 * @throws {Disagreement}
 */
export async function runSequence(sequence: Sequence, tally: Tally, model: Apply = apply): Promise<void> {
	startClock();
	if (service.sequences++ % SEQUENCES_PER_SERVICE === 0) await freshService();
	await forgetDigests();
	stopClock();
	muteLog();
	holdDeliveries();
	const both = new ServiceAndModel(model, tally);
	try {
		await runCommands(both, sequence);
	} finally {
		await both.releaseHeld();
		startClock();
	}
}

/** The sequence before may have digested the present day, which is over only in its own time. */
async function forgetDigests(): Promise<void> {
	const { objects } = await env.AUDIT.list();
	if (objects.length > 0) await env.AUDIT.delete(objects.map(({ key }) => key));
}

/** A line per call is most of what a sequence would cost. */
function muteLog(): void {
	for (const level of ["log", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
}

/** The queue hands nothing on, and every e-mail arrives but those to one address. */
function holdDeliveries(): void {
	vi.spyOn(Object.getPrototypeOf(env.DELIVERIES), "sendBatch").mockResolvedValue(undefined);
	spyOnEmail(({ to }) => {
		if (to === REFUSED_ADDRESS)
			throw Object.assign(new Error("refused"), { code: "E_RECIPIENT_NOT_ALLOWED" });
	});
}

async function runCommands(both: ServiceAndModel, { partners, commands }: Sequence): Promise<void> {
	const start = Date.now();
	const posts: Post[] = [];
	for (const [i, settings] of partners.entries()) {
		await both.make({ kind: "create partner", settings });
		await both.make({ kind: "bulk", key: `k${i + 1}`, fields: { productCode: "FV00", quantity: 2 } });
	}
	for (const [i, command] of commands.entries()) {
		const wait = waitOf(command, both.ledger, Date.now());
		if (Date.now() + wait - start < LONGEST_MS) passTime(wait);
		const calls = resolve(command, both.ledger, Date.now(), posts);
		for (const call of calls) {
			await both.make(call);
			posts.push(...idempotentPosts(call));
			passTime(1);
		}
		const isTimeForAll = i % OBSERVE_ALL_EVERY === OBSERVE_ALL_EVERY - 1;
		await observe(both, calls, isTimeForAll ? "all" : wait > 1 ? "lists" : "touched");
	}
	for (const [code, { running }] of Object.entries(both.ledger.codes))
		if (running) await both.make({ kind: "finish", code });
	await observe(both, [], "all");
	await both.observeRecords();
}

function idempotentPosts(call: Call): Post[] {
	const post = call.kind === "begin" ? call.request : call;
	return "fields" in post && post.idempotency !== undefined ? [post] : [];
}

/**
 * After calls that may change a code: its statuses, with the whole list of its partner. After a wait: every list. Now
 * and then: everything.
 */
async function observe(
	both: ServiceAndModel,
	calls: readonly Call[],
	extent: "touched" | "lists" | "all",
): Promise<void> {
	const { codes, partners } = both.ledger;
	const touched = [...new Set(calls.flatMap(codeOf))].filter((name) => codes[name]);
	const owners = extent === "touched" ? touched.map((name) => codes[name]!.partner) : Object.keys(partners);
	for (const partner of new Set(owners)) await both.observeList(partner);
	for (const name of extent === "all" ? Object.keys(codes) : touched)
		await both.observeCode(name, extent === "all");
}

function codeOf(call: Call): string[] {
	const post = call.kind === "begin" ? call.request : call;
	if (!MAY_CHANGE.has(call.kind) || !("code" in post) || post.code === null) return [];
	return [typeof post.code === "string" ? post.code : post.code.code];
}
