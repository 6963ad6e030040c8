import { expect, test } from "vitest";
import { createSignerClient, SignerRefusal } from "../../src/signer/signer-client.ts";
import { buildCrl, CrlEntries } from "../../src/x509/crl.ts";
import { loadOcspResponder } from "../../src/x509/ocsp-responder.ts";
import { encodeResponder, generateResponderKey } from "../../src/x509/responder-certificate.ts";
import { createSerial, serialToHex } from "../../src/x509/serial.ts";
import { frameSigned } from "../../src/x509/signatures.ts";
import { DAY_MS, keyOf, leafOf, NOW, startSigner } from "./fixture.ts";

/* The Worker's own client at the signer: both read the contract alike. */

const newSerial = () => createSerial(crypto.getRandomValues(new Uint8Array(16)));

async function startWithClient(keyType?: "rsa-3072" | "p-384", caller = "worker") {
	const signer = await startSigner(keyType);
	const client = await createSignerClient({
		fetcher: { fetch: (request) => fetch(request) },
		url: signer.address,
		caller,
		callerKey: keyOf(caller).export({ format: "der", type: "pkcs8" }),
		clock: () => signer.time.now,
	});
	const authority = { ...signer.worker, signer: { ...signer.worker.signer, sign: client.sign } };
	return {
		signer,
		client,
		authority,
		async [Symbol.asyncDispose]() {
			await signer[Symbol.asyncDispose]();
		},
	};
}

test.each(["rsa-3072", "p-384"] as const)(
	"a leaf, a CRL and a responder are signed, and each is in the log (%s)",
	async (keyType) => {
		await using started = await startWithClient(keyType);
		const { signer, client, authority } = started;
		const { receipt } = await client.sign("certificates", await leafOf(signer));
		const times = { thisUpdate: new Date(NOW), nextUpdate: new Date(NOW + DAY_MS) };
		await buildCrl(authority, { number: 1, entries: new CrlEntries(), ...times });
		const { spki, pkcs8 } = await generateResponderKey(authority.signer.algorithm);
		const validity = { notBefore: new Date(NOW), notAfter: new Date(NOW + 7 * DAY_MS) };
		const tbs = await encodeResponder(authority, { serial: newSerial(), publicKey: spki, ...validity });
		const { signature, receipt: last } = await client.sign("ocsp-responders", tbs);
		const certificate = frameSigned(authority.signer, tbs, signature);
		const files = { key: pkcs8.toBase64(), certificate: certificate.toBase64() };
		expect((await loadOcspResponder(authority, files)).notAfter).toEqual(validity.notAfter);
		expect([receipt?.entry, last?.entry]).toEqual([1, 3]);
		expect(await client.askHealth()).toMatchObject({
			status: "ok",
			keyId: authority.keyId,
			entries: 3,
			head: last!.head,
			headSignature: expect.any(String),
			stopped: null,
			refused: {},
		});
	},
);

test("a CRL that lacks an entry is refused with what the Worker is to enter", async () => {
	await using started = await startWithClient();
	const { authority } = started;
	const serial = serialToHex(newSerial());
	const entries = new CrlEntries();
	entries.add(serial, NOW - DAY_MS, "keyCompromise");
	const times = { thisUpdate: new Date(NOW), nextUpdate: new Date(NOW + DAY_MS) };
	await buildCrl(authority, { number: 7, entries, ...times });
	for (const [number, code] of [
		[7, "CRL_NUMBER"],
		[8, "CRL_MISSING_ENTRIES"],
	] as const) {
		const refused = await buildCrl(authority, { number, entries: new CrlEntries(), ...times }).catch(
			(error) => error,
		);
		expect(refused).toBeInstanceOf(SignerRefusal);
		expect(refused).toMatchObject({
			code,
			crl: {
				lastNumber: 7,
				missing: [{ serial, revokedAt: NOW - DAY_MS, revocationReason: "keyCompromise" }],
			},
		});
	}
});

test("a stop, an empty log and a refusal are told as they are", async () => {
	await using started = await startWithClient("p-384", "watcher");
	const { signer, client } = started;
	expect(await client.askHealth()).toMatchObject({ status: "ok", entries: 0, head: "" });
	const refused = await client.sign("certificates", await leafOf(signer)).catch((error) => error);
	expect(refused).toMatchObject({ code: "NOT_REGISTERED_FOR", status: 403, crl: null });
	expect(await client.askHealth()).toMatchObject({ refused: { NOT_REGISTERED_FOR: 1 } });
	signer.register.append({ at: NOW, kind: "stop", caller: "root", note: "a thief" });
	expect(await client.askHealth()).toMatchObject({ stopped: { reason: "a thief", since: NOW, all: false } });
});
