import { DELIVERY_EMAIL } from "../../../src/texts/delivery-email.ts";
import { MESSAGES } from "../../../src/texts/messages.ts";
import { SIGN_ON } from "../../../src/texts/sign-on.ts";
import type { Answer } from "../../support/service.ts";
import type { Snapshot } from "./collect.ts";
import type { Fixture, Seen } from "./fixture.ts";

/* Allowed answers under a fault (decisions: Errors): 503 and nothing changed; no 500; in bounded time. */

/** A registry is given 8 s and, where no connection came about, 8 s more; as much again is left to a busy machine. */
const LONGEST_ANSWER_MS = 32_000;

export function checkAnswers(fixture: Fixture, db: Snapshot): string[] {
	const bugs = fixture.log.filter((line) => line.includes('"event":"bug"'));
	const reported = fixture.seen.flatMap((seen) => {
		const { verb, what, answer, took } = seen;
		const broken: string[] = [];
		if (answer.status === 500 || (answer.status > 500 && answer.status !== 503))
			broken.push(`answer: ${verb} ${what} ${answer.status}: ${answer.text.slice(0, 200)}`);
		if (answer.status === 503) broken.push(...judgeUnavailable(seen, db));
		if (verb === "console" && answer.status !== 303 && !answer.text.startsWith("<!doctype html>"))
			broken.push(`answer: ${verb} ${what} ${answer.status} is no page: ${answer.text.slice(0, 100)}`);
		if (took > LONGEST_ANSWER_MS) broken.push(`answer: ${verb} took ${Math.round(took)} ms`);
		return broken;
	});
	return [...reported, ...bugs.map((line) => `answer: the log has a bug: ${line.slice(0, 300)}`)];
}

/** Rows that say that a call came to nothing. That a holder has come is so, whatever becomes of the step. */
const NOTHING = ["step_abandoned nothing_spent", "batch_abandoned nothing_created"];

/** Text that a page shows instead. */
const PAGES: Partial<Record<Seen["verb"], string>> = {
	console: "<p>El servicio no está disponible en este momento",
	holder: "Intentar de nuevo",
	"sign-on": SIGN_ON.failed.es,
};

/**
 * 503: documented, says when to come again, and unless its outcome was unknown to the service too, changed nothing; of a
 * bulk and of settings it says so where it did.
 */
function judgeUnavailable({ verb, answer, inDoubt }: Seen, db: Snapshot): string[] {
	const broken: string[] = [];
	const page = PAGES[verb];
	const says = page
		? answer.text.includes(page)
		: ["SERVICE_UNAVAILABLE", "REGISTRY_UNAVAILABLE"].includes(answer.body?.error);
	if (!says) broken.push(`answer: ${verb} 503 says ${answer.text.slice(0, 100)}`);
	if (!(Number(answer.headers.get("Retry-After")) > 0))
		broken.push(`answer: ${verb} 503 without Retry-After`);
	const id = answer.headers.get("x-request-id");
	const changes = db
		.audit_events!.filter(({ request_id }) => request_id === id)
		.filter(({ entity, action }) => !(entity.startsWith("onboarding:") && action === "started"))
		.map(({ entity, action, outcome }) => ({ entity, what: `${action} ${outcome}` }))
		.filter(({ what }) => !NOTHING.includes(what));
	const text = changes.map(({ what }) => what).join(", ");
	if (changes.length > 0 && !inDoubt) broken.push(`answer: ${verb} 503, and yet ${text}`);
	// Ops' replacement of a code makes a batch as well, and keeps the text of a verb on a code.
	const ofBulkOrSettings =
		changes.length > 0 && changes.every(({ entity }) => /^(batch|partner):/.test(entity));
	if (ofBulkOrSettings && !leavesOpen(answer))
		broken.push(`answer: ${verb} 503 does not say that it may have happened: ${text}`);
	return broken;
}

function leavesOpen({ text }: Answer): boolean {
	const said = [MESSAGES.outcome_unknown, DELIVERY_EMAIL.unavailable].flatMap((texts) =>
		Object.values(texts),
	);
	return said.some((message) => text.includes(message));
}
