import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { passTime, setTime } from "../../support/clock.ts";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { beforeEach, expect, test, vi } from "vitest";
import { createAuthority } from "../../../scripts/create-authority.ts";
import { app } from "../../../src/app.ts";
import type { Bindings } from "../../../src/bindings.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/domain/durations.ts";
import { authorityDates } from "../../../src/pki/authority-dates.ts";
import { keepCrlFresh, refreshCrl } from "../../../src/pki/publish-crl.ts";
import { crlKey } from "../../../src/pki/published-crl.ts";
import { findResponder, renewResponders } from "../../../src/pki/renewed-responder.ts";
import { platformOf } from "../../../src/platform.ts";
import { createLocalSigner } from "../../../src/x509/signatures.ts";
import { encodeRequest, readResponse } from "../../support/ocsp-client.ts";
import { authority, emitted, enterRevoked, published, responder } from "../../support/pki.ts";
import { randomKey } from "../../support/prod.ts";
import { freshService } from "../../support/service.ts";
import { refuse, TestSigner } from "../../support/signer.ts";

/* CRLs and OCSP answers of an authority whose key is behind a signer. */

let signer: TestSigner;
beforeEach(async () => {
	await freshService();
	signer = new TestSigner();
	setTime(Date.now());
});

const askedFor = (kind: string) => signer.asked.filter((one) => one.kind === kind);

async function publish() {
	const platform = await signer.platform();
	return refreshCrl(platform);
}

async function listed(): Promise<string[]> {
	const crl = new x509.X509Crl((await (await env.PKI.get(crlKey(authority)))!.bytes()) as BufferSource);
	const issuer = new x509.X509Certificate(env.ISSUING_CERTIFICATE);
	expect(await crl.verify({ publicKey: issuer })).toBe(true);
	return crl.entries.map(({ serialNumber }) => serialNumber.toUpperCase()).sort();
}

async function askOcsp(serial: string, bindings = signer.bindings) {
	const path = encodeURIComponent(encodeRequest(responder, [{ serial }]).toBase64());
	const request = new Request(`http://service.test/pki/ocsp/${path}`);
	const answer = await app.fetch(request, bindings, createExecutionContext());
	return readResponse(new Uint8Array(await answer.arrayBuffer()));
}

test("a CRL is signed by the signer, and what it names as missing is entered, numbered anew and asked again", async () => {
	const [kept] = await enterRevoked(1);
	expect((await publish())?.number).toBe(1);
	expect(await listed()).toEqual([kept]);

	// D1 and the bucket were put back: the signer alone remembers a revocation and its last number.
	await env.PKI.delete(crlKey(authority));
	await env.DB.prepare("DELETE FROM crl_state").run();
	const lost = "7A00000000000000000000000000000B";
	const missing = [{ serial: lost, revoked_at: Date.now() - DAY_MS, reason: "keyCompromise" }];
	let refusals = 0;
	signer.answer = () =>
		refusals++ === 0 ? refuse(409, "CRL_MISSING_ENTRIES", { last_number: 41, missing }) : null;
	expect((await publish())?.number).toBe(42);
	expect(await listed()).toEqual([kept, lost].sort());
	expect((await askOcsp(lost)).statuses).toEqual([expect.stringMatching(/^revoked .* 1$/)]);
});

test("a CRL that the signer goes on refusing is reported, and the published one stays", async () => {
	await publish();
	const before = await published();
	await enterRevoked(1);
	const lines = vi.spyOn(console, "error").mockImplementation(() => {});
	for (const answer of [
		() => refuse(409, "CRL_NUMBER", { last_number: 900, missing: [] }),
		() => refuse(403, "STOPPED"),
		() => Response.json({ signature: "AAAA", entry: 1, head: "0".repeat(64), head_signature: "AAAA" }),
	]) {
		signer.answer = answer;
		await keepCrlFresh(await signer.platform());
		expect(lines.mock.lastCall?.[0]).toContain('"crl_not_refreshed"');
		expect(await published()).toEqual(before);
	}
	signer.answer = null;
	await keepCrlFresh(await signer.platform());
	expect((await published())!.number).toBeGreaterThan(900);
});

test("a responder is made once, renewed on its third day, and answers all the while", async () => {
	const { serial } = await emitted();
	const platform = await signer.platform();
	const ends: number[] = [];
	for (let hour = 0; hour <= 8 * 24; hour += 6) {
		await renewResponders(platform);
		const [, ocsp] = await authorityDates(platform, platform.clock());
		ends.push(ocsp!.endsAt);
		expect([ocsp!.certificate, ocsp!.isNear]).toEqual(["ocsp", false]);
		expect((await askOcsp(serial)).statuses).toEqual(["good"]);
		passTime(6 * HOUR_MS);
	}
	const [first] = ends as [number];
	expect([...new Set(ends)].map((end) => (end - first) / HOUR_MS)).toEqual([0, 54, 108, 162]);
	expect(askedFor("ocsp-responders")).toHaveLength(4);
});

