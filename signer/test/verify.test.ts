import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { frameSigned } from "../../src/x509/signatures.ts";
import { approve, openStops } from "../src/orders.ts";
import { type Entry, hashEntry, Register } from "../src/register.ts";
import { verifySigner } from "../src/verify.ts";
import { crlOf, DAY_MS, keyOf, leafOf, NOW, startSigner, type TestSigner } from "./fixture.ts";

const REVOKED = "4A".repeat(16);

/** A signer that signed three leaves and a CRL, was stopped and lifted, with what D1 has of it. */
async function startWithHistory() {
	const signer = await startSigner();
	const exported: Parameters<typeof verifySigner>[0]["exported"] & object = [];
	for (let i = 0; i < 3; i++) {
		const tbs = await leafOf(signer);
		const { entry, head, signature } = (await signer.ask("certificates", tbs)).body;
		const serial = signer.register.find("n", entry)!.serial!;
		const leaf = frameSigned(signer.worker.signer, tbs, Buffer.from(signature, "base64"));
		const hex = Buffer.from(leaf).toString("hex");
		exported.push({ serial, handed_out: 1, signer_entry: entry, signer_head: head, leaf: hex });
	}
	await signer.ask("crls", await crlOf(signer, 1, [[REVOKED, NOW, "superseded"]]));
	signer.register.append({ at: NOW, kind: "stop", caller: "root", note: "a drill" });
	for (const name of ["ana", "luis"]) lift(signer, name);
	exported.push({ serial: "4F".repeat(16), handed_out: 0, signer_entry: null, signer_head: null });
	return { ...signer, exported };
}

function lift({ register, config, time }: TestSigner, name: string, key = name): boolean {
	const [about] = openStops(register, config.people);
	const approval = { kind: "lift" as const, serial: null, about: about! };
	return approve({ register, people: config.people, at: time.now }, approval, { name, key: keyOf(key) });
}

type History = Awaited<ReturnType<typeof startWithHistory>>;
type Forge = (sql: DatabaseSync, history: History) => void;

/** Writes the log anew from entry `from` on, as who has the disk can. */
function rewrite(sql: DatabaseSync, from: number, change: (entry: Entry) => unknown): void {
	const entries = sql.prepare("SELECT * FROM log ORDER BY n").all() as unknown as Entry[];
	let before = entries[from - 2]?.hash;
	for (const entry of entries.slice(from - 1)) {
		change(entry);
		before = hashEntry(entry, before);
		sql
			.prepare("UPDATE log SET caller = ?, digest = ?, hash = ? WHERE n = ?")
			.run(entry.caller, entry.digest, before, entry.n);
	}
}

const FORGERIES: [what: string, found: RegExp, forge: Forge][] = [
	[
		"log: a caller is changed",
		/^entry 2: it does not follow .* changed$/m,
		(sql) => sql.exec("UPDATE log SET caller = 'other' WHERE n = 2"),
	],
	[
		"log: an entry is taken out",
		/^entry 3: it does not follow/m,
		(sql) => sql.exec("DELETE FROM log WHERE n = 2"),
	],
	[
		"log and register: written anew with another digest",
		/^entry 2: the log's key did not sign its head$/m,
		(sql) => {
			const digest = "0".repeat(64);
			rewrite(sql, 2, (entry) => entry.n === 2 && Object.assign(entry, { digest }));
			sql.exec(`UPDATE signed SET digest = '${digest}' WHERE n = 2`);
		},
	],
	[
		"log: a refusal hides a signature",
		/^entry 2: the register has another/m,
		(sql) => sql.exec("UPDATE log SET note = 'refused RATE' WHERE n = 2"),
	],
	[
		"log: the end is cut off, with the register's",
		/^entry 3: it is not the one whose head was kept$/m,
		(sql) => sql.exec("DELETE FROM signed WHERE n > 2; DELETE FROM log WHERE n > 2"),
	],
	[
		"log: a lift that one person signed twice",
		/^entry 7: lift that luis did not sign$/m,
		(sql) => sql.exec("UPDATE log SET note = (SELECT note FROM log WHERE n = 6) WHERE n = 7"),
	],
	[
		"register: a row is taken out",
		/^entry 2: the register does not have it$/m,
		(sql) => sql.exec("DELETE FROM signed WHERE n = 2"),
	],
	[
		"register: a serial is changed",
		/^entry 2: the register has another certificate/m,
		(sql) => sql.exec(`UPDATE signed SET serial = '${"4E".repeat(16)}' WHERE n = 2`),
	],
	[
		"register: a row that the log lacks",
		/^entry 99: the register has another certificate/m,
		(sql) =>
			sql.exec(
				"PRAGMA foreign_keys = OFF; INSERT INTO signed SELECT 99, kind, '4E', 'k', ends, 'd', NULL, signature, head_signature FROM signed WHERE n = 2",
			),
	],
	[
		"register: a CRL's number is changed",
		/^entry 4: the register has another certificate or CRL/m,
		(sql) => sql.exec("UPDATE signed SET number = 9 WHERE n = 4"),
	],
	[
		"register: a head's signature is another's",
		/^entry 2: the log's key did not sign its head$/m,
		(sql) =>
			sql.exec(
				"UPDATE signed SET head_signature = (SELECT head_signature FROM signed WHERE n = 1) WHERE n = 2",
			),
	],
	[
		"register: a signature is another's",
		/^certificate \w+: its bytes are not those/m,
		(sql) => sql.exec("UPDATE signed SET signature = (SELECT signature FROM signed WHERE n = 1) WHERE n = 2"),
	],
	[
		"D1: a certificate that the signer did not sign",
		/^certificate (4D){16}: the signer did not sign it$/m,
		(_, { exported }) =>
			exported.push({ serial: "4D".repeat(16), handed_out: 1, signer_entry: null, signer_head: null }),
	],
	[
		"D1: a certificate is taken out",
		/^certificate \w+ of entry 2: D1 does not know it$/m,
		(_, { exported }) => exported.splice(1, 1),
	],
	[
		"D1: a certificate with another's head",
		/^certificate \w+: D1 keeps another entry or head/m,
		(_, { exported }) => Object.assign(exported[1]!, { signer_head: exported[0]!.signer_head }),
	],
	[
		"D1: other bytes",
		/^certificate \w+: its bytes are not those/m,
		(_, { exported }) => Object.assign(exported[1]!, { leaf: exported[0]!.leaf }),
	],
];

