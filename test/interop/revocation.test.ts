import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { localKeyId, SECRETS } from "../support/local-authority.ts";
import { AS_OPS, migrate, ROOT } from "../support/local-service.ts";
import { isLongRun } from "../support/run-size.ts";
import { encodePem } from "./pfx-openers.ts";
import { obtainCertificate, PkiHost, postTo } from "./pki-host.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testsWith, testWith } from "./tool-test.ts";

/* Revocation answers of the service, asked and judged by other programs over HTTP. */

const pkiHost = await PkiHost.start();
const url = pkiHost.url;
const secrets = pkiHost.secrets(SECRETS.OPS_TOKEN!);
const worker = { configPath: "./wrangler.toml", vars: pkiHost.vars, secrets };
const harness = createTestHarness({ root: ROOT, workers: [worker] });
pkiHost.harness = harness;
const files = new ToolFolder();

const PEOPLE = {
	good: { dni: "22222222-2", serialNumber: "A222222222", pin: "0042" },
	revoked: { dni: "12345678-5", serialNumber: "B12345678", pin: "9999" },
	cancelled: { dni: "10000013-k", serialNumber: "100000013", pin: "0000" },
} as const;
type Name = keyof typeof PEOPLE;

const serials = {} as Record<Name, string>;

const post = postTo(harness);

const ops = (path: string, body: unknown) => post(`/ops/v1${path}`, body, AS_OPS);

/** Claims a certificate and leaves it as `<name>.pem`. @returns its purchase code. */
async function obtain(name: Name, key: Record<string, string>): Promise<string> {
	const { pCode, serial, leafPem } = await obtainCertificate(post, PEOPLE[name], key);
	files.write(`${name}.pem`, leafPem);
	serials[name] = serial;
	return pCode;
}

async function fetchCrl(): Promise<Uint8Array> {
	const response = await fetch(`${url}/${localKeyId}/crl`);
	expect(response.headers.get("content-type")).toBe("application/pkix-crl");
	return new Uint8Array(await response.arrayBuffer());
}

/** The CRL of now, where the address answers for a minute what it kept. */
async function readPublishedCrl(): Promise<Uint8Array> {
	const { PKI } = (await harness.getWorker().getEnv()) as { PKI: R2Bucket };
	const [object] = (await PKI.list({ prefix: "crl/" })).objects;
	return new Uint8Array(await (await PKI.get(object!.key))!.arrayBuffer());
}

/** The CRL as file and, for programs that want it so, as PEM. */
async function downloadCrl(crl = fetchCrl()): Promise<string> {
	files.write("issuing.crl", await crl);
	await files.run("openssl", ..."crl -inform der -in issuing.crl -out crl.pem".split(" "));
	return "issuing.crl";
}

beforeAll(async () => {
	await harness.listen();
	await migrate(harness);
	files.write("issuing.pem", `${encodePem(Buffer.from(SECRETS.ISSUING_CERTIFICATE!, "base64"))}\n`);
	files.write("root.pem", `${encodePem(Buffer.from(SECRETS.ROOT_CERTIFICATE!, "base64"))}\n`);
	const created = await ops("/partners", { name: "Revocation" });
	const key = { "x-gw": created.data.api_key as string };
	await obtain("good", key);
	await obtain("revoked", key);
	const pCode = await obtain("cancelled", key);
	const revoked = await ops(`/certificates/${serials.revoked}/revoke`, { reason: "keyCompromise" });
	expect(revoked.data.certificate.revocation_reason).toBe("keyCompromise");
	await ops(`/pcodes/${pCode}/cancel`, { reason: "returned" });
	await harness.getWorker().scheduled({ cron: "* * * * *" });
});
afterAll(async () => {
	await harness.close();
	pkiHost.close();
	files[Symbol.dispose]();
});

