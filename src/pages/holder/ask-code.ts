import {
	beginVisit,
	countHolderCode,
	noteFound,
	proveVisit,
	selectCounted,
	spendTry,
} from "../../db/holder-visits.ts";
import { type PartnerRow, selectPartner } from "../../db/partners.ts";
import { query } from "../../db/query.ts";
import type { FoundCode } from "../../db/schema-holder.ts";
import { envelopeOf } from "../../delivery/compose-email.ts";
import { sendEmail } from "../../delivery/email.ts";
import { composeCodeEmail } from "../../delivery/holder-emails.ts";
import { labelOf } from "../../delivery/outcome.ts";
import { partnerDb } from "../../directory.ts";
import {
	HOLDER_ADDRESS_WINDOW_MS,
	HOLDER_CODE_MESSAGES,
	HOLDER_CODE_MS,
	HOLDER_CODE_TRIES,
	HOLDER_CODE_WINDOW_MS,
	HOLDER_CODES_PER_ADDRESS,
	HOLDER_CODES_PER_WINDOW,
	HOLDER_VISIT_KEPT_MS,
} from "../../domain/limits.ts";
import type { Platform } from "../../platform.ts";
import { describeError } from "../../telemetry/describe-error.ts";
import { log } from "../../telemetry/log.ts";
import type { Language } from "../../texts/language.ts";
import { findCodes } from "./find-codes.ts";

/*
 * The one-time code that proves that a holder owns the e-mail of its certificate. It follows from RUT, e-mail and the
 * six hours, so that another person who asks neither replaces it nor uses it up (decisions 0015).
 */

/** Milliseconds. */
const SEND_TIMEOUT = 20_000;

export interface Asked {
	/** Canonical. */
	rut: string;
	email: string;
	/** The caller's address; null where it is unknown. */
	address: string | null;
	/** Language of the page, and of its e-mail. */
	language: Language;
}

/**
 * Begins a visit and, after the answer, sends a code if RUT and e-mail match a holder. The work before
 * the answer does not depend on a match: neither the answer nor its time reveals one.
 * @returns when to try again, epoch milliseconds, if the address asked for too many codes; else null.
 */
export async function askCode(
	platform: Platform,
	tokenHash: string,
	asked: Asked,
	later: (work: Promise<unknown>) => void,
): Promise<number | null> {
	const { directory: db, clock } = platform;
	const now = clock();
	const [until, code] = await Promise.all([
		addressLimitReached(platform, asked.address, now),
		codeOf(platform, asked, now),
	]);
	if (until !== null) return until;
	const id = `rv_${crypto.randomUUID().replaceAll("-", "")}`;
	const codeExpiresAt = now + HOLDER_CODE_MS;
	const [messages] = await Promise.all([
		countHolderCode(db, { key: await keyOf(platform, "sent", code.hash), eraseAt: code.until }),
		beginVisit(db, {
			tokenHash,
			id,
			codeHash: code.hash,
			codeExpiresAt,
			eraseAt: now + HOLDER_VISIT_KEPT_MS,
		}),
	]);
	const message =
		messages <= HOLDER_CODE_MESSAGES
			? { code: code.digits, until: Math.max(code.until, codeExpiresAt) }
			: null;
	later(
		findAndSend(platform, { tokenHash, id, message }, asked).catch((error: unknown) =>
			log("error", "holder_code_not_sent", describeError(error)),
		),
	);
	return null;
}

async function findAndSend(
	platform: Platform,
	visit: { tokenHash: string; id: string; message: { code: string; until: number } | null },
	{ rut, email, language }: Asked,
): Promise<void> {
	const { tokenHash, id, message } = visit;
	const found = await findCodes(platform, rut, email);
	if (found.length === 0) return;
	await noteFound(platform.directory, { tokenHash, id }, found);
	if (message === null) return;
	const envelope = { ...envelopeOf(platform, { id, to: email }), partner: await sellerOf(platform, found) };
	const composed = composeCodeEmail({ ...message, language }, envelope);
	const outcome = await sendEmail(platform, composed, SEND_TIMEOUT);
	if (outcome.kind !== "delivered") log("error", "holder_code_not_sent", { outcome: labelOf(outcome) });
}

