import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { createTestHarness } from "wrangler";
import { migrate } from "../support/local-service.ts";
import { openWithOpenssl } from "./pfx-openers.ts";
import { PkiHost, postTo } from "./pki-host.ts";
import { crlPem } from "./publish-crl.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testWith } from "./tool-test.ts";

/*
 * The runbook "a leaked issuing key", carried out: first ceremony, a second issuing authority under the same root, the
 * first one retired, then revoked by the root. After each step openssl checks every link of every chain against the
 * CRLs that the certificates themselves name. The tests go on from each other.
 */

const root = join(import.meta.dirname, "..", "..");
const files = new ToolFolder();
const pkiHost = await PkiHost.start();
const harness = createTestHarness({ root, workers: [] });
pkiHost.harness = harness;
const OPS_TOKEN = randomBytes(24).toString("hex");
const opsSecrets = pkiHost.secrets(OPS_TOKEN);
const PEOPLE = {
	good: { dni: "22222222-2", serialNumber: "A222222222" },
	revoked: { dni: "12345678-5", serialNumber: "B12345678" },
	new: { dni: "10000013-k", serialNumber: "100000013" },
} as const;
const PIN = "0042";
let key: Record<string, string>;

/** A script of the ceremony, as the runbook has it. @returns what it printed */
async function ceremony(script: string, ...args: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)("node", [join(root, "scripts", script), ...args]);
	return stdout;
}

function createAuthority(name: string, ...more: string[]): Promise<string> {
	const where = ["--pki-url", pkiHost.url, "--out", files.path(name)];
	return ceremony("create-authority.ts", "--name", `TEST ${name}`, "--key", "p-384", ...where, ...more);
}

function secretsOf(name: string): Record<string, string> {
	return parseEnv(readFileSync(files.path(join(name, "secrets.env")), "utf8")) as Record<string, string>;
}

/** The four secrets of an authority that was replaced, under their new names. */
function retiredSecretsOf(name: string): Record<string, string> {
	const of = secretsOf(name);
	const names = ["ISSUING_KEY", "ISSUING_CERTIFICATE", "OCSP_KEY", "OCSP_CERTIFICATE"];
	return Object.fromEntries(names.map((secret) => [`RETIRED_1_${secret}`, of[secret]!]));
}

/** Deploys the service with these secrets; what it stored stays. */
async function deploy(secrets: Record<string, string>): Promise<void> {
	await harness.update({
		root,
		workers: [{ configPath: "./wrangler.toml", vars: pkiHost.vars, secrets: { ...secrets, ...opsSecrets } }],
	});
	await harness.listen();
}

const post = postTo(harness);

const ops = (path: string, body: unknown) =>
	post(`/ops/v1${path}`, body, { authorization: `Bearer ${OPS_TOKEN}` });