describe("RFC 6960: openssl ocsp asks the service", () => {
	const test = testsWith("openssl");
	/** `-text` besides, for what it does not print otherwise. */
	const ask = (...options: string[]) =>
		files.run(
			"openssl",
			...["ocsp", "-issuer", "issuing.pem", "-CAfile", "root.pem", "-verify_other", "issuing.pem"],
			...["-url", `${url}/ocsp`, "-text", ...options],
		);

	for (const digest of ["-sha1", "-sha256"]) {
		test(`about all three at once, by ${digest}: good, keyCompromise, cessationOfOperation`, async () => {
			const { text } = await ask(
				...[digest, "-cert", "good.pem", digest, "-cert", "revoked.pem", digest, "-cert", "cancelled.pem"],
			);
			expect(text).toContain("Response verify OK");
			expect(text).toContain("good.pem: good");
			expect(text).toMatch(/revoked\.pem: revoked\n.*\n.*\n\tReason: keyCompromise\n\tRevocation Time:/);
			expect(text).toMatch(/cancelled\.pem: revoked\n.*\n.*\n\tReason: cessationOfOperation/);
		});
	}
	test("with a nonce by default, and gets it back", async () => {
		const { text } = await ask("-cert", "good.pem");
		expect(text).not.toContain("WARNING");
		const [sent, returned] = [...text.matchAll(/OCSP Nonce:\s+([0-9A-F]+)/g)].map(([, bytes]) => bytes);
		expect(sent).toMatch(/^[0-9A-F]{16,}$/);
		expect(returned).toBe(sent);
	});
	test("about a serial that was never issued: unknown", async () => {
		const { text } = await ask("-serial", "0x7A000000000000000000000000000001");
		expect(text).toContain("Response verify OK");
		expect(text).toMatch(/0x7A0+1: unknown/);
	});
	test("by GET, from a request it wrote to a file", async () => {
		await files.openssl("ocsp -issuer issuing.pem -cert revoked.pem -no_nonce -reqout req.der");
		const request = encodeURIComponent(readFileSync(files.path("req.der")).toString("base64"));
		const response = await fetch(`${url}/ocsp/${request}`);
		expect(response.headers.get("cache-control")).toMatch(/max-age=[1-6]?\d,/);
		files.write("resp.der", new Uint8Array(await response.arrayBuffer()));
		const { text } = await files.run(
			"openssl",
			...["ocsp", "-respin", "resp.der", "-issuer", "issuing.pem", "-cert", "revoked.pem"],
			...["-CAfile", "root.pem", "-verify_other", "issuing.pem"],
		);
		expect(text).toContain("Response verify OK");
		expect(text).toContain("revoked.pem: revoked");
	});
});

describe("RFC 6960: ocsptool (GnuTLS) asks the service", () => {
	const ask = (name: Name, ...options: string[]) =>
		files.run(
			"ocsptool",
			...[`--ask=${url}/ocsp`, "--load-issuer", "issuing.pem", "--load-cert", `${name}.pem`],
			...["--load-trust", "issuing.pem", ...options],
		);

	for (const [name, status] of Object.entries({ good: "good", revoked: "revoked", cancelled: "revoked" })) {
		testWith("ocsptool", `about the ${name} one, with a nonce: ${status}`, async () => {
			const { text } = await ask(name as Name, "--nonce");
			expect(text).toContain(`Certificate Status: ${status}`);
			expect(text).toContain("Verifying OCSP Response: Success");
		});
	}
});