test("verify finds each planted forgery in log, register and D1, and nothing where there is none", async () => {
	await using history = await startWithHistory();
	const { config, authority, folder } = history;
	const heads = [["3", history.register.find("n", 3)!.hash]];
	const original = new DatabaseSync(join(config.folder, "register.db"));
	for (const [what, expected, forge] of [
		["nothing", /^$/, () => {}] as (typeof FORGERIES)[number],
		...FORGERIES,
	]) {
		const copy = mkdtempSync(join(folder, "copy-"));
		original.exec(`VACUUM INTO '${join(copy, "register.db")}'`);
		const forger = new DatabaseSync(join(copy, "register.db"));
		forger.exec("DROP TRIGGER log_changed; DROP TRIGGER log_cut; PRAGMA foreign_keys = OFF");
		const exported = structuredClone(history.exported);
		forge(forger, { ...history, exported });
		forger.close();
		const register = new Register(copy);
		const found = verifySigner({ config, authority, register, exported, heads }).join("\n");
		expect([what, found]).toEqual([what, expect.stringMatching(expected)]);
	}
	original.close();
});

/** Signers that are broken on purpose: what each does otherwise, and what verify says of it. */
const WRONG: [what: string, found: RegExp, mend: (signer: TestSigner, sql: DatabaseSync) => void][] = [
	[
		"signs before it writes the serial down",
		/^certificate \w+: the signer did not sign it$/m,
		({ register }) => {
			const row = { number: null, ...register.append({ at: NOW, kind: "allow-responder", caller: "root" }) };
			register.enter = (asked) => ({ ...row, ...asked, n: 9 });
			register.keep = (n, signature, head_signature) => ({ ...row, n, signature, head_signature });
		},
	],
	[
		"signs two leaves of one serial",
		/^certificate \w+: D1 keeps another entry or head than the log has$/m,
		({ register }, sql) => {
			sql.exec(
				"CREATE TABLE loose AS SELECT * FROM signed; DROP TABLE signed; ALTER TABLE loose RENAME TO signed",
			);
			const find = register.find.bind(register);
			register.find = (column, value) => (column === "serial" ? undefined : find(column, value));
		},
	],
	[
		"leaves an entry out of its log",
		/^entry 1: the register has another certificate or CRL for it$/m,
		({ register }, sql) => {
			sql.exec(
				"DROP TRIGGER log_cut; DROP TABLE signed; CREATE TABLE signed (n, kind, serial, key_hash, ends, digest, number, signature, head_signature)",
			);
			const enter = register.enter.bind(register);
			register.enter = (asked) => {
				const entry = enter(asked);
				register.all("DELETE FROM log WHERE n = ?", entry.n);
				return entry;
			};
		},
	],
];

