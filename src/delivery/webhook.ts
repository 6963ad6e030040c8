import { Webhook } from "standardwebhooks";
import { secretPlace, type WebhookSecretRow } from "../db/webhook-secrets.ts";
import type { PostedEvent } from "../domain/webhook-events.ts";
import type { Platform } from "../platform.ts";
import { readBody } from "../read-body.ts";
import { judgeOutboundUrl } from "./outbound-url.ts";
import { failed, HTTP_GONE, type Outcome } from "./outcome.ts";
import { readRetryAfter } from "./retry-schedule.ts";

/** Bytes of an answer that are read; nothing in them is used. */
const ANSWER_MAX = 64 * 1024;

/** Everything a delivery of an issued certificate needs. Times in epoch milliseconds. */
export interface EmittedPayload {
	code: string;
	reference: string | null;
	holder: { rut: string; fullName: string; email: string };
	serial: string;
	validFrom: number;
	validTo: number;
	fileName: string;
	/** Base64. */
	pfx: string;
}

/**
 * A symmetric secret as partners see it (Standard Webhooks 1.0, "Signature scheme").
 * @param bytes - 32, which nobody can guess
 */
export function createWebhookSecret(bytes: Uint8Array): string {
	return `whsec_${bytes.toBase64()}`;
}

/** The body (Standard Webhooks 1.0, "Payload structure"). Stored as text, so that every attempt sends the same bytes. */
export function webhookBody(type: PostedEvent, at: number, data: object): string {
	return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

/** Data of a B2B webhook, in place of a claim: §2.4 and referenceId, titular and pfxFileName. */
export function emittedData(payload: EmittedPayload) {
	const { holder } = payload;
	return {
		...claimedData(payload),
		certificate: payload.pfx,
		titular: { rut: holder.rut, nombreCompleto: holder.fullName, email: holder.email },
		pfxFileName: payload.fileName,
	};
}

/** Certificate's data without file and holder: in B2C the claim's caller has the file. */
export function claimedData(payload: EmittedPayload) {
	return {
		p_code: payload.code,
		validFrom: new Date(payload.validFrom).toISOString(),
		validTo: new Date(payload.validTo).toISOString(),
		serialNumber: payload.serial,
		referenceId: payload.reference,
	};
}

export interface SignedPost {
	/** The `webhook-id`. */
	id: string;
	body: string;
	/** Secrets, each of which signs. */
	secrets: readonly WebhookSecretRow[];
	timeoutMs: number;
}

/** Posts a body to a partner's endpoint, signed by each of its secrets; nothing goes to an address that must not be reached. */
export async function postSigned(
	platform: Pick<Platform, "settings" | "sealer" | "clock">,
	post: SignedPost & { url: string },
): Promise<Outcome> {
	const { id, body, timeoutMs } = post;
	const verdict = judgeOutboundUrl(post.url, platform.settings.outbound);
	if (!verdict.ok) return { kind: "parked", label: "address_refused" };
	const secrets = await openSecrets(platform, post.secrets);
	if (secrets.length === 0) return { kind: "parked", label: "no_secret" };
	return sendWebhook({ id, url: verdict.url, body, secrets, at: platform.clock(), timeoutMs });
}

export function openSecrets(
	{ sealer }: Pick<Platform, "sealer">,
	secrets: readonly WebhookSecretRow[],
): Promise<string[]> {
	return Promise.all(secrets.map((secret) => sealer.openText(secret.secretSealed, secretPlace(secret.id))));
}

interface WebhookAttempt {
	/** The `webhook-id`. */
	id: string;
	/** Checked by `judgeOutboundUrl`. */
	url: URL;
	body: string;
	/** `whsec_…`, each of which signs: two while a secret is rotated. */
	secrets: readonly string[];
	/** Epoch milliseconds, by the real clock: receivers compare the header with their own. */
	at: number;
	timeoutMs: number;
	/** Sends the post; defaults to the network. */
	post?: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
}

/** Posts one webhook. Any 2xx is success, 410 means the endpoint is gone, all else is failure, redirects included. */
export async function sendWebhook(attempt: WebhookAttempt): Promise<Outcome> {
	const abort = new AbortController();
	const { promise: deadline, resolve: expire } = Promise.withResolvers<"timeout">();
	const timer = setTimeout(() => {
		// Expires first: the abort makes the fetch throw, which would read as a failed connection.
		expire("timeout");
		abort.abort();
	}, attempt.timeoutMs);
	try {
		// Raced, not only aborted: a connection may ignore the signal.
		const { post = (headers, signal) => postTo(attempt, headers, signal) } = attempt;
		const response = await Promise.race([post(headersOf(attempt), abort.signal), deadline]);
		if (response === "timeout") return failed("timeout");
		await Promise.race([drain(response), deadline]);
		return judgeAnswer(response, attempt);
	} catch {
		return failed("unreachable");
	} finally {
		clearTimeout(timer);
	}
}

function headersOf(attempt: WebhookAttempt): Record<string, string> {
	return {
		"content-type": "application/json",
		"user-agent": "partner-certificates-webhooks/1.0",
		...signatureHeaders(attempt),
	};
}

function postTo(
	{ url, body }: WebhookAttempt,
	headers: Record<string, string>,
	signal: AbortSignal,
): Promise<Response> {
	return fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
}

/** Standard Webhooks 1.0, "Webhook headers": one signature per secret, separated by spaces. */
function signatureHeaders({ id, body, secrets, at }: WebhookAttempt): Record<string, string> {
	const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
	return {
		"webhook-id": id,
		"webhook-timestamp": String(Math.floor(at / 1000)),
		"webhook-signature": signatures.join(" "),
	};
}

function judgeAnswer({ status, headers }: Response, { url, at }: WebhookAttempt): Outcome {
	if (status >= 200 && status < 300) return { kind: "delivered", httpStatus: status };
	if (status === HTTP_GONE) return { kind: "gone", url: url.href };
	const retryAfterMs = readRetryAfter(headers.get("retry-after"), at);
	return { kind: "failed", label: `http ${status}`, retryAfterMs, httpStatus: status };
}

/** Reads an answer of ordinary size, so that its connection can be used again; the rest is not waited for. */
async function drain({ body }: Response): Promise<void> {
	if (body) await readBody(body, ANSWER_MAX);
}
