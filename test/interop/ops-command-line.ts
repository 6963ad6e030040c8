import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { HOUR_MS } from "../../src/domain/durations.ts";
import { SECRETS } from "../support/local-authority.ts";
import { ROOT } from "../support/local-service.ts";
import { TemporaryFolder } from "../support/temporary-folder.ts";
import { service } from "./partner-service.ts";

/* `npm run ops` as users and scripts run it, against the service behind a real URL. */

const SCRIPT = join(ROOT, "scripts", "ops.ts");
/** The command as one file: Node takes a third of a second to strip the types of its own files. */
const oneFile = join(ROOT, ".wrangler", `ops-${process.pid}`, "ops.mjs");
beforeAll(async () => {
	const form = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
	await build({ entryPoints: [SCRIPT], outfile: oneFile, ...form });
});
afterAll(() => rm(dirname(oneFile), { recursive: true }));

interface Run {
	code: number;
	stdout: string;
	stderr: string;
}

function ops(args: readonly string[], token = SECRETS.OPS_TOKEN!, input = ""): Promise<Run> {
	const env = { ...process.env, OPS_TOKEN: token, NODE_NO_WARNINGS: "1" };
	return new Promise((resolve) => {
		const child = execFile(
			"node",
			[oneFile, ...args, "--url", service.url],
			{ env, cwd: ROOT },
			(error, stdout, stderr) => {
				resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
			},
		);
		child.stdin!.end(input);
	});
}

/** The answer of a command that must succeed. */
async function json(...args: string[]) {
	const { code, stdout, stderr } = await ops([...args, "--json"]);
	expect([code, stderr]).toEqual([0, ""]);
	return JSON.parse(stdout);
}

async function partnerWithCode() {
	const { partner, api_key } = await service.createPartner({ name: "Notaría Ñuñoa" });
	const order = { productCode: "FV01", quantity: 1 };
	const { body } = await service.post("/api/partner/v1/pcode/bulk", order, { "x-gw": api_key });
	return { partner: partner.id as string, key: api_key as string, code: body.data.pcodes[0] as string };
}

const listed = (key: string) => service.harness.fetch("/api/partner/v1/pcodes", { headers: { "x-gw": key } });

test("partners: created, changed, listed as a table, suspended with --yes and resumed", async () => {
	const { partner: made, api_key: key } = await json("partners", "create", "--name", "Notaría Ñuñoa");
	const partner = made.id as string;
	const changed = await json("partners", "change", partner, "--products", "FV01,FV02");
	expect(changed.partner).toMatchObject({ mode: "B2C", allowed_products: ["FV01", "FV02"] });
	const table = await ops(["partners", "list"]);
	expect(table.stdout).toContain("Notaría Ñuñoa");
	expect((await json("partners", "suspend", partner, "--yes")).partner.suspended).toBe(true);
	expect((await listed(key)).status).toBe(401);
	expect((await json("partners", "resume", partner)).partner.suspended).toBe(false);
	expect((await listed(key)).status).toBe(200);
});

test("keys: rotated with an overlap in which both are good, then revoked", async () => {
	const { partner, key } = await partnerWithCode();
	const [first] = (await json("keys", "list", partner)).keys;
	const rotated = await json("keys", "rotate", partner, first.id, "--label", "2027", "--overlap-hours", "48");
	expect(Date.parse(rotated.replaces.revoked_at) - Date.now()).toBeGreaterThan(47 * HOUR_MS);
	expect([(await listed(key)).status, (await listed(rotated.api_key)).status]).toEqual([200, 200]);
	await json("keys", "revoke", partner, first.id, "--yes");
	expect([(await listed(key)).status, (await listed(rotated.api_key)).status]).toEqual([401, 200]);
	const leaked = ["--label", "leak", "--overlap-hours", "0"];
	const atOnce = await json("keys", "rotate", partner, rotated.key.id, ...leaked);
	expect((await listed(rotated.api_key)).status).toBe(401);
	expect((await listed(atOnce.api_key)).status).toBe(200);
});

