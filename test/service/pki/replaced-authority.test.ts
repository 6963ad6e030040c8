import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { createAuthoritySettings, RETIRED } from "../../support/authority-settings.ts";
import { passTime, setTime } from "../../support/clock.ts";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { app } from "../../../src/app.ts";
import type { Bindings } from "../../../src/bindings.ts";
import { cronCaller } from "../../../src/jobs/job.ts";
import { remindOfCertificates } from "../../../src/jobs/remind.ts";
import { runJob } from "../../../src/jobs/run.ts";
import { watchAuthority } from "../../../src/jobs/watch-authority.ts";
import { beginMending } from "../../../src/mending.ts";
import { keepCrlFresh } from "../../../src/pki/publish-crl.ts";
import { platformOf } from "../../../src/platform.ts";
import { endMendingUnderWay } from "../../../src/services/end-mending.ts";
import { REGISTER } from "../../support/db.ts";
import { codeRow, holderMessagesOf } from "../../support/look-inside.ts";
import { encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import { emitted, enterRevoked, authority as old, responder, untilCrlIsBuilt } from "../../support/pki.ts";
import { deliverMessages, holdQueue, spyOnEmail } from "../../support/receiver.ts";
import { freshService, ops, Partner } from "../../support/service.ts";
import { keepDatabase, setDatabaseBack } from "../../support/set-back.ts";

/* Another authority took over: what was said of the leaves of the one before is said on. */

const created = await createAuthoritySettings("TEST Second");
const replaced = { ...env, ...RETIRED, ...created } as unknown as Bindings;
const platform = await platformOf(replaced);

async function get(path: string, bindings = replaced) {
	const response = await app.fetch(
		new Request(`http://service.test/pki/${path}`),
		bindings,
		createExecutionContext(),
	);
	return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
}

async function serialsOf(path: string, signedBy: { certificate: Uint8Array }) {
	const crl = new x509.X509Crl((await get(path)).body);
	const issuer = new x509.X509Certificate(signedBy.certificate as BufferSource);
	expect(await crl.verify({ publicKey: issuer })).toBe(true);
	return crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase());
}

async function askOcsp(by: typeof responder, serials: readonly string[]) {
	const asked = encodeRequest(
		by,
		serials.map((serial) => ({ serial })),
	);
	return readResponse((await get(`ocsp/${encodeURIComponent(asked.toBase64())}`)).body);
}

/** A certificate that the old authority signed, revoked. */
async function revokedBefore(): Promise<string> {
	const { serial } = await emitted();
	await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
	await untilCrlIsBuilt();
	return serial;
}

beforeEach(freshService);
afterEach(untilCrlIsBuilt);

test("the old leaves' CRL and OCSP answers go on, signed by the old authority, and the new one's are its own", async () => {
	const serial = await revokedBefore();
	const good = (await emitted()).serial;
	const [later] = await enterRevoked(1, { issuer: platform.authority.keyId });
	await keepCrlFresh(platform);

	expect(await serialsOf(`${old.keyId}/crl`, old)).toEqual([serial]);
	expect(await serialsOf(`${platform.authority.keyId}/crl`, platform.authority)).toEqual([later]);
	// Both are asked: what is kept of one authority's certificates says nothing of the other's.
	const asked = [serial, good, later!];
	const revoked = (reason: number) => expect.stringMatching(new RegExp(`^revoked .* ${reason}$`));
	const newer = await askOcsp(platform.authorities[1]!.responder!, asked);
	expect(newer.statuses).toEqual(["unknown", "unknown", revoked(4)]);
	expect((await askOcsp(responder, asked)).statuses).toEqual([revoked(1), "good", "unknown"]);
});

test("the reminder of a certificate names the authority that signed it", async () => {
	holdQueue();
	const sent = spyOnEmail();
	setTime(Date.now());
	const partner = await Partner.create({ mode: "B2B", holder_reminders: true });
	const { pCode } = await emitted(partner);
	setTime((await codeRow(pCode)).certificate_not_after - 30 * DAY_MS);
	await runJob(cronCaller(platform, { name: "test" }, Date.now()), remindOfCertificates);
	const [reminder] = (await holderMessagesOf(pCode)).filter(({ event }) => event === "holder.expiring");
	await deliverMessages(reminder!.id);
	const { text } = sent.at(-1)!;
	expect(text).toContain(old.commonName);
	expect(text).not.toContain(platform.authority.commonName);
});

test("before a mending ends, what the old authority's CRL alone lists is entered", async () => {
	await keepDatabase();
	const serial = await revokedBefore();
	await setDatabaseBack([REGISTER]);
	await beginMending({ pki: env.PKI }, 2, { now: Date.now(), restoredTo: null });
	const caller = cronCaller(platform, { name: "test" }, Date.now());
	expect(await endMendingUnderWay(caller, { database: 2, why: "test" })).toBe(false);
	expect((await askOcsp(responder, [serial])).statuses).toEqual([expect.stringMatching(/^revoked /)]);
});

