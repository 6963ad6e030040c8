import { failed, type Outcome } from "./outcome.ts";
import { readRetryAfter } from "./retry-schedule.ts";
import { signWebhook } from "./sign-webhook.ts";

/** What an attempt in the caller's own call may take, and one from the queue. Milliseconds. */
export const FIRST_ATTEMPT_MS = 5_000;
export const RETRY_ATTEMPT_MS = 20_000;

/** Octets of an answer that are read; nothing in them is used. */
const ANSWER_MAX = 64 * 1024;

interface WebhookAttempt {
	id: string;
	/** Checked by `judgeOutboundUrl`. */
	url: URL;
	body: string;
	secrets: readonly string[];
	/** Epoch milliseconds. */
	at: number;
	timeoutMs: number;
}

/** Posts one webhook. Any 2xx is success, 410 says that the endpoint is gone, all else is failure, redirects included. */
export async function sendWebhook(attempt: WebhookAttempt): Promise<Outcome> {
	const abort = new AbortController();
	const { promise: deadline, resolve: expire } = Promise.withResolvers<"timeout">();
	const timer = setTimeout(() => {
		// Expires first: the abort makes the fetch throw, which would read as a failed connection.
		expire("timeout");
		abort.abort();
	}, attempt.timeoutMs);
	try {
		// Raced, not only aborted: a connection is free to ignore the signal.
		const response = await Promise.race([post(attempt, abort.signal), deadline]);
		if (response === "timeout") return failed("timeout");
		await Promise.race([drain(response), deadline]);
		return judgeAnswer(response, attempt);
	} catch {
		return failed("unreachable");
	} finally {
		clearTimeout(timer);
	}
}

async function post({ id, url, body, secrets, at }: WebhookAttempt, signal: AbortSignal): Promise<Response> {
	const headers = {
		"content-type": "application/json",
		"user-agent": "partner-certificates-webhooks/1.0",
		...(await signWebhook({ id, body, at }, secrets)),
	};
	return fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
}

function judgeAnswer({ status, headers }: Response, { url, at }: WebhookAttempt): Outcome {
	if (status >= 200 && status < 300) return { kind: "delivered" };
	if (status === 410) return { kind: "gone", url: url.href };
	return failed(`http ${status}`, readRetryAfter(headers.get("retry-after"), at));
}

/** Reads what a decent answer has, so that its connection can be used again; the rest is not waited for. */
async function drain({ body }: Response): Promise<void> {
	const reader = body?.getReader();
	if (!reader) return;
	try {
		for (let size = 0; size <= ANSWER_MAX; ) {
			const { done, value } = await reader.read();
			if (done) return;
			size += value.byteLength;
		}
	} catch {
		// The status has already said what there is to know.
	}
	reader.cancel().catch(() => undefined);
}