/** @returns the partner that sold all the codes; null for several */
async function sellerOf(platform: Platform, found: readonly FoundCode[]): Promise<PartnerRow | null> {
	const [id, ...others] = new Set(found.map(([partnerId]) => partnerId));
	if (others.length > 0) return null;
	const [partner = null] = await query(selectPartner(await partnerDb(platform, id!), id!));
	return partner;
}

/** @returns the end of the hour in which the address has asked for too many codes, or null. Every question counts. */
async function addressLimitReached(
	{ directory: db, index }: Platform,
	address: string | null,
	now: number,
): Promise<number | null> {
	if (address === null) return null;
	const start = now - (now % HOLDER_ADDRESS_WINDOW_MS);
	const until = start + HOLDER_ADDRESS_WINDOW_MS;
	const key = await index.of("holder-count", "address", String(start), address);
	return (await countHolderCode(db, { key, eraseAt: until })) > HOLDER_CODES_PER_ADDRESS ? until : null;
}

interface Code {
	digits: string;
	/** Keyed hash, by which a visit knows it. */
	hash: string;
	/** The end of its six hours. */
	until: number;
}

/** The present code: the first of these six hours that nobody has entered. */
async function codeOf(platform: Platform, { rut, email }: Asked, now: number): Promise<Code> {
	const { directory: db, index } = platform;
	const start = now - (now % HOLDER_CODE_WINDOW_MS);
	const codes = await Promise.all(
		Array.from({ length: HOLDER_CODES_PER_WINDOW }, async (_, nth) => {
			const mac = await index.of("holder-code-of", rut, email.toLowerCase(), String(start), String(nth));
			const digits = digitsOf(mac);
			const hash = await index.of("holder-code", digits);
			return {
				digits,
				hash,
				until: start + HOLDER_CODE_WINDOW_MS,
				spent: await keyOf(platform, "spent", hash),
			};
		}),
	);
	const spent = await selectCounted(
		db,
		codes.map(({ spent }) => spent),
	);
	return codes.find((code) => !spent.includes(code.spent)) ?? codes.at(-1)!;
}

function keyOf({ index }: Platform, what: "sent" | "spent", codeHash: string): Promise<string> {
	return index.of("holder-count", what, codeHash);
}

/** Twelve digits, each as likely as the others. */
function digitsOf(mac: string): string {
	const bytes = Uint8Array.fromBase64(mac, { alphabet: "base64url" });
	return String(new DataView(bytes.buffer).getBigUint64(0) % 10n ** 12n).padStart(12, "0");
}

export type CodeVerdict = { kind: "right" } | { kind: "wrong"; left: number } | { kind: "over" };

/** Compares a code; a try is spent first. @param code - twelve digits */
export async function tryCode(platform: Platform, tokenHash: string, code: string): Promise<CodeVerdict> {
	const { directory: db, index, clock } = platform;
	const now = clock();
	const visit = await spendTry(db, tokenHash, now);
	if (visit === null) return { kind: "over" };
	const { tries, codeHash, found } = visit;
	const isRight = (await index.matches(codeHash, "holder-code", code)) && found !== null;
	if (isRight) {
		const spent = await keyOf(platform, "spent", codeHash);
		const eraseAt = now + HOLDER_CODE_WINDOW_MS + HOLDER_CODE_MS;
		if ((await countHolderCode(db, { key: spent, eraseAt })) > 1) return { kind: "over" };
		await proveVisit(db, tokenHash, codeHash, now);
		return { kind: "right" };
	}
	const left = HOLDER_CODE_TRIES - tries;
	return left > 0 ? { kind: "wrong", left } : { kind: "over" };
}