describe("RFC 5280 §5: the CRL", () => {
	const test = testsWith("openssl");
	test("openssl crl verifies it under the issuing authority, and lists both reasons", async () => {
		const file = await downloadCrl();
		const { text } = await files.openssl("crl -inform der -CAfile issuing.pem -text -in", file);
		expect(text).toContain("verify OK");
		expect(text).toContain("Version 2 (0x1)");
		expect(text).toMatch(/X509v3 CRL Number: \n\s+\d+/);
		expect(text).toMatch(/X509v3 Authority Key Identifier: \n/);
		for (const [serial, reason] of [
			[serials.revoked, "Key Compromise"],
			[serials.cancelled, "Cessation Of Operation"],
		])
			expect(text).toMatch(new RegExp(`Serial Number: ${serial}\n(.*\n){3}\\s+${reason}`));
		expect(text).not.toContain(serials.good);
	});
	const VERIFY = "verify -crl_check -x509_strict -CAfile root.pem -untrusted issuing.pem";
	for (const name of ["good", "revoked", "cancelled"])
		test(`openssl verify judges the ${name} one by it, given or fetched by its leaf's address`, async () => {
			await downloadCrl();
			const outcome = name === "good" ? /good\.pem: OK/ : /certificate revoked/;
			for (const crl of [["-CRLfile", "crl.pem"], ["-crl_download"]])
				expect((await files.openssl(VERIFY, ...crl, `${name}.pem`)).text).toMatch(outcome);
		});
});

describe("RFC 5280 §8: the addresses that a leaf names are fetched by programs that speak plain http only", () => {
	testWith("openssl", "the issuer's certificate is where the leaf says", async () => {
		const { text } = await files.openssl("x509 -in good.pem -noout -ext authorityInfoAccess");
		const response = await fetch(/CA Issuers - URI:(\S+)/.exec(text)![1]!);
		expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(SECRETS.ISSUING_CERTIFICATE);
	});
});

const MANY = isLongRun ? 100_000 : 20_000;
describe(`with ${MANY} revoked serials`, () => {
	let der: Uint8Array;

	beforeAll(async () => {
		const { DB_2 } = (await harness.getWorker().getEnv()) as { DB_2: D1Database };
		await DB_2.exec(
			"INSERT INTO partner_places (partner_id, number, epoch, state, since) VALUES ('pt_x', 0, 1, 'open', 0)",
		);
		for (let from = 0; from < MANY; from += 10_000) {
			const page = Array.from({ length: 10_000 }, (_, n) =>
				`7F${(from + n).toString(16).padStart(30, "0")}`.toUpperCase(),
			);
			await DB_2.prepare(
				`INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at, not_before, not_after, revoked_at, revocation_reason)
				SELECT value, ?4, 'pt_x', 'x', 1, 1, ?2, ?3 - 1000 * key, 'superseded' FROM json_each(?1)`,
			)
				.bind(JSON.stringify(page), Date.now() + 1e10, Date.now(), localKeyId)
				.run();
		}
	});

	test("the cron publishes them in one CRL within 15 seconds on this machine", async () => {
		const start = performance.now();
		await harness.getWorker().scheduled({ cron: "* * * * *" });
		const took = performance.now() - start;
		der = await readPublishedCrl();
		console.log(`${MANY} revoked: ${der.length} bytes, ${Math.round(took)} ms from cron to published`);
		expect(der.length).toBeGreaterThan(MANY * 45);
		expect(der.length).toBeLessThan(MANY * 55);
		expect(took).toBeLessThan(15_000);
	});
	testWith("openssl", "and openssl reads every one of them, and still judges ours", async () => {
		const file = await downloadCrl(readPublishedCrl());
		const { text } = await files.openssl("crl -inform der -CAfile issuing.pem -text -noout -in", file);
		expect(text).toContain("verify OK");
		const listed = [...text.matchAll(/Serial Number: ([0-9A-F]{32})/g)].map(([, serial]) => serial!);
		expect(listed).toHaveLength(MANY + 2);
		expect(new Set(listed).size).toBe(MANY + 2);
		expect(listed).toEqual([...listed].sort());
		const verified = await files.openssl(
			"verify -crl_check -CAfile root.pem -untrusted issuing.pem -CRLfile crl.pem good.pem revoked.pem",
		);
		expect(verified.text).toContain("good.pem: OK");
		expect(verified.text).toContain("certificate revoked");
	});
});
