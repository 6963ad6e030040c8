import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { createTestHarness } from "wrangler";
import { isInstalled, openWithOpenssl, verifyWithOpenssl } from "../../interop/pfx-openers.ts";
import { testWith } from "../../interop/tool-test.ts";
import { runZlint } from "../../interop/zlint.ts";
import { AS_OPS, LocalService, migrate, ROOT } from "../../support/local-service.ts";
import { byTurns } from "../../support/run-size.ts";
import { KilledSigner } from "./killed-signer.ts";
import { SlowWay } from "./slow-way.ts";

/* The service with its key behind the signer, over SoftHSM: what is issued, and what comes of each fault. */

const HOUR_MS = 3_600_000;
const harness = createTestHarness({ root: ROOT, workers: [] });
const service = new LocalService(harness);
const PIN = "0042";
let signer: KilledSigner;
let way: SlowWay;
let secrets: Record<string, string>;
const keys: Record<string, Record<string, string>> = {};
let holders = 0;

beforeAll(async () => {
	if (!isInstalled("softhsm2-util")) return;
	signer = await KilledSigner.prepare();
	await signer.start();
	way = new SlowWay(signer.url);
	secrets = { ...(await signer.secrets()), SIGNER_URL: await way.listen() };
	await harness.update({ root: ROOT, workers: [{ configPath: "./wrangler.toml", secrets }] });
	await harness.listen();
	await migrate(harness);
});
/** Partners of each test's own: ten certificate_requests a minute is what one has. */
beforeEach(async () => {
	if (!isInstalled("softhsm2-util")) return;
	for (const [name, more] of [
		["b2c", {}],
		["b2b", { mode: "B2B", delivery_email: "copies@partner.example" }],
	] as const) {
		keys[name] = { "x-gw": (await service.createPartner({ name, ...more })).api_key };
	}
});
afterAll(async () => {
	await harness.close();
	way?.close();
	await signer?.[Symbol.asyncDispose]();
});

/** A new code of a partner, and its holder: the sandbox's by turns. */
async function makeHolder(partner: "b2b" | "b2c") {
	const order = { productCode: "FV01", quantity: 1 };
	const bulk = await service.post("/api/partner/v1/pcode/bulk", order, keys[partner]!);
	const [pCode] = bulk.body.data.pcodes as [string];
	const [dni, serialNumber] = HOLDERS[holders++ % HOLDERS.length]!;
	return { pCode, referenceId: "r", dni, serialNumber, email: `h${holders}@example.cl`, pin: PIN };
}

const HOLDERS = [
	["22222222-2", "A222222222"],
	["12345678-5", "B12345678"],
	["10000013-K", "100000013"],
	["11111111-1", "111111111"],
] as const;

type Holder = Awaited<ReturnType<typeof makeHolder>>;

const request = (holder: Holder, partner: "b2b" | "b2c") =>
	service.post("/api/partners/v1/certificate_request", holder, keys[partner]!);
const claim = ({ pCode, dni }: Holder) =>
	service.post("/api/partners/v1/certificate_claim", { p_code: pCode, dni, pin: PIN }, keys.b2c!);

/** Rows that D1 has for a query. */
async function select<Row>(sql: string): Promise<Row[]> {
	const { DB_2 } = await service.bindings<{ DB_2: D1Database }>();
	return (await DB_2.prepare(sql).all<Row>()).results;
}

/** Opens a file that was claimed, verifies its leaf under the authority of the token, and lints it. */
function expectOfToken(file: string): void {
	const { leafPem, keyOpened } = openWithOpenssl(new Uint8Array(Buffer.from(file, "base64")), PIN);
	expect(keyOpened).toBe(true);
	const read = (name: string) => readFileSync(join(signer.folder, "signer", `${name}.pem`), "utf8");
	const chain = { leaf: leafPem, issuing: read("issuing"), root: read("root") };
	expect(verifyWithOpenssl(chain, new Date())).toContain("OK");
	const leaf = join(signer.folder, "leaf.pem");
	writeFileSync(leaf, leafPem);
	expect(runZlint(leaf).found).toEqual(["w_ct_sct_policy_count_unsatisfied"]);
}

/** Goes through the widget: a session made by the partner, then each call of the frame. @returns the downloaded file */
async function takeByWidget({ pCode, dni, serialNumber, email }: Holder): Promise<string> {
	const session = { p_code: pCode, referenceId: "r" };
	const made = (await service.post("/api/partners/v1/onboarding_sessions", session, keys.b2c!)).body.data;
	const call = async (step: string, body: object, method?: "PUT") => {
		const path = `/widget/v1/sessions/${made.session_id}${step}`;
		const answer = await service.post(path, body, { authorization: `Bearer ${made.token}` }, method);
		expect([step, answer.status]).toEqual([step, 200]);
		return answer.body.data;
	};
	await call("/open", {});
	await call("/answers", { dni, serialNumber, email }, "PUT");
	await call("/submit", { pin: PIN, terms_version: "2026-11" });
	return (await call("/claim", { pin: PIN })).certificate;
}

const verifyAll = () =>
	signer.verify({ ask: async <Rows>(_: "select", { sql }: { sql: string }) => (await select(sql)) as Rows });

