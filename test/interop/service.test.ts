import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { checkMacWithPkijs, openWithForge, openWithPkijs } from "./pfx-library-openers.ts";
import {
	describeWithOpenssl,
	encodePem,
	openWithCerttool,
	openWithKeytool,
	openWithOpenssl,
	openWithPk12util,
	verifyWithOpenssl,
} from "./pfx-openers.ts";
import { testWith } from "./tool-test.ts";

/* The service from wrangler.toml behind a real URL: what it hands out, opened by other programs. */

const root = join(import.meta.dirname, "..", "..");
const secrets = parseEnv(readFileSync(join(root, ".dev.vars"), "utf8")) as Record<string, string>;
const harness = createTestHarness({ root, workers: [{ configPath: "./wrangler.toml" }] });

const PEOPLE = [
	{ dni: "22222222-2", serialNumber: "A222222222", name: "PEDRO PABLO MUÑOZ ÑANCUPIL", pin: "0042" },
	{ dni: "12345678-5", serialNumber: "B12345678", name: "MARÍA JOSÉ DEL RÍO O'HIGGINS", pin: "9999" },
	{ dni: "10000013-k", serialNumber: "100000013", name: "JOSÉ ROJAS", pin: "0000" },
	{ dni: "5.126.663-3", serialNumber: "512666333", name: "ROSA ESTER SILVA TAPIA", pin: "1234" },
] as const;

const VARIANTS = [
	{ pfx_profile: "modern", key_algorithm: "rsa-2048" },
	{ pfx_profile: "legacy", key_algorithm: "rsa-2048" },
	{ pfx_profile: "modern", key_algorithm: "ec-p256" },
	{ pfx_profile: "legacy", key_algorithm: "ec-p256" },
] as const;

async function post(path: string, body: unknown, headers: Record<string, string>) {
	const response = await harness.fetch(path, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
	// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
	return { status: response.status, body: (await response.json()) as any };
}

/** One person's certificate, by the three calls a partner makes. */
async function obtain(person: (typeof PEOPLE)[number], settings: (typeof VARIANTS)[number]) {
	const authorization = `Bearer ${secrets.OPS_TOKEN}`;
	const created = await post("/ops/v1/partners", { name: "Interop", ...settings }, { authorization });
	const key = { "x-gw": created.body.data.api_key as string };
	const bulk = await post("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 }, key);
	const pCode = bulk.body.data.pcodes[0] as string;
	const { dni, serialNumber, pin } = person;
	const email = `${dni.replaceAll(".", "")}@example.cl`;
	const holder = { pCode, referenceId: "interop", dni, email, pin, serialNumber };
	const requested = await post("/api/partners/v1/certificate_request", holder, key);
	expect(requested.body.data.titular.nombreCompleto).toBe(person.name);
	const claimed = await post("/api/partners/v1/certificate_claim", { p_code: pCode, dni, pin }, key);
	expect(claimed.status).toBe(200);
	return {
		pfx: new Uint8Array(Buffer.from(claimed.body.data.certificate, "base64")),
		data: claimed.body.data,
	};
}

beforeAll(async () => {
	await harness.listen();
	for (const binding of ["DB", "DB_2"]) await harness.getWorker().applyD1Migrations(binding);
});
afterAll(() => harness.close());

/** Each person has a form of the file; test/interop/pfx.test.ts opens every form under both authorities. */
describe.each(VARIANTS.map((settings, i) => ({ ...settings, person: PEOPLE[i]! })))(
	"$pfx_profile PFX with $key_algorithm of $person.name",
	({ person, ...settings }) => {
		let issued: Awaited<ReturnType<typeof obtain>>;
		beforeAll(async () => {
			issued = await obtain(person, settings);
		});
		const { pin, name } = person;
		const rut = person.dni.replaceAll(".", "").toUpperCase();
		const pfxOf = () => issued.pfx;
		const leafOf = () => new X509Certificate(openWithOpenssl(pfxOf(), pin).leafPem);

		testWith("openssl", `openssl finds ${name}, the RUT and the answered serial and dates`, () => {
			const leaf = leafOf();
			const { serialNumber, validFrom, validTo } = issued.data;
			expect(leaf.subject.split("\n")).toEqual(expect.arrayContaining([`CN=${name}`, `serialNumber=${rut}`]));
			expect(leaf.serialNumber).toBe(serialNumber);
			expect([leaf.validFromDate, leaf.validToDate]).toEqual([new Date(validFrom), new Date(validTo)]);
			expect(describeWithOpenssl(leaf.toString())).toContain("1.3.6.1.4.1.8321.1");
		});
		testWith("openssl", `openssl verify -x509_strict accepts the chain of ${name}`, () => {
			const chain = {
				leaf: leafOf().toString(),
				issuing: encodePem(Buffer.from(secrets.ISSUING_CERTIFICATE!, "base64")),
				root: encodePem(Buffer.from(secrets.ROOT_CERTIFICATE!, "base64")),
			};
			expect(verifyWithOpenssl(chain, new Date())).toContain("OK");
		});
		for (const [tool, open] of [
			["openssl", openWithOpenssl],
			["keytool", openWithKeytool],
			["certtool", openWithCerttool],
			["pk12util", openWithPk12util],
		] as const) {
			testWith(tool, `${tool} opens the file of ${name} with its PIN: leaf, chain and key`, () => {
				expect(open(pfxOf(), pin)).toMatchObject({ chainLength: 3, keyOpened: true });
			});
		}
		test(`PKI.js verifies the file of ${name}`, async () => {
			expect(await checkMacWithPkijs(pfxOf(), pin)).toBe(true);
			if (settings.pfx_profile === "legacy") return;
			expect((await openWithPkijs(pfxOf(), pin)).friendlyName).toBe(name);
		});
		if (settings.key_algorithm === "rsa-2048") {
			test(`node-forge opens the file of ${name}`, () => {
				expect(openWithForge(pfxOf(), pin).certificates).toHaveLength(3);
			});
		}
	},
);