test.each(WRONG)("a signer that %s is told apart", async (_, expected, mend) => {
	await using signer = await startSigner();
	const { config, authority, register } = signer;
	const sql = new DatabaseSync(join(config.folder, "register.db"));
	sql.exec("PRAGMA foreign_keys = OFF");
	mend(signer, sql);
	sql.close();
	const serial = randomBytes(16).fill(0x41, 0, 1);
	const exported: Parameters<typeof verifySigner>[0]["exported"] & object = [];
	for (const tbs of [await leafOf(signer, { serial }), await leafOf(signer, { serial })]) {
		const { status, body } = await signer.ask("certificates", tbs);
		const row = { serial: serial.toString("hex").toUpperCase(), handed_out: 1 as const };
		if (status === 200) exported.push({ ...row, signer_entry: body.entry, signer_head: body.head });
	}
	expect(verifySigner({ config, authority, register, exported, heads: [] }).join("\n")).toMatch(expected);
});

test("two people lift a stop, each with their own key; a later stop takes two again", async () => {
	await using signer = await startSigner();
	const { register, config } = signer;
	const ask = async () => (await signer.ask("certificates", await leafOf(signer))).status;
	const stop = () => register.append({ at: NOW, kind: "stop", caller: "root", note: "a thief" });
	stop();
	expect([lift(signer, "ana"), lift(signer, "ana"), await ask()]).toEqual([false, false, 403]);
	expect(() => lift(signer, "luis", "ana")).toThrow("not the key of luis");
	expect(() => lift(signer, "mallory", "ana")).toThrow("not the key of mallory");
	config.people.find(({ name }) => name === "eva")!.withdrawnAt = NOW;
	expect(() => lift(signer, "eva")).toThrow("not the key of eva");
	expect([lift(signer, "luis"), await ask()]).toEqual([true, 200]);
	config.people.find(({ name }) => name === "luis")!.withdrawnAt = NOW + DAY_MS;
	expect(await ask()).toBe(200);
	stop();
	expect([await ask(), lift(signer, "ana"), await ask()]).toEqual([403, false, 403]);
});

test("two people let one CRL leave an entry out, not the next that lists it again", async () => {
	await using signer = await startSigner();
	const { register, config } = signer;
	const ask = async (number: number, entries: Parameters<typeof crlOf>[2]) =>
		(await signer.ask("crls", await crlOf(signer, number, entries))).body.refused;
	const leaveOut = (name: string) => {
		const about = register.listed(REVOKED)!;
		const approval = { kind: "leave-out" as const, serial: REVOKED, about };
		return approve({ register, people: config.people, at: NOW }, approval, { name, key: keyOf(name) });
	};
	expect(await ask(1, [[REVOKED, NOW, "superseded"]])).toBe(undefined);
	expect([leaveOut("ana"), await ask(2, [])]).toEqual([false, "CRL_MISSING_ENTRIES"]);
	expect([leaveOut("eva"), await ask(3, []), await ask(4, [[REVOKED, NOW, "superseded"]])]).toEqual([
		true,
		undefined,
		undefined,
	]);
	expect(await ask(5, [])).toBe("CRL_MISSING_ENTRIES");
});

test("its commands stop, lift, verify and copy while the signer runs", async () => {
	await using signer = await startSigner();
	const { folder, file } = signer;
	const main = join(import.meta.dirname, "../src/main.ts");
	const run = (...args: string[]) =>
		execFileSync(process.execPath, [main, "--config", file, ...args], { encoding: "utf8", stdio: "pipe" });
	const ask = async () => (await signer.ask("certificates", await leafOf(signer))).status;
	const lifted = (name: string) => {
		writeFileSync(join(folder, name), keyOf(name).export({ format: "pem", type: "pkcs8" }));
		return run("lift", "--person", name, "--key", join(folder, name));
	};
	const { entry, head } = (await signer.ask("certificates", await leafOf(signer))).body;
	run("stop", "--reason", "a thief");
	expect(await ask()).toBe(403);
	expect(lifted("ana")).toMatch("Another person");
	expect([lifted("eva"), await ask()]).toEqual(["Two people have said so: it is done.\n", 200]);
	run("backup", "--to", join(folder, "copy.db"));
	expect(existsSync(join(folder, "copy.db"))).toBe(true);
	expect(run("verify", "--head", `${entry}:${head}`)).toBe("All agree.\n");
	writeFileSync(join(folder, "d1.json"), JSON.stringify([{ results: [] }]));
	const { status, stdout } = spawnSync(process.execPath, [
		main,
		"--config",
		file,
		"verify",
		"--export",
		join(folder, "d1.json"),
		"--head",
		"1:0",
	]);
	expect([status, String(stdout)]).toEqual([
		1,
		expect.stringMatching(/^entry 1: it is not the one.*\ncertificate \w+ of entry 1: D1 does not know it\n/),
	]);
});