testWith(
	["softhsm2-util", "openssl", "zlint"],
	"B2C, B2B and the widget are issued by the token's key: openssl verifies the chain, zlint finds what is excluded by name",
	async () => {
		const holder = await makeHolder("b2c");
		expect((await request(holder, "b2c")).status).toBe(200);
		const claimed = await claim(holder);
		expect(claimed.status).toBe(200);
		expectOfToken(claimed.body.data.certificate);
		expectOfToken(await takeByWidget(await makeHolder("b2c")));

		expect((await request(await makeHolder("b2b"), "b2b")).status).toBe(200);
		await harness.getWorker().scheduled({ cron: "* * * * *" });
		expect(await verifyAll()).toEqual([]);
	},
);

const FAULTS = {
	"its disk is full": { begin: () => setFileSize("0"), end: () => setFileSize("unlimited") },
	"its module is gone": {
		begin: () => renameSync(join(signer.folder, "signer", "tokens"), join(signer.folder, "signer", "gone")),
		end: () => renameSync(join(signer.folder, "signer", "gone"), join(signer.folder, "signer", "tokens")),
	},
	"its clock is an hour ahead": { begin: () => signer.start(HOUR_MS), end: () => signer.start(0) },
	"its clock is an hour behind": { begin: () => signer.start(-HOUR_MS), end: () => signer.start(0) },
	"its answers are 10 s late": {
		begin: () => {
			way.delayMs = 10_000;
		},
		end: () => {
			way.delayMs = 0;
		},
	},
	"it is dead": { begin: () => signer.kill(), end: () => signer.start(0) },
} satisfies Record<string, { begin: () => unknown; end: () => unknown }>;

/** No file of the signer grows any more: each write fails, as on a disk that is full. */
function setFileSize(limit: string): void {
	execFileSync("prlimit", ["--pid", String(signer.pid), `--fsize=${limit}:unlimited`]);
}

for (const [fault, { begin, end }] of byTurns(Object.entries(FAULTS), 3))
	testWith(
		"softhsm2-util",
		`architecture, invariants: while ${fault}, issuing answers 503 and spends nothing; after it the same code is issued`,
		async () => {
			const [holder, other] = [await makeHolder("b2c"), await makeHolder("b2b")];
			expect((await request(holder, "b2c")).status).toBe(200);
			await begin();
			try {
				const during = await Promise.all([claim(holder), request(other, "b2b")]);
				expect(during.map(({ status, body }) => [status, body.error])).toEqual([
					[503, "SERVICE_UNAVAILABLE"],
					[503, "SERVICE_UNAVAILABLE"],
				]);
			} finally {
				await end();
			}
			const sql = `SELECT COUNT(*) AS n FROM purchase_codes WHERE processing_until IS NOT NULL`;
			expect(await select(sql)).toEqual([{ n: 0 }]);
			expect((await claim(holder)).status).toBe(200);
			expect((await request(other, "b2b")).status).toBe(200);
			const serials = await select<{ serial: string }>(
				"SELECT serial FROM certificates WHERE issued_at IS NOT NULL",
			);
			expect(new Set(serials.map(({ serial }) => serial)).size).toBe(serials.length);
			expect(await verifyAll()).toEqual([]);
		},
	);

/** Revokes a certificate. @returns what openssl reads of the next CRL, once it has checked its signature */
async function revoke(serial: string): Promise<string> {
	const reason = { reason: "keyCompromise" };
	const { status } = await service.post(`/ops/v1/certificates/${serial}/revoke`, reason, AS_OPS);
	expect(status).toBe(200);
	await harness.getWorker().scheduled({ cron: "* * * * *" });
	const { PKI } = await service.bindings<{ PKI: R2Bucket }>();
	const [{ key } = { key: "" }] = (await PKI.list({ prefix: "crl/" })).objects;
	const input = new Uint8Array(await (await PKI.get(key))!.arrayBuffer());
	const issuing = join(signer.folder, "signer", "issuing.pem");
	const options = ["crl", "-inform", "der", "-CAfile", issuing, "-noout", "-text"];
	const { stdout, stderr } = spawnSync("openssl", options, { input, encoding: "utf8" });
	expect(stderr).toContain("verify OK");
	return stdout;
}

testWith(
	["softhsm2-util", "openssl"],
	"a second one never starts; a standby from the backup names what was signed since; issuing and CRLs go on",
	async () => {
		expect(await signer.startSecond()).toEqual({ code: 1, text: expect.stringContaining("locked") });
		const issue = async (holder: Awaited<ReturnType<typeof makeHolder>>) => {
			expect((await request(holder, "b2c")).status).toBe(200);
			expect((await claim(holder)).status).toBe(200);
			const newest = "SELECT serial FROM certificates ORDER BY signer_entry DESC LIMIT 1";
			return (await select<{ serial: string }>(newest))[0]!.serial;
		};
		const known = await issue(await makeHolder("b2c"));
		const copy = await signer.backUp();
		await revoke(known);
		const [signed, next] = [await makeHolder("b2c"), await makeHolder("b2c")];
		const serial = await issue(signed);
		await signer.replaceBy(copy);
		const lost = [`signer: certificate ${serial}: the signer did not sign it`];
		expect(await verifyAll()).toEqual(lost);
		await issue(next);
		// The register knows neither the last CRL nor this serial: it takes a CRL that has both.
		const text = await revoke(serial);
		expect([known, serial].filter((number) => !text.includes(number))).toEqual([]);
		expect(await verifyAll()).toEqual(lost);
	},
);