test("the responder's key is sealed, and sealed again once the sealing key is another", async () => {
	const platform = await signer.platform();
	await renewResponders(platform);
	const found = (await findResponder(platform, platform.authorities[0]!))!;
	const read = () => env.PKI.get(`ocsp/${authority.keyId}`).then((object) => object!.json<{ key: string }>());
	expect((await read()).key).toMatch(/^k1\./);

	const SEALING_KEYS = `k2:${randomKey()},${env.SEALING_KEYS}`;
	const rotated = await new TestSigner({ SEALING_KEYS, SIGNER: signer }).platform();
	await renewResponders(rotated);
	expect((await read()).key).toMatch(/^k2\./);
	const again = await findResponder(rotated, rotated.authorities[0]!);
	expect([again!.certificate, again!.keyHash]).toEqual([found.certificate, found.keyHash]);
	expect(askedFor("ocsp-responders")).toHaveLength(1);
});

test("an answer lost on the way: the same request is sent again, until the signer finds it wrong", async () => {
	const lines = vi.spyOn(console, "error").mockImplementation(() => {});
	const platform = await signer.platform();
	const sent: Uint8Array[] = [];
	const answers = [
		() => new Response("down", { status: 500 }),
		() => refuse(403, "STOPPED"),
		() => refuse(422, "START"),
		() => null,
	];
	signer.answer = (asked) => {
		void asked.then(({ tbs }) => sent.push(tbs));
		return answers.shift()!();
	};
	for (let attempt = 1; attempt <= 4; attempt++) {
		await renewResponders(platform);
		await vi.waitUntil(() => sent.length === attempt);
	}
	const [first, second, third, fourth] = sent;
	expect([second, third]).toEqual([first, first]);
	expect(fourth).not.toEqual(first);
	const failures = lines.mock.calls.filter(([line]) => line.includes('"ocsp_responder_not_renewed"'));
	expect(failures).toHaveLength(3);
	expect((await env.PKI.list({ prefix: "ocsp/" })).objects.map(({ key }) => key)).toEqual([
		`ocsp/${authority.keyId}`,
	]);
});

test("before the first responder a question makes it, and one a minute asks a signer that is silent", async () => {
	vi.spyOn(console, "error").mockImplementation(() => {});
	const { serial } = await emitted();
	let asked = 0;
	signer.answer = () => {
		asked++;
		return new Response("down", { status: 500 });
	};
	for (let question = 0; question < 3; question++) expect((await askOcsp(serial)).responseStatus).toBe(3);
	expect(asked).toBe(1);
	passTime(MINUTE_MS);
	signer.answer = null;
	expect((await askOcsp(serial)).statuses).toEqual(["good"]);
});

test("a replaced authority's CRL and responder go on through a signer of its own", async () => {
	const { issuing } = await createAuthority({
		commonNamePrefix: "TEST Before",
		organization: "TEST Before",
		rut: env.AUTHORITY_RUT,
		keyType: "p-384",
		pkiUrl: env.PKI_URL,
		now: new Date(),
	});
	const before = new TestSigner({}, await createLocalSigner(Uint8Array.fromBase64(issuing.key)));
	const retired = { RETIRED_1_ISSUING_CERTIFICATE: issuing.certificate, RETIRED_1_SIGNER: before };
	const platform = await new TestSigner({ ...retired, SIGNER: signer }).platform();
	await renewResponders(platform);
	await keepCrlFresh(platform);
	for (const one of [before, signer])
		expect(one.asked.map(({ kind }) => kind)).toEqual(["ocsp-responders", "crls"]);
	for (const one of platform.authorities) {
		expect((await findResponder(platform, one))!.notAfter.getTime()).toBeGreaterThan(Date.now() + 6 * DAY_MS);
		expect(await env.PKI.head(crlKey(one))).not.toBeNull();
	}
	const withKey = { ...retired, RETIRED_1_ISSUING_KEY: issuing.key, SIGNER: signer };
	await expect(new TestSigner(withKey).platform()).rejects.toThrow("RETIRED_1_ISSUING_KEY");
	await expect(platformOf({ ...env, ...retired } as unknown as Bindings)).rejects.toThrow("SIGNER_URL");
});

test("a responder of files stands in for the one that renews itself", async () => {
	const { OCSP_KEY, OCSP_CERTIFICATE } = env;
	const platform = await new TestSigner({ OCSP_KEY, OCSP_CERTIFICATE, SIGNER: signer }).platform();
	await renewResponders(platform);
	const found = await findResponder(platform, platform.authorities[0]!);
	expect(found!.certificate).toEqual(responder.certificate);
	expect(signer.asked).toEqual([]);
});
