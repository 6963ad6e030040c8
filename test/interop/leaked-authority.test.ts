import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { createTestHarness } from "wrangler";
import { migrate, ROOT } from "../support/local-service.ts";
import { isInstalled } from "./pfx-openers.ts";
import { obtainCertificate, PkiHost, postTo } from "./pki-host.ts";
import { crlPem } from "./publish-crl.ts";
import { FileAuthorities, type Name, TokenAuthorities } from "./rehearsed-authorities.ts";
import { ToolFolder } from "./revocation-tools.ts";
import { testsAtNight } from "./tool-test.ts";

/*
 * The runbook "a leaked issuing key", carried out while the service runs, with keys in files and with keys in tokens behind
 * signers: first ceremony, a second issuing authority under the same root, the first one retired, then revoked by the root.
 * After each step openssl checks every link of every chain against the CRLs that the certificates themselves name, and asks
 * the OCSP addresses that they name. The tests go on from each other, at night alone.
 */

/** A test holds ceremonies, starts a signer and deploys. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const harness = createTestHarness({ root: ROOT, workers: [] });
const OPS_TOKEN = randomBytes(24).toString("hex");
let pkiHost: PkiHost;
const PEOPLE = {
	good: { dni: "22222222-2", serialNumber: "A222222222" },
	revoked: { dni: "12345678-5", serialNumber: "B12345678" },
	late: { dni: "11111111-1", serialNumber: "111111111" },
	new: { dni: "10000013-k", serialNumber: "100000013" },
} as const;

const post = postTo(harness);

const ops = (path: string, body: unknown) =>
	post(`/ops/v1${path}`, body, { authorization: `Bearer ${OPS_TOKEN}` });

beforeAll(async () => {
	pkiHost = await PkiHost.start();
	pkiHost.harness = harness;
});
afterAll(async () => {
	await harness.close();
	pkiHost.close();
});

/** Authorities, programs, and the OCSP answer about a withdrawn one: nobody gives one where a signer had its key. */
const PLACES = [
	["files", FileAuthorities, ["openssl"], /Response verify OK[\s\S]*revoked\.pem: revoked/],
	["tokens", TokenAuthorities, ["openssl", "softhsm2-util"], /Responder Error: unauthorized/],
] as const;

