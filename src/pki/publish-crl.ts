import { beginCrl, endCrl, readRevocationMark } from "../db/crl-state.ts";
import { inBackground } from "../deadlines.ts";
import { askEach } from "../directory.ts";
import { beginMending } from "../mending.ts";
import type { Platform } from "../platform.ts";
import { SignerRefusal } from "../signer/signer-client.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { buildCrl } from "../x509/crl.ts";
import type { IssuingAuthority } from "../x509/issuing-authority.ts";
import { crlKey, findPublishedCrl, type PublishedCrl, replaceCrl } from "./published-crl.ts";
import {
	enterPublished,
	enterRevocations,
	noteAllEntered,
	type UnitingContext,
	uniteRevocations,
} from "./unite-revocations.ts";
import { CRL_REBUILD_MS, CRL_TURN_MS, CRL_VALIDITY_MS } from "./validity.ts";

export type CrlContext = Pick<Platform, "directory" | "databases" | "pki" | "clock"> & {
	/** Issuer of the CRL. */
	authority: Pick<IssuingAuthority, "signer" | "subject" | "subjectKeyId" | "keyId" | "publicKey">;
};

const TRIES = 5;

/**
 * {@link refreshCrl} of every authority whose key is here, for the cron and for after the answer to a revocation. Never
 * throws: the next cron repeats what fails now.
 */
export async function keepCrlFresh(platform: Platform): Promise<void> {
	for (const { signer, ...authority } of platform.authorities) {
		try {
			if (signer) await refreshCrl({ ...platform, authority: { ...authority, signer } });
			else await inBackground(() => heedCeremonyCrl({ ...platform, authority }));
		} catch (error) {
			log("error", "crl_not_refreshed", { key_id: authority.keyId, ...describeError(error) });
		}
	}
}

/**
 * Publishes a CRL when the published one lacks a revocation or is old. Safe to call concurrently: one caller builds,
 * the others return, and the builder checks for new revocations before it finishes.
 *
 * A signer that refuses a CRL names what it lacks, which a restore took from D1 and from the bucket: it is entered, and the
 * signer asked again.
 *
 * A CRL replaces only the one that was published before its number was taken and its first row was read, so that
 * numbers and entries never go back.
 */
export function refreshCrl(context: CrlContext): Promise<PublishedCrl | null> {
	return inBackground(() => refresh(context));
}

async function refresh(context: CrlContext): Promise<PublishedCrl | null> {
	const { directory, pki, authority, clock } = context;
	const key = crlKey(authority);
	const { keyId } = authority;
	let refused: SignerRefusal | null = null;
	for (let attempt = 0; ; attempt++) {
		const published = await findPublishedCrl(pki, key);
		if (published && (await isFresh(context, published))) return published;
		if (attempt === TRIES && refused) throw refused;
		if (attempt === TRIES) return published;
		const until = clock() + CRL_TURN_MS;
		const last = Math.max(published?.number ?? 0, refused?.crl?.lastNumber ?? 0);
		const number = await beginCrl(directory, { keyId, published: last, now: clock(), until });
		if (number === null) return published;
		try {
			await buildAfter(context, published, number);
		} catch (error) {
			if (!(error instanceof SignerRefusal && error.crl)) throw error;
			await enterRevocations(context, error.crl.missing);
			refused = error;
		} finally {
			await endCrl(directory, { keyId, until });
		}
	}
}

/** Tells whether the published CRL is young and has the marks of all databases that answer. */
async function isFresh(context: CrlContext, published: PublishedCrl): Promise<boolean> {
	const isUpToDate = await compareMarks(context, published);
	return isUpToDate && context.clock() < published.thisUpdate + CRL_REBUILD_MS;
}

/**
 * Compares the databases' marks with those of the published CRL. A database notes a CRL's number before the CRL is published: one that
 * knows only of a lesser number was put back, and its mending begins.
 */
async function compareMarks(
	{ databases, pki, clock, authority }: UnitingContext & Pick<Platform, "clock">,
	published: PublishedCrl,
): Promise<boolean> {
	const { answers } = await askEach({ databases }, async ({ number, db }) => ({
		database: number,
		answer: await readRevocationMark(db, authority.keyId),
	}));
	let isUpToDate = true;
	for (const { database, answer } of answers) {
		const built = published.marks[database];
		const wasPutBack = answer.number < (built?.number ?? 0);
		if (wasPutBack) await beginMending({ pki }, database, { now: clock(), restoredTo: null });
		isUpToDate &&= !wasPutBack && built?.mark === answer.mark;
	}
	return isUpToDate;
}

/** Publishes nothing where another CRL was published meanwhile. */
async function buildAfter(
	context: CrlContext,
	published: PublishedCrl | null,
	number: number,
): Promise<void> {
	const { pki, authority, clock } = context;
	const thisUpdate = Math.max(Math.floor(clock() / 1000) * 1000, published?.thisUpdate ?? 0);
	const nextUpdate = thisUpdate + CRL_VALIDITY_MS;
	const united = await uniteRevocations(context, published, number);
	if (united === null) return;
	const { entries, marks, isWhole } = united;
	const der = await buildCrl(authority, {
		number,
		thisUpdate: new Date(thisUpdate),
		nextUpdate: new Date(nextUpdate),
		entries,
	});
	const etag = await replaceCrl(pki, crlKey(authority), published, {
		number,
		thisUpdate,
		nextUpdate,
		marks,
		der,
	});
	if (etag !== null && isWhole) await noteAllEntered(context, { number, etag });
}

/** Enters what the last CRL of an authority without a key lists, which a restore may have taken away. */
async function heedCeremonyCrl(context: UnitingContext & Pick<Platform, "clock">): Promise<void> {
	const published = await findPublishedCrl(context.pki, crlKey(context.authority));
	if (!published) return;
	await compareMarks(context, published);
	await enterPublished(context);
}
