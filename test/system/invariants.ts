import { DAY_MS } from "../../src/domain/durations.ts";

/*
 * Invariants 1 to 3 of docs/contributors/architecture.md, and the widget's part of the 4th, over a snapshot of what the service stored, and what was seen from outside.
 * The crash run and the fault runs each collect both in their own way. Imports nothing of either runtime: one runs in Node, one in workerd.
 */

/** Rows as D1 has them. Times in epoch milliseconds of the service's clock. */
export interface Stored {
	/** Codes by purchase code. */
	codes: ReadonlyMap<string, CodeRow>;
	certificates: readonly CertificateRow[];
	evidence: readonly { code: string; object_key: string }[];
	/** Keys of the pictures in the bucket. */
	pictures: ReadonlySet<string>;
}

export interface SessionRow {
	id: string;
	partner_id: string;
	code: string;
	created_at: number;
	started_at: number | null;
	until_at: number;
	validated_at: number | null;
	completed_at: number | null;
	ended_at: number | null;
	end_reason: string | null;
}

export interface CodeRow {
	partner_id: string;
	code: string;
	batch_id: string;
	validated_at: number | null;
	issued_at: number | null;
	certificate_serial: string | null;
	cancelled_at: number | null;
	blocked_at: number | null;
	validation_locked_until: number | null;
	validation_blocked_at: number | null;
	claim_locked_until: number | null;
	processing_until: number | null;
	onboarding_until: number | null;
	external_reference_id: string | null;
}

export interface CertificateRow {
	serial: string;
	partner_id: string;
	code: string;
	issued_at: number | null;
	revoked_at: number | null;
	/** Whether its sealed leaf is there. */
	has_leaf: boolean | number;
}

/** Facts seen from outside, by answer, webhook or e-mail. */
export interface Seen {
	left: readonly { code: string; serial: string | null; pfx?: string | null }[];
	signed: Iterable<string>;
	/** Certificates that ops may have revoked. */
	revokedByOps: ReadonlySet<string>;
	answers: readonly SeenAnswer[];
}

interface SeenAnswer {
	kind: string;
	code: string | null;
	partnerId: string;
	status: number;
	// biome-ignore lint/suspicious/noExplicitAny: an answer is what the service says; the checks look into it
	body: any;
}

/** @returns a line for each promise found broken, which begins with the invariant's number. */
export function checkStored(stored: Stored, seen: Seen): string[] {
	return [
		...checkOneCertificate(stored, seen),
		...checkEntered(stored, seen),
		...seen.answers.flatMap((answer) => checkAcknowledged(stored, answer)),
		...checkPictures(stored),
	];
}

/** Invariant 1: at most one certificate of a code ever left, its code names it and reads EMITTED. */
function checkOneCertificate({ codes }: Stored, { left }: Seen): string[] {
	return [...Map.groupBy(left, ({ code }) => code)].flatMap(([code, ofCode]) => {
		const row = codes.get(code);
		const serials = new Set(ofCode.map(({ serial }) => serial).filter((serial) => serial !== null));
		const files = new Set(ofCode.map(({ pfx }) => pfx).filter((pfx) => pfx != null));
		const broken: string[] = [];
		if (serials.size > 1 || files.size > 1)
			broken.push(`1: ${code}: ${Math.max(serials.size, files.size)} certificates have left`);
		if (!row || row.issued_at === null) broken.push(`1: ${code}: one left, and it does not read EMITTED`);
		for (const serial of serials)
			if (row?.certificate_serial !== serial)
				broken.push(`1: ${code}: ${serial} left, and it names ${row?.certificate_serial}`);
		return broken;
	});
}

/** Invariant 2: every serial that was signed is entered; revoked unless its code names it. */
function checkEntered({ codes, certificates }: Stored, { signed, revokedByOps }: Seen): string[] {
	const entered = new Set(certificates.map(({ serial }) => serial));
	const broken = [...signed]
		.filter((serial) => !entered.has(serial))
		.map((serial) => `2: ${serial} was signed and is not entered`);
	for (const { serial, code, revoked_at, issued_at } of certificates) {
		const row = codes.get(code);
		const isOfCode = row?.certificate_serial === serial && issued_at !== null;
		if (!isOfCode && revoked_at === null)
			broken.push(`${issued_at === null ? 2 : 1}: ${serial} is good, and ${code} does not name it`);
		const mayBeRevoked = row?.cancelled_at !== null || revokedByOps.has(serial);
		if (isOfCode && revoked_at !== null && !mayBeRevoked)
			broken.push(`1: ${serial} of ${code} is revoked, and nobody revoked it`);
	}
	return broken;
}

