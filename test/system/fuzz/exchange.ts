import type { Exchange } from "./call.ts";
import type { Fixtures, Member } from "./fixtures.ts";
import type { Answer } from "./read-answer.ts";

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
export function credentialsOf({ call }: Exchange, fixtures: Fixtures): { members: Member[]; ops: boolean } {
	const members: Member[] = [];
	let ops = false;
	for (const [name, value] of call.headers) {
		const member = name.toLowerCase() === "x-gw" ? fixtures.memberByKey(value.trim()) : undefined;
		if (member) members.push(member);
		if (name.toLowerCase() === "authorization" && value.includes(fixtures.opsToken)) ops = true;
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
