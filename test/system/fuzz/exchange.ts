import type { Draft } from "./draft.ts";
import type { Answer, NoAnswer } from "./wire-client.ts";
import type { Member, World } from "./world.ts";

/** A call as it was sent, and what came of it. */
export interface Exchange {
	draft: Draft;
	/** Names of the mutations that took. */
	applied: string[];
	/** Whether a mutation changed the request line, a header, or the framing: the server in front may refuse it. */
	bent: { line: boolean; headers: boolean; wire: boolean };
	octets: Buffer;
	outcome: Answer | NoAnswer;
}

export interface Judged {
	exchange: Exchange;
	answer: Answer;
	/** The body as text, and as JSON if it is JSON. */
	text: string;
	json: unknown;
}

/** @returns null where no answer came. */
export function readAnswer(exchange: Exchange): Judged | null {
	const { outcome } = exchange;
	if ("failure" in outcome) return null;
	const text = outcome.body.toString("utf8");
	return { exchange, answer: outcome, text, json: parse(text) };
}

export function headerOf(answer: Answer, name: string): string | null {
	const values = answer.headers.filter(([known]) => known.toLowerCase() === name);
	return values.length === 0 ? null : values.map(([, value]) => value).join(", ");
}

/** Every answer of the Worker's has a request id; the server in front of it gives none. */
export function isOurs(answer: Answer): boolean {
	return headerOf(answer, "x-request-id") !== null;
}

/** The partners whose keys went with the call; ops where the token did. */
export function credentialsOf({ draft }: Exchange, world: World): { members: Member[]; ops: boolean } {
	const members: Member[] = [];
	let ops = false;
	for (const [name, value] of draft.headers) {
		const member = name.toLowerCase() === "x-gw" ? world.memberByKey(value.trim()) : undefined;
		if (member) members.push(member);
		if (name.toLowerCase() === "authorization" && value.includes(world.opsToken)) ops = true;
	}
	return { members, ops };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