test("a warning is logged in time before each authority's OCSP certificate and the root's CRL end", async () => {
	const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined);
	const { rootCrl } = await platformOf(env);
	const watch = () =>
		runJob(cronCaller({ ...platform, rootCrl }, watchAuthority, Date.now()), watchAuthority);
	expect((await watch()).report).toMatchObject({ ocsp_days: expect.any(Number) });
	expect(warnings).not.toHaveBeenCalled();
	passTime(330 * DAY_MS);
	await watch();
	expect(warnings.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
		{ event: "authority_ends", certificate: "ocsp", key_id: old.keyId },
		{ event: "authority_ends", certificate: "ocsp", key_id: platform.authority.keyId },
		{ event: "authority_ends", certificate: "root_crl" },
	]);
});

test("each authority's certificate is at its address, and at no other", async () => {
	expect((await get(`${old.keyId}/cer`)).body).toEqual(old.certificate);
	expect((await get(`${platform.authority.keyId}/cer`)).body).toEqual(platform.authority.certificate);
	for (const file of ["cer", "crl"])
		for (const path of [`${"0".repeat(40)}/${file}`, `issuing.${file}`])
			expect((await get(path)).status).toBe(404);
});

test("a revocation after the replacement brings both lists up to date, each with numbers of its own", async () => {
	const serial = await revokedBefore();
	await keepCrlFresh(platform);
	const second = (await emitted()).serial;
	await ops("POST", `/certificates/${second}/revoke`, { reason: "superseded" });
	await keepCrlFresh(platform);
	expect(await serialsOf(`${old.keyId}/crl`, old)).toEqual([serial, second].sort());
	expect(await serialsOf(`${platform.authority.keyId}/crl`, platform.authority)).toEqual([]);
	const { results } = await env.DB.prepare("SELECT key_id FROM crl_state").all();
	expect(results.map(({ key_id }) => key_id).sort()).toEqual([old.keyId, platform.authority.keyId].sort());
});

test.for([undefined, "", " "])(
	"with %j as its key, a leaked authority's CRL is the one that a ceremony put into the bucket",
	async (none) => {
		const serial = await revokedBefore();
		const signed = (await get(`${old.keyId}/crl`)).body;
		const leaked = { ...replaced, RETIRED_1_ISSUING_KEY: none } as unknown as Bindings;
		expect((await platformOf(leaked)).authorities[0]!.signer).toBe(null);
		await env.PKI.put(`crl/${old.keyId}.crl`, signed);
		await enterRevoked(1);
		await keepCrlFresh(await platformOf(leaked));
		expect((await get(`${old.keyId}/crl`, leaked)).body).toEqual(signed);
		expect((await askOcsp(responder, [serial])).statuses).toEqual([expect.stringMatching(/^revoked/)]);
		vi.spyOn(console, "error").mockImplementation(() => {});
		const ends = { customMetadata: { nextUpdate: String(Date.now() + 3 * MINUTE_MS) } };
		await env.PKI.put(`crl/${old.keyId}.crl`, signed, ends);
		passTime(MINUTE_MS);
		expect((await get(`${old.keyId}/crl`, leaked)).body).toEqual(signed);
		// Caches would keep it past its end.
		passTime(MINUTE_MS);
		expect((await get(`${old.keyId}/crl`, leaked)).status).toBe(503);
		await env.PKI.delete(`crl/${old.keyId}.crl`);
		expect((await get(`${old.keyId}/crl`, leaked)).status).toBe(503);
	},
);

test.for([
	[
		"without a certificate",
		{ RETIRED_1_ISSUING_CERTIFICATE: "" },
		"RETIRED_1_ISSUING_CERTIFICATE is missing",
	],
	["with half a responder", { RETIRED_1_OCSP_KEY: undefined }, "RETIRED_1_OCSP_KEY and OCSP_CERTIFICATE"],
	["with another one's key", { RETIRED_1_ISSUING_KEY: created.ISSUING_KEY }, "RETIRED_1_… is unusable"],
	["with another one's responder", { RETIRED_1_OCSP_KEY: created.OCSP_KEY }, "RETIRED_1_… is unusable"],
] as const)("a replaced authority %s does not start", async ([, change, message]) => {
	await expect(platformOf({ ...replaced, ...change } as unknown as Bindings)).rejects.toThrow(message);
});

test("a replaced authority whose four settings are empty is one that was taken away", async () => {
	const emptied = Object.fromEntries(Object.keys(RETIRED).map((name) => [name, ""]));
	const { authorities } = await platformOf({ ...replaced, ...emptied } as unknown as Bindings);
	expect(authorities.map(({ keyId }) => keyId)).toEqual([platform.authority.keyId]);
});

test("a setting of no name that is read does not start", async () => {
	const names = ["RETIRED_10_ISSUING_KEY", "RETIRED_ISSUING_KEY", "RETIRED_0_OCSP_KEY", "RETIRED_1_ROOT_CRL"];
	for (const name of [...names, "RETIRED_1_ISSUING_KEY_"])
		for (const value of ["secret-value", ""]) {
			const refused = platformOf({ ...replaced, [name]: value } as unknown as Bindings);
			await expect(refused).rejects.toThrow(`${name} is not a setting`);
		}
});
