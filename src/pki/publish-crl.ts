import { beginCrl, endCrl, readCrlState, readMark } from "../db/crl-state.ts";
import { inBackground } from "../deadlines.ts";
import { askAll } from "../directory.ts";
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
		let etag: string | null = null;
		try {
			etag = await buildAfter(context, published, { number, mark: await readMarks(context) });
		} catch (error) {
			if (!(error instanceof SignerRefusal && error.crl)) throw error;
			await enterRevocations(context, published, error.crl.missing);
			refused = error;
		} finally {
			await endCrl(directory, { keyId, until, etag });
		}
	}
}

async function isFresh(context: CrlContext, published: PublishedCrl): Promise<boolean> {
	const [mark, wasPutBack] = await Promise.all([readMarks(context), compareWithD1(context, published)]);
	const isYoung = context.clock() < published.thisUpdate + CRL_REBUILD_MS;
	return isYoung && !wasPutBack && published.mark === mark;
}

/** The marks of all databases: another text after every revocation. */
async function readMarks(context: Pick<Platform, "databases">): Promise<string> {
	return (await askAll(context, ({ db }) => readMark(db))).join(" ");
}

/** D1 reserves a number before it is published: a published one above D1's tells that D1 was put back. */
async function compareWithD1(
	{ directory, pki, clock, authority }: UnitingContext & Pick<Platform, "clock">,
	published: PublishedCrl,
): Promise<boolean> {
	const state = await readCrlState(directory, authority.keyId);
	const wasPutBack = published.number > state.number;
	if (wasPutBack) await beginMending({ pki }, { now: clock(), restoredTo: null });
	return wasPutBack;
}

/** @returns the etag of what was published; null where another CRL was meanwhile */
async function buildAfter(
	context: CrlContext,
	published: PublishedCrl | null,
	{ number, mark }: { number: number; mark: string },
): Promise<string | null> {
	const { pki, authority, clock } = context;
	const thisUpdate = Math.max(Math.floor(clock() / 1000) * 1000, published?.thisUpdate ?? 0);
	const nextUpdate = thisUpdate + CRL_VALIDITY_MS;
	const entries = await uniteRevocations(context, published);
	if (entries === null) return null;
	const der = await buildCrl(authority, {
		number,
		thisUpdate: new Date(thisUpdate),
		nextUpdate: new Date(nextUpdate),
		entries,
	});
	return replaceCrl(pki, crlKey(authority), published, { number, thisUpdate, nextUpdate, mark, der });
}

/** Tells D1 what the last CRL of an authority without a key lists, which a restore may have taken away. */
async function heedCeremonyCrl(context: UnitingContext & Pick<Platform, "clock">): Promise<void> {
	const published = await findPublishedCrl(context.pki, crlKey(context.authority));
	if (!published) return;
	await compareWithD1(context, published);
	await enterPublished(context);
}