/** Invariant 3: what an answer said has happened is stored, and stays so. */
function checkAcknowledged(stored: Stored, { kind, code, partnerId, status, body }: SeenAnswer): string[] {
	const row = stored.codes.get(code ?? "");
	const says = `3: ${code}: ${kind} answered ${status}, and`;
	switch (`${kind} ${status}`) {
		case "bulk 201":
			return missingCodes(stored, partnerId, body.data);
		case "request 200": {
			const serial = body.data.certificate?.serialNumber;
			return [
				...(row?.validated_at == null ? [`${says} it is not validated`] : []),
				...(serial === undefined
					? []
					: missingCertificate(stored, row, serial).map((what) => `${says} ${what}`)),
			];
		}
		case "claim 200":
			return missingCertificate(stored, row, body.data.serialNumber).map((what) => `${says} ${what}`);
		case "claim 201":
			return row?.issued_at == null ? [`${says} it is not emitted`] : [];
		case "cancel 200":
			return row?.cancelled_at == null ? [`${says} it is not cancelled`] : [];
		default:
			return [];
	}
}

function missingCodes(
	{ codes }: Stored,
	partnerId: string,
	data: { batchId: string; pcodes: string[] },
): string[] {
	const { batchId, pcodes } = data;
	const there = [...codes.values()].filter(({ batch_id }) => batch_id === batchId);
	const lost = pcodes.filter(
		(code) => !there.some((row) => row.code === code && row.partner_id === partnerId),
	);
	return [
		...lost.map((code) => `3: ${code} of the acknowledged ${batchId} is missing`),
		...(there.length === pcodes.length
			? []
			: [`3: ${batchId} has ${there.length} codes, not ${pcodes.length}`]),
	];
}

function missingCertificate({ certificates }: Stored, row: CodeRow | undefined, serial: string): string[] {
	const entry = certificates.find((certificate) => certificate.serial === serial);
	const isEntered = entry?.code === row?.code && entry?.issued_at != null && Boolean(entry?.has_leaf);
	if (row?.issued_at == null || row.certificate_serial !== serial)
		return [`its code does not name ${serial}`];
	return isEntered ? [] : [`the certificate ${serial} is not entered`];
}

/** Invariant 3 of pictures: one that the database names is in the bucket. */
function checkPictures({ evidence, pictures }: Stored): string[] {
	return evidence
		.filter(({ object_key }) => !pictures.has(object_key))
		.map(({ code, object_key }) => `3: the picture ${object_key} of ${code} is gone`);
}

/** Whether a session's holder is under way: started, not over, nothing validated. */
export function isUnderWay(
	{ started_at, validated_at, ended_at, until_at }: SessionRow,
	now: number,
): boolean {
	return started_at !== null && validated_at === null && ended_at === null && until_at > now;
}

/** Invariant 4 of the widget: a code is in onboarding for as long as the session that is under way, and no longer. */
export function checkOnboarding(
	codes: Iterable<CodeRow>,
	sessions: readonly SessionRow[],
	now: number,
): string[] {
	const underWay = sessions.filter((session) => isUnderWay(session, now));
	const ends = new Map(underWay.map(({ code, until_at }) => [code, until_at]));
	return [...codes].flatMap(({ code, onboarding_until }) => {
		const until = ends.get(code) ?? null;
		const read = onboarding_until !== null && onboarding_until > now ? onboarding_until : null;
		return read === until
			? []
			: [`4: ${code} reads onboarding until ${read}, its session lasts until ${until}`];
	});
}

/** Answers of a holder that a code's object keeps, and until when. */
export interface KeptProgress {
	code: string;
	session: string;
	until: number;
}

/** A step's success is written to the object before D1 has it: a lease apart at most. Milliseconds. */
const APART_MS = 60_000;
/** Time in which a new session may be opened. The object may not know yet that it was. */
const OPENS_MS = DAY_MS;

/** Checks that a code's object keeps progress only of the code's session, and no longer than it lasts. */
export function checkKept(kept: readonly KeptProgress[], sessions: readonly SessionRow[]): string[] {
	const rows = new Map(sessions.map((row) => [row.id, row]));
	return kept.flatMap(({ session, code, until }) => {
		const row = rows.get(session);
		if (row?.code !== code) return [`4: the object of ${code} keeps ${session}, which is no session of it`];
		const longer = until - Math.max(row.until_at + APART_MS, row.created_at + OPENS_MS);
		return longer > 0 ? [`4: the object of ${code} keeps ${session} ${longer} ms longer than it lasts`] : [];
	});
}
