import { beginCrl, countRevocations, endCrl, pageRevoked } from "../db/crl-state.ts";
import type { Db } from "../db/query.ts";
import type { Platform } from "../platform.ts";
import { askBucket } from "../secrets/bucket.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { buildCrl, CrlEntries } from "../x509/crl.ts";
import type { IssuingAuthority } from "../x509/issuing-authority.ts";
import {
	CRL_REBUILD_MS,
	CRL_TURN_MS,
	CRL_VALIDITY_MS,
	ENTRY_OVERLAP_MS,
	LONGEST_VALIDITY_MS,
} from "./validity.ts";

export type CrlContext = Pick<Platform, "db" | "pki" | "clock"> & {
	/** Issuer of the CRL. */
	authority: Pick<IssuingAuthority, "signer" | "subject" | "subjectKeyId" | "keyId">;
};

/** The published CRL's metadata. Times in epoch milliseconds. */
export interface PublishedCrl {
	number: number;
	thisUpdate: number;
	nextUpdate: number;
	/** Number of all revocations ever when it was built. */
	revocations: number;
	etag: string;
}

const TRIES = 5;
const PAGE_SIZE = 5_000;

/**
 * {@link refreshCrl} of every authority whose key is here, for the cron and for after the answer to a revocation. Never
 * throws: the next cron repeats what fails now.
 */
export async function keepCrlFresh(platform: Platform): Promise<void> {
	for (const { signer, ...authority } of platform.authorities) {
		try {
			if (signer) await refreshCrl({ ...platform, authority: { ...authority, signer } });
		} catch (error) {
			log("error", "crl_not_refreshed", { key_id: authority.keyId, ...describeError(error) });
		}
	}
}

/**
 * Publishes a CRL when the published one lacks a revocation or is old. Safe to call concurrently: one caller builds,
 * the others return, and the builder checks for new revocations before it finishes.
 *
 * A CRL replaces only the one that was published before its number was taken and its first row was read, so that
 * numbers and entries never go back.
 */
export async function refreshCrl(context: CrlContext): Promise<PublishedCrl | null> {
	const { db, pki, authority, clock } = context;
	const key = crlKey(authority);
	const { keyId } = authority;
	for (let attempt = 0; ; attempt++) {
		const published = await findPublishedCrl(pki, key);
		if (published && (await isFresh(db, keyId, published, clock()))) return published;
		if (attempt === TRIES) return published;
		const until = clock() + CRL_TURN_MS;
		const turn = await beginCrl(db, { keyId, published: published?.number ?? 0, now: clock(), until });
		if (turn === null) return published;
		try {
			await buildAfter(context, key, published, turn);
		} finally {
			await endCrl(db, keyId, until);
		}
	}
}

async function isFresh(db: Db, keyId: string, published: PublishedCrl, now: number): Promise<boolean> {
	if (now >= published.thisUpdate + CRL_REBUILD_MS) return false;
	return published.revocations === (await countRevocations(db, keyId));
}

async function buildAfter(
	{ db, pki, authority, clock }: CrlContext,
	key: string,
	published: PublishedCrl | null,
	{ number, revocations }: { number: number; revocations: number },
): Promise<void> {
	const thisUpdate = Math.max(Math.floor(clock() / 1000) * 1000, published?.thisUpdate ?? 0);
	const nextUpdate = thisUpdate + CRL_VALIDITY_MS;
	const entries = await collectEntries(db, authority.keyId, published?.thisUpdate ?? 0);
	const der = await buildCrl(authority, {
		number,
		thisUpdate: new Date(thisUpdate),
		nextUpdate: new Date(nextUpdate),
		entries,
	});
	await replaceCrl(pki, key, published, { number, thisUpdate, nextUpdate, revocations, der });
}

/** An entry is left out once the CRL before this one was issued long enough after its certificate's end. */
async function collectEntries(db: Db, keyId: string, previousUpdate: number): Promise<CrlEntries> {
	const entries = new CrlEntries();
	const until = previousUpdate - ENTRY_OVERLAP_MS;
	for (let after = ""; ; ) {
		const page = await pageRevoked(db, {
			keyId,
			after,
			until,
			assumedValidity: LONGEST_VALIDITY_MS,
			size: PAGE_SIZE,
		});
		for (const row of page) entries.add(row.serial, row.revokedAt, row.revocationReason);
		const last = page.at(-1);
		if (!last || page.length < PAGE_SIZE) return entries;
		after = last.serial;
	}
}

/** The bucket's key for the CRL of an authority's key: another key's CRL would not verify. */
export function crlKey({ keyId }: { keyId: string }): string {
	return `crl/${keyId}.crl`;
}

/** The published CRL, or null before the first. @throws {Unavailable} */
export async function findPublishedCrl(bucket: R2Bucket, key: string): Promise<PublishedCrl | null> {
	const object = await askBucket(bucket.head(key));
	return object && describeCrl(object);
}

/** A CRL that was signed at a ceremony and uploaded by hand has no metadata: it is served unchanged. */
export function describeCrl({ customMetadata = {}, etag, uploaded }: R2Object): PublishedCrl {
	const { number = 0, thisUpdate, nextUpdate = Infinity, revocations = -1 } = customMetadata;
	return {
		number: Number(number),
		thisUpdate: Number(thisUpdate ?? Math.floor(uploaded.getTime() / 1000) * 1000),
		nextUpdate: Number(nextUpdate),
		revocations: Number(revocations),
		etag,
	};
}

/** Replaces the CRL that this one was built after, unless another has replaced it meanwhile. @throws {Unavailable} */
async function replaceCrl(
	bucket: R2Bucket,
	key: string,
	previous: PublishedCrl | null,
	next: Omit<PublishedCrl, "etag"> & { der: Uint8Array },
): Promise<void> {
	const { der, ...facts } = next;
	await askBucket(
		bucket.put(key, der, {
			onlyIf: previous ? { etagMatches: previous.etag } : { etagDoesNotMatch: "*" },
			customMetadata: Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)])),
		}),
	);
}
