import { randomBytes, randomUUID } from "node:crypto";
import { wakeDatabase } from "../scripts/local-migrations.ts";
import { PARTNER_TABLES } from "../src/db/partner-tables.ts";
import { claim, createPartner, validateCodes } from "./partner.ts";
import type { BenchService } from "./service.ts";
import { liftEmissionLimit } from "./trace.ts";
import type { Chain } from "./worker/enter-audit.ts";

/** Certificates that are issued for real, and whose rows are repeated. */
const SAMPLES = 20;
/** Codes a batch of statements. */
const CHUNK = 1_000;
/** Milliseconds from one code of a batch to the next, and from its validation to its certificate. */
const APART_MS = 2_000;
const CLAIMED_AFTER_MS = 1_000;

/** A certificate that was issued for real. */
export interface Sample {
	code: string;
	serial: string;
	delivery: string;
	audit: Omit<Chain["entries"][number], "at" | "step">[];
}

interface Code {
	seq: number;
	code: string;
	at: number;
}

/**
 * Gives codes of a stock the rows of certificates: holder, e-mail, leaf, message and audit, with chains and macs that
 * verify, and the stock's batches and usage too. Sealed texts and leaves are those of the samples; serials, indexes and
 * ids are random ones of the real length.
 * @param samples - of another partner of the same database
 * @param all - every code; otherwise those that the stock has as issued @returns how many certificates it made
 */
export async function certifyStock(
	service: BenchService,
	samples: readonly Sample[],
	partnerId: string,
	{ all }: { all: boolean },
): Promise<number> {
	const { db } = service;
	const batches = await select<{ id: string; at: number }>(db, BATCHES, partnerId);
	const ofBatch = (id: string, at: number): Chain => ({
		entity: `batch:${id}`,
		entries: [{ ...CREATED, at }],
	});
	await enter(
		service,
		partnerId,
		batches.map(({ id, at }) => ofBatch(id, at)),
	);
	const [leaves] = await select<{ last: number }>(db, "SELECT max(id) AS last FROM leaves");
	let certificates = 0;
	for (let after = 0; ; ) {
		const codes = await select<Code>(db, CODES, partnerId, after, all ? 1 : 0);
		if (codes.length === 0) break;
		const made = codes.map((code) => ({ ...code, ...draw(samples[code.seq % SAMPLES]!) }));
		const rows = JSON.stringify(made);
		await wakeDatabase(db);
		await db.batch(COPIES.map((text) => db.prepare(text).bind(rows, partnerId, leaves!.last)));
		await enter(
			service,
			partnerId,
			made.map(({ seq, code, at }) => chainOf(samples[seq % SAMPLES]!, code, at)),
		);
		certificates += codes.length;
		after = codes.at(-1)!.seq;
	}
	await wakeDatabase(db);
	await db.batch(USAGE.map((text) => db.prepare(text).bind(partnerId)));
	return certificates;
}

/** Issues certificates of a partner of its own, and waits until their holders' messages are delivered. */
export async function issueSamples(service: BenchService): Promise<Sample[]> {
	const { db } = service;
	await liftEmissionLimit(service);
	const partner = await createPartner(service, { database: 2 });
	const claims = await validateCodes(service, partner, SAMPLES, 900_000);
	for (const one of claims) await claim(service, one);
	const text = `SELECT codes.code, certificate_serial AS serial, outbox.id AS delivery FROM purchase_codes AS codes
		JOIN outbox ON outbox.code = codes.code AND delivered_at IS NOT NULL WHERE codes.partner_id = ?1`;
	let samples = await select<Omit<Sample, "audit">>(db, text, partner.id);
	for (let tries = 0; samples.length < SAMPLES && tries < 60; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		samples = await select(db, text, partner.id);
	}
	if (samples.length < SAMPLES) throw new Error("the samples' messages were not delivered");
	const audit =
		"SELECT version, action, outcome, actor FROM audit_events WHERE entity = 'code:' || ?1 ORDER BY version";
	return Promise.all(samples.map(async (one) => ({ ...one, audit: await select(db, audit, one.code) })));
}

function chainOf({ audit }: Sample, code: string, at: number): Chain {
	const entries = audit.map((entry, i) => ({
		...entry,
		...{ at: at + i * CLAIMED_AFTER_MS, step: randomUUID() },
	}));
	return { entity: `code:${code}`, entries };
}

/** The values of a new certificate that are its own. */
function draw({ code, serial, delivery }: Sample) {
	const index = () => randomBytes(32).toString("base64url");
	const own = { serial: randomBytes(16).toString("hex").toUpperCase(), delivery: randomUUID() };
	return { ...own, rut: index(), email: index(), like: code, likeSerial: serial, likeDelivery: delivery };
}

const BATCHES = "SELECT id, created_at AS at FROM batches WHERE partner_id = ?1";
const CREATED = {
	version: 1,
	action: "created",
	outcome: "500 FV01",
	actor: "ops:token",
	step: null,
} as const;
/** Codes that have no certificate yet. Their times differ, as those of real ones do. */
const CODES = `SELECT seq, code, created_at + (seq % 500) * ${APART_MS} AS at FROM purchase_codes
	WHERE partner_id = ?1 AND seq > ?2 AND (?3 OR facet = 'issued') ORDER BY seq LIMIT ${CHUNK}`;

