import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { discardOutdatedState } from "../../../scripts/discard-outdated-state.ts";

let folder: string;
let state: string;
let migrations: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "state-"));
	state = join(folder, ".wrangler", "state");
	migrations = join(folder, "migrations");
	await mkdir(migrations);
	await writeFile(join(migrations, "0000_first.sql"), "CREATE TABLE a (id)");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const discard = () => discardOutdatedState(state, migrations);

/** Leaves what a start leaves: the databases, and the demo partner's keys. */
async function use(): Promise<void> {
	await mkdir(join(state, "v3", "d1"), { recursive: true });
	await writeFile(join(state, "demo-partner.json"), "{}");
}

test("a first start discards nothing, nor does the next one, nor one with a migration more", async () => {
	expect(await discard()).toBe(false);
	await use();
	expect(await discard()).toBe(false);
	await writeFile(join(migrations, "0001_more.sql"), "CREATE TABLE b (id)");
	expect(await discard()).toBe(false);
	expect(await readdir(state)).toEqual(["demo-partner.json", "migrations.json", "v3"]);
});

test.each<[string, () => Promise<void>]>([
	["has another text", () => writeFile(join(migrations, "0000_first.sql"), "CREATE TABLE a (id, name)")],
	["is gone", () => rm(join(migrations, "0000_first.sql"))],
	["was never noted", () => rm(join(state, "migrations.json"))],
	["is noted in no JSON", () => writeFile(join(state, "migrations.json"), "{")],
])("databases whose migration %s are discarded whole, once", async (_, change) => {
	await discard();
	await use();
	await change();
	expect(await discard()).toBe(true);
	expect(await readdir(state)).toEqual(["migrations.json"]);
	await use();
	expect(await discard()).toBe(false);
});