test("codes: shown, blocked, unblocked; cancelled only once confirmed", async () => {
	const { code } = await partnerWithCode();
	expect((await json("codes", "block", code, "--reason", "lost")).pcode.status).toBe("LOCKED");
	expect((await json("codes", "unblock", code, "--reason", "found")).pcode.status).toBe("ACTIVE");
	const unconfirmed = await ops(["codes", "cancel", code, "--reason", "refunded"]);
	expect([unconfirmed.code, unconfirmed.stdout]).toEqual([4, ""]);
	expect(unconfirmed.stderr).toContain("--yes");
	expect((await json("codes", "show", code)).pcode.status).toBe("ACTIVE");
	expect((await json("codes", "cancel", code, "--reason", "refunded", "--yes")).pcode.status).toBe(
		"CANCELLED",
	);
});

test("holders search: the RUT comes from standard input, never from the command line", async () => {
	const search = ["holders", "search", "--reason", "ticket 4711"];
	const found = await ops(search, SECRETS.OPS_TOKEN, "10.000.020-2\n");
	expect([found.code, found.stdout]).toEqual([0, "(none)\n"]);
	const none = await ops(search);
	expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("standard input")]);
	const typed = await ops([...search, "11111111-1"]);
	expect([typed.code, typed.stderr]).toEqual([2, expect.stringContaining("too many arguments")]);
	expect((await ops(search, SECRETS.OPS_TOKEN, "11111111-2\n")).code).toBe(1);
});

test("register: audit shown and verified, reconcile finds nothing amiss, deliveries and upkeep listed", async () => {
	const { code } = await partnerWithCode();
	await json("codes", "block", code, "--reason", "lost");
	const shown = await ops(["audit", "show", `code:${code}`]);
	expect(shown.stdout).toMatch(/block\s+lost/);
	expect((await json("audit", "verify")).faults).toEqual([]);
	expect((await json("reconcile")).findings).toEqual([]);
	expect((await json("deliveries", "list", "--state", "dead")).deliveries).toEqual([]);
	expect((await json("upkeep", "list")).jobs.length).toBeGreaterThan(0);
});

test("exit codes: 1 refused, 2 usage; a message that says what to do", async () => {
	const unknown = await ops(["certificates", "show", "00"]);
	expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("NOT_FOUND")]);
	const refused = await ops(["partners", "create", "--name", "x", "--mode", "B3B"]);
	expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("mode: Send B2C or B2B.")]);
	expect((await ops(["partners", "list"], "not-the-token-of-this-service-000000")).code).toBe(1);
	const noOption = await ops(["codes", "block", "7K3M-9QXT-2B4C-H8WD"]);
	expect([noOption.code, noOption.stderr]).toEqual([2, expect.stringContaining("'--reason <reason>'")]);
	const noCode = await ops(["codes", "block", "--reason", "lost"]);
	expect([noCode.code, noCode.stderr]).toEqual([2, expect.stringContaining("argument 'code'")]);
	await expect(promisify(execFile)("node", [SCRIPT, "codes", "destroy"])).rejects.toMatchObject({ code: 2 });
});

/** A file as `wrangler d1 export` writes it. */
async function exportTables(): Promise<string> {
	const { DB_2 } = await service.bindings<{ DB_2: D1Database }>();
	const lines = ["PRAGMA defer_foreign_keys=TRUE;", "CREATE TABLE `other` (", "\t`note` text", ");"];
	lines.push(
		`INSERT INTO "other" ("note") VALUES('it''s;\nINSERT INTO "partners" ("id") VALUES(''x'');\n;');`,
	);
	for (const table of ["partners", "api_keys", "webhook_secrets"]) {
		const made = await DB_2.prepare("SELECT sql FROM sqlite_master WHERE name = ?").bind(table).first("sql");
		const { results } = await DB_2.prepare(`SELECT * FROM ${table}`).all();
		lines.push(`${made};`);
		for (const row of results) {
			const columns = Object.keys(row).map((name) => `"${name}"`);
			const values = Object.values(row).map((value) =>
				typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value ?? "NULL"),
			);
			lines.push(`INSERT INTO "${table}" (${columns.join()}) VALUES(${values.join()});`);
		}
	}
	const files = new TemporaryFolder();
	onTestFinished(() => files[Symbol.dispose]());
	return files.write("before.sql", `${lines.join("\n")}\n`);
}