const MADE = `json_each(?1) AS made`;
const own = (name: string) => `made.value ->> '${name}'`;
const ISSUED_AT = `${own("at")} + ${CLAIMED_AFTER_MS}`;

/** Copies each sample's row of a table, but for these columns. */
function copyOf(name: string, join: string, replaced: Record<string, string>): string {
	const { columns } = PARTNER_TABLES.find((table) => table.name === name)!;
	const values = columns.map((column) => replaced[column] ?? `sample."${column}"`);
	return `INSERT INTO "${name}" ("${columns.join('", "')}") SELECT ${values.join(", ")}
		FROM ${MADE} CROSS JOIN ${join}`;
}

const NOT_AFTER = `${ISSUED_AT} + sample.not_after - sample.issued_at`;
const HOLDER = { partner_id: "?2", rut_index: own("rut"), email_index: own("email") };
const OUTBOX = { partner_id: "?2", id: own("delivery"), code: own("code"), created_at: ISSUED_AT };

/** Bound to the codes as JSON, the partner and the last leaf of before. The `iif` has SQLite look each code up by its key. */
const COPIES = [
	`UPDATE purchase_codes AS codes SET version = 2, validated_at = ${own("at")}, issued_at = ${ISSUED_AT}, updated_at = ${ISSUED_AT},
		certificate_serial = ${own("serial")}, certificate_not_after = ${NOT_AFTER}, bound_rut_index = ${own("rut")}, cancelled_at = NULL,
		blocked_at = NULL, validation_locked_until = NULL, claim_locked_until = NULL, processing_until = NULL
		FROM ${MADE} CROSS JOIN certificates AS sample
		WHERE sample.serial = ${own("likeSerial")} AND codes.partner_id = iif(made.key >= 0, ?2, NULL) AND codes.seq = ${own("seq")} AND ?3 >= 0`,
	copyOf("holders", `holders AS sample ON sample.code = ${own("like")} AND ?3 >= 0`, {
		...{ ...HOLDER, code: own("code"), validated_at: own("at") },
	}),
	copyOf(
		"holder_emails",
		`holders ON holders.code = ${own("like")} JOIN holder_emails AS sample
			ON sample.partner_id = holders.partner_id AND sample.email_index = holders.email_index AND ?3 >= 0`,
		{ ...HOLDER, created_at: own("at") },
	),
	`INSERT INTO leaves (id, sealed) SELECT ?3 + (${own("seq")}), sealed FROM ${MADE} CROSS JOIN certificates AS sample
		ON sample.serial = ${own("likeSerial")} JOIN leaves ON leaves.id = sample.leaf_id AND ?2 <> ''`,
	copyOf("certificates", `certificates AS sample ON sample.serial = ${own("likeSerial")}`, {
		...{ serial: own("serial"), partner_id: "?2", code: own("code"), leaf_id: `?3 + (${own("seq")})` },
		...{ issued_at: ISSUED_AT, not_before: own("at"), not_after: NOT_AFTER },
	}),
	copyOf("outbox", `outbox AS sample ON sample.id = ${own("likeDelivery")} AND ?3 >= 0`, OUTBOX),
	copyOf(
		"delivery_attempts",
		`outbox ON outbox.id = ${own("likeDelivery")} JOIN delivery_attempts AS sample
			ON sample.partner_id = outbox.partner_id AND sample.delivery_id = outbox.id AND ?3 >= 0`,
		{ partner_id: "?2", delivery_id: own("delivery"), at: ISSUED_AT },
	),
];

/** Usage of what the stock's own statements, and the copies, have written without an update of those columns. */
const USAGE = [
	["validated", "validated_at"],
	["emitted", "issued_at"],
	["expired", "certificate_not_after"],
].map(
	([kind, at]) => `INSERT INTO usage_counts (partner_id, block, day, product, kind, n)
		SELECT partner_id, seq >> 14, date(${at} / 1000 - 10800, 'unixepoch'), product, '${kind}', count(*) FROM purchase_codes
		WHERE partner_id = ?1 AND ${at} IS NOT NULL GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET n = excluded.n`,
);

/** Enters chains with hashes and macs, which the Worker computes. */
async function enter({ http }: BenchService, partnerId: string, chains: readonly Chain[]): Promise<void> {
	for (let i = 0; i < chains.length; i += CHUNK) {
		const path = `/bench/enter-audit?partner=${partnerId}`;
		await http.expect(200, { method: "POST", path, body: chains.slice(i, i + CHUNK) });
	}
}

/** Reads rows; once more where the connection had been closed, as `wakeDatabase` does. */
async function select<Row>(db: D1Database, text: string, ...values: (string | number)[]): Promise<Row[]> {
	const read = () =>
		db
			.prepare(text)
			.bind(...values)
			.all<Row>();
	return (await read().catch(read)).results;
}
