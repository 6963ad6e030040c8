import type { ForwardedAnswer, ForwardedPost } from "../delivery/listener.ts";

/** One who listens asks for the next webhook, or answers, within this time of the last, or counts as gone. */
export const ALIVE_MS = 2_000;

type Waiting<Value> = PromiseWithResolvers<Value>;

/**
 * One partner's `npm run listen`, as its object knows it: in memory, for one that is gone leaves nothing. It asks for a
 * webhook by a call that waits, and asks for the next one at once; that is how it shows that it took the first.
 */
export class Listener {
	/** Calls that wait for a webhook. */
	#polls: Waiting<ForwardedPost | null>[] = [];
	/** Webhooks that wait for their answer, by id. */
	readonly #unanswered = new Map<string, Waiting<ForwardedAnswer>>();
	/** Calls that wait for the next sign of life. */
	#watchers: Waiting<true>[] = [];

	/** @returns the next webhook, null when none comes in time. */
	async poll(waitMs: number): Promise<ForwardedPost | null> {
		const poll = Promise.withResolvers<ForwardedPost | null>();
		this.#polls.push(poll);
		this.#lives();
		const next = await within(waitMs, poll.promise);
		this.#polls = this.#polls.filter((other) => other !== poll);
		return next;
	}

	/** @returns whether the webhook waited for it. */
	answer(id: string, answer: ForwardedAnswer): boolean {
		const waiting = this.#unanswered.get(id);
		waiting?.resolve(answer);
		this.#lives();
		return waiting !== undefined;
	}

	async forward(post: ForwardedPost, timeoutMs: number): Promise<ForwardedAnswer | "nobody" | "timeout"> {
		const poll = this.#polls.shift() ?? (await this.#nextPoll());
		if (!poll) return "nobody";
		const waiting = Promise.withResolvers<ForwardedAnswer>();
		this.#unanswered.set(post.id, waiting);
		try {
			const answered = within(timeoutMs, waiting.promise);
			const alive = this.#sign();
			poll.resolve(post);
			const sign = await within(ALIVE_MS, alive);
			if (!sign) return "nobody";
			return (await answered) ?? "timeout";
		} finally {
			this.#unanswered.delete(post.id);
		}
	}

	/** Ends the calls that wait. */
	stop(): void {
		for (const poll of this.#polls.splice(0)) poll.resolve(null);
	}

	/** One who has just taken a webhook is about to ask for the next. */
	async #nextPoll(): Promise<Waiting<ForwardedPost | null> | undefined> {
		await within(ALIVE_MS, this.#sign());
		return this.#polls.shift();
	}

	#sign(): Promise<true> {
		const watcher = Promise.withResolvers<true>();
		this.#watchers.push(watcher);
		return watcher.promise;
	}

	#lives(): void {
		for (const watcher of this.#watchers.splice(0)) watcher.resolve(true);
	}
}

async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | null> {
	const { promise: late, resolve } = Promise.withResolvers<null>();
	const timer = setTimeout(() => resolve(null), milliseconds);
	try {
		return await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}