describe.each(PLACES)("with keys in %s,", (_, Rehearsed, tools, withdrawn) => {
	const test = testsAtNight(tools);
	const files = new ToolFolder();
	let authorities: FileAuthorities | TokenAuthorities;
	let retired: Record<string, string>;
	let key: Record<string, string>;

	/** Deploys the service with these secrets; what it stored stays. */
	async function deploy(secrets: Record<string, string>): Promise<void> {
		const vars = { ...pkiHost.vars, ...authorities.vars };
		const given = { ...secrets, ...pkiHost.secrets(OPS_TOKEN) };
		const worker = { configPath: "./wrangler.toml", vars, secrets: given };
		await harness.update({ root: ROOT, workers: [worker] });
		await harness.listen();
	}

	/** Claims a certificate and leaves it as `<name>.pem`. @returns its serial */
	async function obtain(name: keyof typeof PEOPLE): Promise<string> {
		const { serial, leafPem } = await obtainCertificate(post, { ...PEOPLE[name], pin: "0042" }, key);
		files.write(`${name}.pem`, leafPem);
		return serial;
	}

	/** Fetches the CRL that a certificate names. */
	async function downloadCrl(certificate: string) {
		const { text } = await files.openssl(`x509 -in ${certificate} -noout -ext crlDistributionPoints`);
		const address = /URI:(\S+)/.exec(text)![1]!;
		const response = await fetch(address);
		expect([address, response.status]).toEqual([address, 200]);
		return { address, der: new Uint8Array(await response.arrayBuffer()) };
	}

	/** The first one's CRL in the bucket: its address still answers what it kept for a minute. */
	async function findCrl() {
		const { address } = await downloadCrl("good.pem");
		const key = `crl/${/\/pki\/([0-9a-f]{40})\/crl$/.exec(address)![1]}.crl`;
		const { PKI } = (await harness.getWorker().getEnv()) as { PKI: R2Bucket };
		const read = async () => new Uint8Array(await (await PKI.get(key))!.arrayBuffer());
		return { read, put: (crl: Uint8Array) => PKI.put(key, crl) };
	}

	/** openssl's verdict on a leaf and on every link above it, by the CRLs that the certificates name now. */
	async function verify(leaf: keyof typeof PEOPLE, issuing: Name): Promise<string> {
		files.write("leaf.crl.pem", crlPem((await downloadCrl(`${leaf}.pem`)).der));
		files.write("root.crl.pem", crlPem((await downloadCrl(join(issuing, "issuing.pem"))).der));
		const { text } = await files.openssl(
			"verify -crl_check_all -x509_strict -CRLfile leaf.crl.pem -CRLfile root.crl.pem",
			...["-CAfile", join("First", "root.pem"), "-untrusted", join(issuing, "issuing.pem"), `${leaf}.pem`],
		);
		return text;
	}

	/** Asks the OCSP address that a leaf names. @returns what openssl reads of the answer */
	async function askOcsp(leaf: keyof typeof PEOPLE, issuing: Name): Promise<string> {
		const { text: address } = await files.openssl(`x509 -in ${leaf}.pem -noout -ocsp_uri`);
		const [issuer, root] = [join(issuing, "issuing.pem"), join("First", "root.pem")];
		const trusted = ["-issuer", issuer, "-CAfile", root, "-verify_other", issuer];
		const question = ["-url", address.trim(), "-cert", `${leaf}.pem`];
		return (await files.run("openssl", "ocsp", ...trusted, ...question)).text;
	}

	beforeAll(async () => {
		if (!tools.every(isInstalled)) return;
		authorities = new Rehearsed(files, pkiHost);
		await authorities.create("First");
		await deploy(authorities.secretsOf("First"));
		await migrate(harness);
		const created = await ops("/partners", { name: "Rehearsal" });
		key = { "x-gw": created.data.api_key as string };
		await obtain("good");
		const serial = await obtain("revoked");
		await ops(`/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		await harness.getWorker().scheduled({ cron: "* * * * *" });
	});
	afterAll(async () => {
		await authorities?.close();
		files[Symbol.dispose]();
	});

	test("before: every link is checked; the good leaf verifies, the revoked one not", async () => {
		expect(await verify("good", "First")).toBe("good.pem: OK\n");
		expect(await verify("revoked", "First")).toContain("error 23 at 0 depth lookup: certificate revoked");
		expect(await askOcsp("good", "First")).toMatch(/Response verify OK[\s\S]*good\.pem: good/);
	});

	test("replaced: old leaves are judged as before, new ones chain to the new one", async () => {
		const late = await obtain("late");
		await authorities.create("Second");
		retired = await authorities.retire();
		await deploy({ ...authorities.secretsOf("Second"), ...retired });
		await obtain("new");
		await ops(`/certificates/${late}/revoke`, { reason: "superseded" });
		await harness.getWorker().scheduled({ cron: "* * * * *" });
		expect(await verify("good", "First")).toBe("good.pem: OK\n");
		expect(await verify("revoked", "First")).toContain("error 23 at 0 depth lookup: certificate revoked");
		expect(await verify("new", "Second")).toBe("new.pem: OK\n");
		expect(await verify("new", "First")).toContain("unable to get local issuer certificate");
		expect(await askOcsp("good", "First")).toMatch(/Response verify OK[\s\S]*good\.pem: good/);
		expect(await askOcsp("revoked", "First")).toMatch(/Response verify OK[\s\S]*revoked\.pem: revoked/);
		expect(await askOcsp("new", "Second")).toMatch(/Response verify OK[\s\S]*new\.pem: good/);
		files.write("last.crl", await (await findCrl()).read());
		const { text } = await files.openssl("crl -inform der -in last.crl -text -CAfile First/issuing.pem");
		for (const shown of ["verify OK", `Serial Number: ${late}`]) expect(text).toContain(shown);
	});

	test("revoked by the root: each leaf of the leaked authority is refused, no other", async () => {
		const rootCrl = await authorities.withdraw();
		const keyless = { ...retired, RETIRED_1_ISSUING_KEY: "", RETIRED_1_SIGNER_URL: "" };
		await deploy({ ...authorities.secretsOf("Second"), ...keyless, ...rootCrl });
		const crl = await findCrl();
		files.write("last.crl", await crl.read());
		await authorities.signFinalCrl();
		const final = new Uint8Array(readFileSync(files.path("final.crl")));
		await crl.put(final);
		await harness.getWorker().scheduled({ cron: "* * * * *" });
		expect(await crl.read()).toEqual(final);

		files.write("final.crl.pem", crlPem(final));
		const options = "crl -in final.crl.pem -noout -nextupdate -CAfile First/issuing.pem";
		const { text } = await files.openssl(options);
		expect(text).toMatch(/verify OK\nnextUpdate=.* 20\d\d GMT/);
		expect(await verify("good", "First")).toContain("error 23 at 1 depth lookup: certificate revoked");
		expect(await verify("revoked", "First")).toContain("error 23 at 0 depth lookup: certificate revoked");
		expect(await verify("new", "Second")).toBe("new.pem: OK\n");
		expect(await askOcsp("revoked", "First")).toMatch(withdrawn);
	});
});
