import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintMigration, lintMigrations, readReleased } from "../../../scripts/lint-migrations.ts";

const MIGRATIONS = join(import.meta.dirname, "../../../migrations");

function refused(sql: string): string[] {
	return lintMigration("0009_test.sql", sql).map(({ line, statement }) => `${line} ${statement}`);
}

test("the project's own migrations only expand", async () => {
	expect(await lintMigrations(MIGRATIONS, readReleased())).toEqual([]);
});

test("from a release on, its migrations are neither edited nor removed; new ones are added", async () => {
	const first = await readFile(join(MIGRATIONS, "0000_first.sql"), "utf8");
	const refused = async (...released: [string, string][]) =>
		(await lintMigrations(MIGRATIONS, new Map(released))).map(({ file, why }) => `${file} ${why}`);
	expect(await refused(["0000_first.sql", first])).toEqual([]);
	const why = "is not as it was released: databases have it already";
	expect(await refused(["0000_first.sql", `${first}\n`], ["9999_gone.sql", ""])).toEqual([
		`0000_first.sql ${why}`,
		`9999_gone.sql ${why}`,
	]);
});

test.each([
	["DROP TABLE partners"],
	["drop  table\n if exists `partners`"],
	["DROP VIEW codes"],
	["ALTER TABLE partners DROP COLUMN name"],
	["ALTER TABLE `partners` DROP name"],
	["ALTER TABLE partners RENAME TO customers"],
	["ALTER TABLE partners RENAME COLUMN name TO title"],
	["ALTER TABLE `partners` ADD `mode` text NOT NULL"],
	["DELETE FROM holders"],
	["REPLACE INTO partners VALUES (1)"],
	["INSERT OR REPLACE INTO partners VALUES (1)"],
	["UPDATE partners SET name = 'x'"],
	["CREATE UNIQUE INDEX `i` ON `partners` (`name`)"],
	["CREATE TABLE copy AS SELECT * FROM partners"],
	["PRAGMA foreign_keys=OFF"],
	["BEGIN TRANSACTION"],
	["/* harmless */ DROP TABLE partners"],
	["CREATE TABLE fine (id text);\n--> statement-breakpoint\nDROP TABLE partners"],
])("refused: %s", (sql) => {
	expect(refused(sql)).toHaveLength(1);
	expect(refused(`${sql};`)).toHaveLength(1);
});

test.each([
	["CREATE TABLE `new` (`id` text PRIMARY KEY NOT NULL)"],
	["CREATE TABLE `new` (`id` text);\nCREATE UNIQUE INDEX `i` ON `new` (`id`)"],
	["CREATE INDEX `i` ON `partners` (`name`)"],
	["ALTER TABLE `partners` ADD `mode` text"],
	["ALTER TABLE `partners` ADD `mode` text DEFAULT 'a' NOT NULL"],
	["ALTER TABLE `p` ADD COLUMN `v` text GENERATED ALWAYS AS (1) VIRTUAL NOT NULL"],
	["DROP INDEX `i`"],
	[
		"DROP TRIGGER t;\nCREATE TRIGGER t AFTER UPDATE ON p BEGIN UPDATE c SET n = 1; DELETE FROM c WHERE n = 0; END;",
	],
	["INSERT INTO state VALUES (1, 'DROP TABLE partners; DELETE FROM x')"],
	["UPDATE partners SET mode = 'B2C' WHERE mode IS NULL"],
	["-- DROP TABLE partners;\nCREATE INDEX i ON partners (name) -- DELETE FROM x"],
	["PRAGMA optimize"],
	[""],
])("allowed: %s", (sql) => {
	expect(refused(sql)).toEqual([]);
});

test("a refusal names the line", () => {
	expect(refused("-- first\nCREATE TABLE a (id text);\n\nDROP TABLE b;\nDELETE FROM c;")).toEqual([
		"4 DROP TABLE b",
		"5 DELETE FROM c",
	]);
});
