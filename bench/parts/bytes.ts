import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DATABASE_HIGH, DATABASE_MAX } from "../../src/domain/limits.ts";
import { certifyStock, issueSamples } from "../certified-stock.ts";
import { sizeOf } from "../local-db.ts";
import { compare, type Part, type Table } from "../measure.ts";
import { createPartner } from "../partner.ts";
import { startService } from "../service.ts";
import { seedStock } from "../stock.ts";

const FULL = 1_000_000_000;
const QUICK = 50_000_000;
/** Bytes that a certificate takes at most, by decision 9. */
const SAID = 4_600;

interface Filled {
	certificates: number;
	partners: number;
	/** `size_after` of the empty database, and of the full one. */
	empty: number;
	bytes: number;
}

/** Fills a database with certificates, each of a code of its own, and reads what each table and its indexes take. */
export const measureBytes: Part = async ({ quick }) => {
	const folder = await mkdtemp(join(tmpdir(), "bench-bytes-"));
	try {
		const filled = await fill(folder, quick);
		const { certificates, partners, empty, bytes } = filled;
		const each = (bytes - empty) / certificates;
		const sizes = await sizeTables(folder);
		const room = (of: number) => Math.floor((of - empty) / each).toLocaleString("en");
		const heading = `${(bytes / 1e9).toFixed(2)} GB of ${partners} partners, ${certificates.toLocaleString("en")} certificates: ${each.toFixed(0)} bytes each`;
		return {
			measures: [
				compare({
					...{ name: "bytes a certificate takes / what decision 9 says", unit: "KiB" },
					...{ ours: each / 1024, base: SAID / 1024, aim: { atMost: 1 } },
				}),
			],
			tables: [
				describeTables(heading, sizes, filled),
				{
					heading: "Certificates that a database holds, extrapolated",
					columns: ["", "bytes", "certificates"],
					rows: [
						["closed to new partners", DATABASE_HIGH * DATABASE_MAX],
						["full", DATABASE_MAX],
					].map(([name, of]) => [String(name), Number(of).toLocaleString("en"), room(Number(of))]),
				},
			],
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
};

/** Fills `DB_2` partner by partner, until its size says that it is enough. */
async function fill(folder: string, quick: boolean): Promise<Filled> {
	const service = await startService({ folder });
	try {
		const empty = await sizeOf(service.db);
		const samples = await issueSamples(service);
		const filled = { certificates: samples.length, partners: 1, empty, bytes: 0 };
		while (filled.bytes < (quick ? QUICK : FULL)) {
			const partner = await createPartner(service, { database: 2 });
			await seedStock(service.db, partner.id, quick ? 2_500 : 20_000, Date.now());
			filled.certificates += await certifyStock(service, samples, partner.id, { all: true });
			filled.partners++;
			filled.bytes = await sizeOf(service.db);
		}
		return filled;
	} finally {
		await service.stop();
	}
}

interface TableSize {
	name: string;
	/** Pages of its rows, and of its indexes. */
	own: number;
	indexes: number;
}

/** Bytes of each table, the largest first, in the largest database of the folder, which nobody has open. */
async function sizeTables(folder: string): Promise<TableSize[]> {
	const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".sqlite"));
	const files = await Promise.all(
		names.map(async (name) => ({ path: join(folder, name), size: (await stat(join(folder, name))).size })),
	);
	const [largest] = files.toSorted((a, b) => b.size - a.size);
	const file = new DatabaseSync(largest!.path);
	try {
		return file
			.prepare(
				`SELECT coalesce(tbl_name, dbstat.name) AS name, sum(iif(type = 'index', 0, pgsize)) AS own,
					sum(iif(type = 'index', pgsize, 0)) AS indexes
				FROM dbstat LEFT JOIN sqlite_schema ON sqlite_schema.name = dbstat.name WHERE aggregate = TRUE
				GROUP BY 1 ORDER BY sum(pgsize) DESC`,
			)
			.all() as unknown as TableSize[];
	} finally {
		file.close();
	}
}

/** The tables that take one byte in a hundred, and the others together. */
function describeTables(heading: string, sizes: TableSize[], { certificates, bytes }: Filled): Table {
	const isLarge = ({ own, indexes }: TableSize) => own + indexes >= bytes / 100;
	const others = sizes.filter((size) => !isLarge(size));
	const sum = (of: "own" | "indexes") => others.reduce((all, size) => all + size[of], 0);
	const rest = { name: `${others.length} others`, own: sum("own"), indexes: sum("indexes") };
	const megabytes = (value: number) => (value / 1e6).toFixed(1);
	return {
		heading,
		columns: ["table", "rows, MB", "indexes, MB", "bytes a certificate"],
		rows: [...sizes.filter(isLarge), rest].map(({ name, own, indexes }) => [
			name,
			...[own, indexes].map(megabytes),
			((own + indexes) / certificates).toFixed(0),
		]),
	};
}
