import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { git, newestRelease } from "./newest-release.ts";

/*
 * Migrations expand only: during a gradual deployment, and after a rollback, the older code reads the newer schema.
 * A statement that would take something away from it is refused here. The first migration may be edited until the first
 * release is tagged; from then on an edit of any that a release has is refused.
 *
 *   node scripts/lint-migrations.ts [folder]      (default: migrations)
 */

export interface Refusal {
	file: string;
	/** Counted from 1. */
	line: number;
	statement: string;
	why: string;
}

interface Rule {
	pattern: RegExp;
	why: string;
}

const IDENTIFIER = '(?:`[^`]+`|"[^"]+"|\\[[^\\]]+\\]|\\w+)';

/** Statements that make the previous deployment fail. Matched one by one without comments or literals. */
const RULES: readonly Rule[] = [
	{ pattern: /^DROP (TABLE|VIEW)\b/i, why: "drops what the code of before may read" },
	{ pattern: /^ALTER TABLE .* DROP\b/i, why: "drops a column that the code of before may read" },
	{ pattern: /^ALTER TABLE .* RENAME\b/i, why: "renames what the code of before calls by its old name" },
	{
		pattern: new RegExp(
			`^ALTER TABLE ${IDENTIFIER} ADD (?:COLUMN )?(?=.*\\bNOT NULL\\b)(?!.*\\bDEFAULT\\b)(?!.*\\bGENERATED\\b)`,
			"i",
		),
		why: "adds a column that the code of before does not fill: give it a DEFAULT, or let it be NULL",
	},
	{ pattern: /^(DELETE|TRUNCATE)\b/i, why: "deletes rows: retention does that, audited" },
	{ pattern: /^REPLACE\b|^INSERT OR REPLACE\b/i, why: "replaces rows" },
	{
		pattern: /^UPDATE\b(?!.*\bWHERE\b)/i,
		why: "rewrites every row at once: D1 answers no other call meanwhile",
	},
	{
		pattern: /^CREATE UNIQUE INDEX\b/i,
		why: "may refuse what the code of before writes; on a table of the same migration it is free",
	},
	{ pattern: /^CREATE TABLE \S+ AS\b/i, why: "copies a table: the second half of a rebuild" },
	{ pattern: /^PRAGMA\b(?! (optimize|defer_foreign_keys)\b)/i, why: "changes how D1 checks" },
	{
		pattern: /^(ATTACH|VACUUM|BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/i,
		why: "is not for a migration: D1 refuses it",
	},
];

/** Statements that look destructive and take nothing away. */
const ALLOWED: readonly RegExp[] = [/^DROP (INDEX|TRIGGER)\b/i];

/** @returns what is refused in one file, in its order. */
export function lintMigration(file: string, sql: string): Refusal[] {
	const created = new Set<string>();
	const refusals: Refusal[] = [];
	for (const { text, line } of splitStatements(sql)) {
		const table = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?(${IDENTIFIER})`, "i").exec(text)?.[1];
		if (table) created.add(bare(table));
		if (ALLOWED.some((pattern) => pattern.test(text))) continue;
		const rule = RULES.find(({ pattern }) => pattern.test(text));
		if (!rule || isOnNewTable(text, created)) continue;
		refusals.push({ file, line, statement: text.slice(0, 120), why: rule.why });
	}
	return refusals;
}

/** A new table has no rows that the index could refuse. */
function isOnNewTable(text: string, created: ReadonlySet<string>): boolean {
	const on = new RegExp(`^CREATE UNIQUE INDEX .*? ON (${IDENTIFIER})`, "i").exec(text)?.[1];
	return on !== undefined && created.has(bare(on));
}

function bare(identifier: string): string {
	return identifier.replace(/^[`"[]|[`"\]]$/g, "").toLowerCase();
}

/**
 * Statements without comments, literals blanked, white space as single spaces. A trigger's body stays within its
 * statement: what it does is done at run time, by rows that the code writes.
 */
function splitStatements(sql: string): { text: string; line: number }[] {
	const plain = sql
		.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "))
		.replace(/'(?:[^']|'')*'/g, (literal) => `'${literal.slice(1, -1).replace(/[^\n]/g, "_")}'`);
	const statements: { text: string; line: number }[] = [];
	let start = 0;
	for (let end = plain.indexOf(";"); end !== -1; end = plain.indexOf(";", end + 1)) {
		const raw = plain.slice(start, end);
		const text = raw.trim().replace(/\s+/g, " ");
		if (/^CREATE (TEMP |TEMPORARY )?TRIGGER\b/i.test(text) && !/\bEND$/i.test(text)) continue;
		if (text !== "")
			statements.push({ text, line: lineOf(plain, start + (raw.length - raw.trimStart().length)) });
		start = end + 1;
	}
	const rest = plain.slice(start).trim().replace(/\s+/g, " ");
	if (rest !== "")
		statements.push({ text: rest, line: lineOf(plain, plain.indexOf(rest.split(" ")[0]!, start)) });
	return statements;
}

function lineOf(text: string, offset: number): number {
	return text.slice(0, offset).split("\n").length;
}

/** Text of each migration of a release, by file. */
type Released = ReadonlyMap<string, string>;

/** Reads the migrations of the newest release; none before the first. */
export function readReleased(): Released {
	const tag = newestRelease();
	const paths = tag === null ? [] : git("ls-tree", "--name-only", tag, "migrations/").trim().split("\n");
	const files = paths.filter((path) => path.endsWith(".sql"));
	return new Map(files.map((path) => [basename(path), git("show", `${tag}:${path}`)]));
}

/** Lints a folder; also refuses a gap or a repeat in the numbering, and what differs from the newest release. */
export async function lintMigrations(folder: string, released: Released): Promise<Refusal[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
	const misnumbered = files.flatMap((file, i): Refusal[] =>
		Number(file.slice(0, 4)) === i
			? []
			: [{ file, line: 1, statement: file, why: `is not number ${i}: numbers have no gaps and no repeats` }],
	);
	const texts = new Map<string, string>();
	for (const file of files) texts.set(file, await readFile(join(folder, file), "utf8"));
	const edited = [...released].flatMap(([file, text]): Refusal[] =>
		texts.get(file) === text
			? []
			: [{ file, line: 1, statement: file, why: "is not as it was released: databases have it already" }],
	);
	return [...misnumbered, ...edited, ...[...texts].flatMap(([file, text]) => lintMigration(file, text))];
}

if (import.meta.main) {
	const folder = process.argv[2] ?? join(import.meta.dirname, "..", "migrations");
	const refusals = await lintMigrations(folder, readReleased());
	for (const { file, line, statement, why } of refusals)
		console.error(`${file}:${line}: ${why}\n    ${statement}`);
	if (refusals.length > 0) process.exitCode = 1;
}