/** Claims a certificate and leaves it as `<name>.pem`. @returns its serial */
async function obtain(name: keyof typeof PEOPLE): Promise<string> {
	const bulk = await post("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 }, key);
	const pCode = bulk.data.pcodes[0] as string;
	const holder = { pCode, referenceId: "x", email: `${name}@example.cl`, pin: PIN, ...PEOPLE[name] };
	await post("/api/partners/v1/certificate_request", holder, key);
	const claim = { p_code: pCode, dni: PEOPLE[name].dni, pin: PIN };
	const { data } = await post("/api/partners/v1/certificate_claim", claim, key);
	files.write(
		`${name}.pem`,
		openWithOpenssl(new Uint8Array(Buffer.from(data.certificate, "base64")), PIN).leafPem,
	);
	return data.serialNumber;
}

/** Fetches the CRL that a certificate names. */
async function downloadCrl(certificate: string) {
	const { text } = await files.openssl(`x509 -in ${certificate} -noout -ext crlDistributionPoints`);
	const address = /URI:(\S+)/.exec(text)![1]!;
	const response = await fetch(address);
	expect([address, response.status]).toEqual([address, 200]);
	return { address, der: new Uint8Array(await response.arrayBuffer()) };
}

/** openssl's verdict on a leaf and on every link above it, by the CRLs that the certificates name now. */
async function verify(leaf: keyof typeof PEOPLE, issuing: "First" | "Second"): Promise<string> {
	files.write("leaf.crl.pem", crlPem((await downloadCrl(`${leaf}.pem`)).der));
	files.write("root.crl.pem", crlPem((await downloadCrl(join(issuing, "issuing.pem"))).der));
	const { text } = await files.openssl(
		"verify -crl_check_all -x509_strict -CRLfile leaf.crl.pem -CRLfile root.crl.pem",
		...["-CAfile", join("First", "root.pem"), "-untrusted", join(issuing, "issuing.pem"), `${leaf}.pem`],
	);
	return text;
}

beforeAll(async () => {
	await createAuthority("First");
	await deploy(secretsOf("First"));
	await migrate(harness);
	const created = await ops("/partners", { name: "Rehearsal" });
	key = { "x-gw": created.data.api_key as string };
	await obtain("good");
	const serial = await obtain("revoked");
	await ops(`/certificates/${serial}/revoke`, { reason: "keyCompromise" });
	await harness.getWorker().scheduled({ cron: "* * * * *" });
});
afterAll(async () => {
	await harness.close();
	pkiHost.close();
	files[Symbol.dispose]();
});

testWith(
	"openssl",
	"before: every link is checked; the good leaf verifies, the revoked one does not",
	async () => {
		expect(await verify("good", "First")).toBe("good.pem: OK\n");
		expect(await verify("revoked", "First")).toContain("error 23 at 0 depth lookup: certificate revoked");
	},
);

testWith(
	"openssl",
	"replaced: the old leaves are judged as before, new ones chain to the new authority",
	async () => {
		await createAuthority("Second", "--root", files.path("First"));
		await deploy({ ...retiredSecretsOf("First"), ...secretsOf("Second") });
		await obtain("new");
		await harness.getWorker().scheduled({ cron: "* * * * *" });
		expect(await verify("good", "First")).toBe("good.pem: OK\n");
		expect(await verify("revoked", "First")).toContain("error 23 at 0 depth lookup: certificate revoked");
		expect(await verify("new", "Second")).toBe("new.pem: OK\n");
		expect(await verify("new", "First")).toContain("unable to get local issuer certificate");
	},
);

testWith(
	"openssl",
	"revoked by the root: every leaf of the leaked authority is refused, no other",
	async () => {
		const revocation = ["--root", files.path("First"), "--revoke", files.path(join("First", "issuing.pem"))];
		const rootCrl = parseEnv(await ceremony("create-root-crl.ts", ...revocation)) as Record<string, string>;
		const keyless = { ...retiredSecretsOf("First"), RETIRED_1_ISSUING_KEY: "" };
		await deploy({ ...keyless, ...secretsOf("Second"), ...rootCrl });
		const published = await downloadCrl("good.pem");
		const last = ["--authority", files.path("First"), "--last", files.write("last.crl", published.der)];
		await ceremony("create-final-crl.ts", ...last, "--out", files.path("final.crl"));

		const { PKI } = (await harness.getWorker().getEnv()) as { PKI: R2Bucket };
		const keyId = /\/pki\/([0-9a-f]{40})\/crl$/.exec(published.address)![1]!;
		const final = readFileSync(files.path("final.crl"));
		await PKI.put(`crl/${keyId}.crl`, final);
		await harness.getWorker().scheduled({ cron: "* * * * *" });
		const put = await PKI.get(`crl/${keyId}.crl`);
		expect(new Uint8Array(await put!.arrayBuffer())).toEqual(new Uint8Array(final));

		// The address still answers what it kept for a minute; test/service/pki has its answer.
		files.write("final.crl.pem", crlPem(final));
		const { text } = await files.openssl(
			"crl -in final.crl.pem -noout -nextupdate -CAfile First/issuing.pem",
		);
		expect(text).toMatch(/verify OK\nnextUpdate=.* 20\d\d GMT/);
		expect(await verify("good", "First")).toContain("error 23 at 1 depth lookup: certificate revoked");
		expect(await verify("revoked", "First")).toContain("error 23 at 0 depth lookup: certificate revoked");
		expect(await verify("new", "Second")).toBe("new.pem: OK\n");
	},
);
