import { beginVisit, countHolderCodes, noteFound, proveVisit, spendTry } from "../db/holder-visits.ts";
import { sendEmail } from "../delivery/email.ts";
import { composeCodeEmail } from "../delivery/holder-email.ts";
import { labelOf } from "../delivery/outcome.ts";
import {
	HOLDER_CODE_LIMITS,
	HOLDER_CODE_MS,
	HOLDER_CODE_TRIES,
	HOLDER_VISIT_KEPT_MS,
} from "../domain/limits.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { findCertificates } from "./find-certificates.ts";

/* The one-time code that proves that a holder owns the e-mail of its certificate. */

/** Milliseconds. */
const SEND_TIMEOUT = 20_000;

export interface Asked {
	/** Canonical. */
	rut: string;
	email: string;
	/** The caller's address; null where nothing says it. */
	address: string | null;
}

/**
 * Begins a visit and, after the answer, sends a code if RUT and e-mail match a certificate in force. What is done
 * before the answer is the same if they do not: neither the answer nor its time tells.
 * @returns when to try again, epoch milliseconds, if too many codes were asked for; else null.
 */
export async function askCode(
	platform: Platform,
	tokenHash: string,
	asked: Asked,
	later: (work: Promise<unknown>) => void,
): Promise<number | null> {
	const { db, index, clock } = platform;
	const now = clock();
	const until = await limitReached(platform, asked, now);
	if (until !== null) return until;
	const id = `rv_${crypto.randomUUID().replaceAll("-", "")}`;
	const code = createCode();
	await beginVisit(db, {
		...{ tokenHash, id, codeHash: await index.of("holder-code", id, code) },
		...{ codeExpiresAt: now + HOLDER_CODE_MS, eraseAt: now + HOLDER_VISIT_KEPT_MS },
	});
	later(
		findAndSend(platform, { tokenHash, id, code }, asked).catch((error: unknown) =>
			log("error", "holder_code_not_sent", describeError(error)),
		),
	);
	return null;
}

async function findAndSend(
	platform: Platform,
	{ tokenHash, id, code }: { tokenHash: string; id: string; code: string },
	{ rut, email }: Asked,
): Promise<void> {
	const found = await findCertificates(platform, rut, email);
	if (found.length === 0) return;
	await noteFound(platform.db, { tokenHash, id }, found);
	const envelope = { id, from: platform.settings.emailFrom, to: email };
	const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
	const message = composeCodeEmail(shown, HOLDER_CODE_MS / 60_000, envelope);
	const outcome = await sendEmail(platform, message, SEND_TIMEOUT);
	if (outcome.kind !== "delivered") log("error", "holder_code_not_sent", { outcome: labelOf(outcome) });
}

/** @returns the end of the window whose limit is reached, or null. Every question counts, matching or not. */
async function limitReached(
	{ db, index }: Platform,
	{ rut, email, address }: Asked,
	now: number,
): Promise<number | null> {
	const counted = { holder: `${rut} ${email.toLowerCase()}`, address };
	const limits = HOLDER_CODE_LIMITS.filter(({ of }) => counted[of] !== null);
	const keys = await Promise.all(
		limits.map(async ({ of, windowMs }) => {
			const start = now - (now % windowMs);
			const key = await index.of("holder-count", of, String(windowMs), String(start), counted[of] ?? "");
			return { key, eraseAt: start + windowMs };
		}),
	);
	const counts = await countHolderCodes(db, keys);
	const ends = limits.flatMap(({ most }, i) => (counts[i]! > most ? [keys[i]!.eraseAt] : []));
	return ends.length > 0 ? Math.max(...ends) : null;
}

/** Eight digits, each as likely as the others. */
function createCode(): string {
	const [number = 0] = crypto.getRandomValues(new BigUint64Array(1));
	return String(BigInt(number) % 100_000_000n).padStart(8, "0");
}

export type CodeVerdict = { kind: "right" } | { kind: "wrong"; left: number } | { kind: "over" };

/** Compares a code; a try is spent first. @param code - eight digits */
export async function tryCode(
	{ db, index, clock }: Platform,
	tokenHash: string,
	code: string,
): Promise<CodeVerdict> {
	const now = clock();
	const visit = await spendTry(db, tokenHash, now);
	if (visit === null) return { kind: "over" };
	const { id, tries, codeHash, found } = visit;
	const isRight = (await index.matches(codeHash, "holder-code", id, code)) && found !== null;
	if (isRight) {
		await proveVisit(db, tokenHash, codeHash, now);
		return { kind: "right" };
	}
	const left = HOLDER_CODE_TRIES - tries;
	return left > 0 ? { kind: "wrong", left } : { kind: "over" };
}
