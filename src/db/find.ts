import type { ProductCode } from "../domain/products.ts";
import { LISTED_COLUMNS, type ListedCode } from "./list-purchase-codes.ts";
import { type OwnCertificate, selectCertificatesOfHolder, selectOwnCertificate } from "./own-codes.ts";
import { batch, type DatabaseDb, LIVES_HERE, named, PARTNER_LIVES_HERE, type PartnerDb } from "./query.ts";

/*
 * Things by what a person knows of them, each by an index (docs/decisions/0022-finding-things.md). Written by hand: drizzle cannot
 * prescribe an index (INDEXED BY).
 */

/** Things of a kind that are shown; one more is read, to know that there are more. */
export const FOUND_MAX = 10;
const READ = FOUND_MAX + 1;

/** Rows found; null where the text cannot be such a thing. */
type Found<Row> = readonly Row[] | null;

export interface FoundOwn {
	codes: Found<ListedCode>;
	/** Codes of an external reference, in no order. */
	referenced: Found<ListedCode>;
	batches: Found<{ id: string; product: ProductCode; quantity: number }>;
	ofSerial: Found<OwnCertificate>;
	ofRut: Found<OwnCertificate>;
}

interface SoughtOwn {
	partnerId: string;
	/** The text as it is. */
	text: string;
	/** The first symbols of a code, or all of them, canonical. */
	prefix: string | null;
	serial: string | null;
	/** Index of a RUT. */
	rutIndex: string | null;
}

/** A partner's things, at most eleven of a kind; one round trip. @throws {Unavailable} */
export async function findOwnThings(db: PartnerDb, sought: SoughtOwn): Promise<FoundOwn> {
	const { partnerId, text, prefix, serial, rutIndex } = sought;
	return batch(db, {
		codes: prefix === null ? null : selectByPrefix<ListedCode>(LISTED_COLUMNS, prefix, partnerId),
		referenced: named<ListedCode>(
			`SELECT ${LISTED_COLUMNS} FROM purchase_codes INDEXED BY purchase_codes_reference
				WHERE partner_id = :partnerId AND external_reference_id = :text LIMIT ${READ}`,
			{ partnerId, text },
		),
		batches: named<{ id: string; product: ProductCode; quantity: number }>(
			`SELECT id, product, last_seq - first_seq + 1 AS quantity FROM batches
				WHERE id = lower(:text) AND partner_id = :partnerId`,
			{ partnerId, text },
		),
		ofSerial: serial === null ? null : selectOwnCertificate(partnerId, serial),
		ofRut:
			rutIndex === null ? null : selectCertificatesOfHolder({ partnerId, rutIndex, after: "", limit: READ }),
	});
}

/**
 * Selects codes by their first symbols, in their order. The index is of all partners' codes: a range of four symbols has one code in
 * 1,048,576 of them, since codes are random.
 */
function selectByPrefix<Row>(columns: string, prefix: string, partnerId: string | null) {
	return named<Row>(
		`SELECT ${columns} FROM purchase_codes INDEXED BY purchase_codes_code
			WHERE code >= :prefix AND code < :end AND ${partnerId === null ? LIVES_HERE : "partner_id = :partnerId"}
			ORDER BY code LIMIT ${READ}`,
		// No symbol is as great as `~`.
		{ prefix, end: `${prefix}~`, ...(partnerId !== null && { partnerId }) },
	);
}

interface FoundPartner {
	id: string;
	name: string;
}

interface OfPartner {
	partnerId: string;
	partnerName: string;
}

const OF_PARTNER =
	"partner_id AS partnerId, (SELECT name FROM partners WHERE id = partner_id) AS partnerName";

export interface FoundAny {
	/** Partner of this id. */
	partner: Found<FoundPartner>;
	/** Partners whose name begins so, without regard to case. */
	partners: Found<FoundPartner>;
	codes: Found<{ code: string } & OfPartner>;
	certificates: Found<{ serial: string } & OfPartner>;
}

/** Things of every partner, for ops, at most eleven of a kind; one round trip. @throws {Unavailable} */
export async function findAnyThings(
	db: DatabaseDb,
	{ text, prefix, serial }: { text: string; prefix: string | null; serial: string | null },
): Promise<FoundAny> {
	return batch(db, {
		partner: named<FoundPartner>(`SELECT id, name FROM partners WHERE id = :text AND ${PARTNER_LIVES_HERE}`, {
			text,
		}),
		partners:
			text === ""
				? null
				: named<FoundPartner>(
						`SELECT id, name FROM partners INDEXED BY partners_name
							WHERE name COLLATE NOCASE >= :text AND name COLLATE NOCASE < :end AND ${PARTNER_LIVES_HERE}
							ORDER BY name COLLATE NOCASE LIMIT ${READ}`,
						{ text, end: `${text}\u{10ffff}` },
					),
		codes:
			prefix === null
				? null
				: selectByPrefix<{ code: string } & OfPartner>(`code, ${OF_PARTNER}`, prefix, null),
		certificates:
			serial === null
				? null
				: named<{ serial: string } & OfPartner>(
						`SELECT serial, ${OF_PARTNER} FROM certificates WHERE serial = :serial AND ${LIVES_HERE}`,
						{ serial },
					),
	});
}