test("restored compare: what a restore took back of keys, addresses, secrets and settings, whom to tell; keys end again", async () => {
	const { DB_2 } = await service.bindings<{ DB_2: D1Database }>();
	const { partner, key } = await partnerWithCode();
	const [first] = (await json("keys", "list", partner)).keys;
	const address = "ops@partner.example";
	await json("partners", "change", partner, "--webhook-url", "https://partner.example/hook");
	await DB_2.exec("CREATE TABLE kept_partners AS SELECT * FROM partners");
	await DB_2.exec("CREATE TABLE kept_secrets AS SELECT * FROM webhook_secrets");
	await json("partners", "change", partner, "--delivery-email", address, "--products", "FV01");
	await json("webhooks", "rotate-secret", partner, "--overlap-hours", "0");
	const added = await json("keys", "create", partner, "--label", "it's new");
	await json("keys", "revoke", partner, first.id, "--yes");
	const untouched = await partnerWithCode();
	const before = await exportTables();

	// What Time Travel does, to the rows of this partner.
	await DB_2.prepare("DELETE FROM partners WHERE id IN (?, ?)").bind(partner, untouched.partner).run();
	await DB_2.prepare("INSERT INTO partners SELECT * FROM kept_partners WHERE id = ?").bind(partner).run();
	// The audit is not put back with it.
	await DB_2.prepare(
		"UPDATE partners SET version = (SELECT max(version) FROM audit_events WHERE entity = 'partner:' || id) WHERE id = ?",
	)
		.bind(partner)
		.run();
	await DB_2.prepare("DELETE FROM webhook_secrets WHERE partner_id = ?").bind(partner).run();
	await DB_2.prepare("INSERT INTO webhook_secrets SELECT * FROM kept_secrets WHERE partner_id = ?")
		.bind(partner)
		.run();
	await DB_2.prepare("DELETE FROM api_keys WHERE id = ?").bind(added.key.id).run();
	await DB_2.prepare("UPDATE api_keys SET revoked_at = NULL WHERE id = ?").bind(first.id).run();

	expect((await ops(["restored", "compare", before])).code).toBe(4);
	const compared = await ops(["restored", "compare", before, "--yes", "--json"]);
	expect([compared.code, compared.stderr]).toEqual([1, ""]);
	const { differences } = JSON.parse(compared.stdout) as { differences: Record<string, unknown>[] };
	const own = differences.filter(({ partner_id }) => partner_id === partner);
	expect(own.map(({ tell, what, id, before, now }) => [tell, what, id, before, now])).toEqual([
		[address, "setting", "allowed_products", '["FV01"]', '["FV00","FV01","FV02","FV03"]'],
		[address, "address", "delivery_email", address, null],
		[address, "key", first.id, "ended", "good"],
		[address, "key", added.key.id, "good", "unknown"],
		[address, "secret", expect.any(String), "signs", "unknown"],
		[address, "secret", expect.any(String), "ended", "signs"],
	]);
	expect(differences.filter(({ partner_id }) => partner_id !== partner)).toMatchObject([
		{ partner_id: untouched.partner, what: "partner", now: null },
	]);
	expect((await listed(key)).status).toBe(401);
	const again = await ops(["restored", "compare", before, "--yes"]);
	expect(again.stdout).not.toContain(first.id);
	expect((await ops(["restored", "compare", "/no/such.sql", "--yes"])).code).toBe(2);
});
