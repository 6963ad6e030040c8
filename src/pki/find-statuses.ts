import { findStatusFacts, type StatusFacts } from "../db/certificates.ts";
import { selectPublishedRevocations } from "../db/crl-state.ts";
import { query } from "../db/query.ts";
import { findHomeOfSerial } from "../directory.ts";
import { DIRECTORY } from "../domain/database-names.ts";
import type { Platform, PublishedAuthority } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { addPublished, isDoubted } from "./while-mending.ts";

interface FoundStatuses {
	facts: StatusFacts[];
	/** Serials whose database is silent or was put back; of a number without a partner, that is the directory's. */
	doubted: ReadonlySet<string>;
}

/**
 * Finds what OCSP states of one authority's certificates. Each serial carries its partner's number, and the directory has that
 * partner's database. A revocation that a published CRL had stands before what the certificate's row says.
 * @throws {Unavailable} when the directory does not answer
 */
export async function findStatuses(
	platform: Platform,
	authority: PublishedAuthority,
	serials: readonly string[],
): Promise<FoundStatuses> {
	const { keyId } = authority;
	const [published, places] = await Promise.all([
		query(selectPublishedRevocations(platform.directory, keyId, serials)),
		Promise.all(
			serials.map(async (serial) => {
				const home = await findHomeOfSerial(platform, serial);
				return { serial, database: home?.database.number ?? null };
			}),
		),
	]);
	const doubted = new Set<string>();
	const stated = new Map<string, StatusFacts>();
	const ask = async (number: number | null, own: readonly string[]) => {
		const database = platform.databases.find((one) => one.number === number);
		const [facts, isInDoubt] = await Promise.all([
			database ? findStatusFacts(database.db, keyId, own).catch(noteSilence) : number === null ? [] : null,
			isDoubted(platform, number ?? DIRECTORY),
		]);
		for (const one of facts ?? []) stated.set(one.serial, one);
		if (facts === null || isInDoubt) for (const serial of own) doubted.add(serial);
	};
	const byDatabase = Map.groupBy(places, ({ database }) => database);
	await Promise.all(
		[...byDatabase].map(([number, own]) =>
			ask(
				number,
				own.map(({ serial }) => serial),
			),
		),
	);
	for (const one of published) stated.set(one.serial, { issuedAt: null, ...one });
	const facts = [...stated.values()];
	if (doubted.size === 0) return { facts, doubted };
	return { facts: await addPublished(platform, authority, [...doubted], facts), doubted };
}

function noteSilence(error: unknown): null {
	log("error", "ocsp_unavailable", { ...describeError(error) });
	return null;
}
