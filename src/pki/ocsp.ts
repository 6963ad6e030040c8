import { bytesToHex } from "@noble/hashes/utils.js";
import { type Context, Hono } from "hono";
import { clock } from "../clock.ts";
import type { StatusFacts } from "../db/certificates.ts";
import type { AppEnv } from "../http/app-env.ts";
import { readInTime } from "../http/body.ts";
import { admits, callerAddress } from "../http/rate-limit.ts";
import { type Platform, type PublishedAuthority, platformOf } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { OCSP_REQUEST_MAX } from "../x509/ocsp-request.ts";
import { encodeOcspError, type OcspError } from "../x509/ocsp-response.ts";
import { answerOcsp, type OcspOutcome, type ReadStatus } from "./answer-ocsp.ts";
import { findStatuses } from "./find-statuses.ts";
import { findKept, freshFor, type KeptAnswer, keep } from "./kept-answers.ts";
import { findResponder } from "./renewed-responder.ts";

/**
 * The responder that leaves name (RFC 6960 appendix A.1), and `/ocsp` for callers who know no key id. The question, not
 * the address, says which authority it is about. Mounted before the service's middleware, so that every error is an
 * OCSP response: clients of this address read no JSON.
 */
export const ocspResponder = new Hono<AppEnv>();

for (const path of ["/ocsp", "/:keyId/ocsp"]) {
	ocspResponder
		.post(path, async (c) => {
			const body = c.req.raw.body && (await readInTime(c.req.raw.body, OCSP_REQUEST_MAX));
			if (body?.kind !== "whole") return refuseMalformed(c);
			return outcomeAnswer(c, await answer(c, body.bytes));
		})
		.get(path, refuseMalformed)
		.get(`${path}/`, refuseMalformed)
		.get(`${path}/:request{[\\s\\S]+}`, async (c) => {
			const der = decodePath(c.req.path);
			const outcome: OcspOutcome =
				der === null ? { kind: "error", error: "malformedRequest" } : await answer(c, der);
			if (outcome.kind === "answer" && !outcome.nonce) await allowCaching(c, outcome);
			return outcomeAnswer(c, outcome);
		});
}

/** Answers a request; GET and POST at either address share one answer in the cache. */
async function answer(c: Context<AppEnv>, der: Uint8Array): Promise<OcspOutcome> {
	try {
		const name = `ocsp/${await digest("SHA-256", der)}`;
		const kept = await findKept(c, name);
		if (kept) return await readAnswer(kept);
		const platform = await platformOf(c.env);
		let unfound: unknown;
		const authorities = await Promise.all(
			platform.authorities.map(async (authority) => {
				const responder = await findResponder(platform, authority).catch((error: unknown) => {
					unfound = error;
					return null;
				});
				return { ...authority, responder };
			}),
		);
		const outcome = await answerOcsp({ authorities, now: clock() }, der, (authority, serials) =>
			readFacts(c, platform, authority, serials),
		);
		if (outcome.kind === "error" && outcome.error === "unauthorized" && unfound) throw unfound;
		if (outcome.kind === "answer" && !outcome.nonce) keep(c, name, keepAnswer(outcome));
		return outcome;
	} catch (error) {
		log("error", "ocsp_unavailable", { request_id: c.get("requestId"), ...describeError(error) });
		return { kind: "error", error: "tryLater" };
	}
}

function keepAnswer({ der, readAt, nextUpdate }: OcspOutcome & { kind: "answer" }): KeptAnswer {
	return {
		response: new Response(der, { headers: { Expires: new Date(nextUpdate).toUTCString() } }),
		readAt,
	};
}

async function readAnswer({ response, readAt }: KeptAnswer): Promise<OcspOutcome> {
	const nextUpdate = Date.parse(response.headers.get("Expires") ?? "");
	return {
		kind: "answer",
		der: new Uint8Array(await response.arrayBuffer()),
		readAt,
		nextUpdate,
		nonce: false,
	};
}

/** A nonce makes each answer another, but its status comes from the cache too. */
async function readFacts(
	c: Context<AppEnv>,
	platform: Platform,
	authority: PublishedAuthority,
	serials: readonly string[],
): Promise<ReadStatus | null> {
	const question = new TextEncoder().encode(`${authority.keyId} ${serials.join()}`);
	const name = `facts/${await digest("SHA-256", question)}`;
	const kept = await findKept(c, name);
	if (kept)
		return { facts: await kept.response.json<StatusFacts[]>(), readAt: kept.readAt, doubted: new Set() };
	if (!(await admits(c.env.ADDRESS_OCSP_RATE, callerAddress(c)))) return null;
	const readAt = clock();
	const { facts, doubted } = await findStatuses(platform, authority, serials);
	if (doubted.size === 0) keep(c, name, { response: Response.json(facts), readAt });
	return { facts, readAt, doubted };
}

async function digest(hash: "SHA-1" | "SHA-256", bytes: Uint8Array): Promise<string> {
	return bytesToHex(new Uint8Array(await crypto.subtle.digest(hash, bytes)));
}

/** `{url}/{url-encoding of base-64 of the DER}`; base64's own slashes come encoded or not. */
function decodePath(pathname: string): Uint8Array | null {
	const encoded = pathname.slice(pathname.indexOf("/ocsp/") + "/ocsp/".length);
	try {
		const text = decodeURIComponent(encoded);
		return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Uint8Array.fromBase64(text) : null;
	} catch {
		return null;
	}
}

/** RFC 5019 §6.2. */
async function allowCaching(
	c: Context<AppEnv>,
	{ der, readAt, nextUpdate }: OcspOutcome & { kind: "answer" },
) {
	const seconds = Math.max(0, Math.floor(Math.min(freshFor(readAt), nextUpdate - clock() - 1000) / 1000));
	c.header("Cache-Control", `max-age=${seconds}, public, no-transform, must-revalidate`);
	c.header("ETag", `"${await digest("SHA-1", der)}"`);
	c.header("Last-Modified", new Date(readAt).toUTCString());
	c.header("Expires", new Date(nextUpdate).toUTCString());
}

function outcomeAnswer(c: Context, outcome: OcspOutcome): Response {
	switch (outcome.kind) {
		case "error":
			return ocspErrorAnswer(c, outcome.error);
		case "refused":
			c.header("Retry-After", "60");
			return ocspAnswer(c, encodeOcspError("tryLater"), 429);
		case "answer":
			return ocspAnswer(c, outcome.der);
	}
}

function ocspAnswer(c: Context, der: Uint8Array<ArrayBuffer>, status: 200 | 429 = 200): Response {
	const headers = { "Content-Type": "application/ocsp-response", "Content-Length": String(der.length) };
	return c.body(der, status, headers);
}

/** RFC 6960 §4.2.1: an error is an OCSPResponse too, so HTTP succeeded. */
function ocspErrorAnswer(c: Context, error: OcspError): Response {
	return ocspAnswer(c, encodeOcspError(error));
}

function refuseMalformed(c: Context): Response {
	return ocspErrorAnswer(c, "malformedRequest");
}
