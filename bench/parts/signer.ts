import "reflect-metadata";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import * as x509 from "@peculiar/x509";
import { type KeyType, keyOfFile } from "../../scripts/authority-key.ts";
import { createAuthority } from "../../scripts/create-authority.ts";
import { createOcspResponder } from "../../scripts/create-ocsp-responder.ts";
import { createRootCrl } from "../../scripts/create-root-crl.ts";
import { isInstalled } from "../../scripts/install-signer.ts";
import { startSigner } from "../../scripts/local-signer.ts";
import { type LocalSigner, prepareSigner } from "../../scripts/prepare-signer.ts";
import { DAY_MS } from "../../src/domain/durations.ts";
import { freePort } from "../../test/support/free-port.ts";
import { compareSamples, interleave, interleaveWarm, type Measure, type Part } from "../measure.ts";
import { claim, createPartner, type ValidatedCode, validateCodes } from "../partner.ts";
import { inParallel } from "../peers/issuers.ts";
import { type BenchService, startService } from "../service.ts";
import { liftEmissionLimit } from "../trace.ts";

const WARM_UP = 5;
const CLIENTS = 8;
/** Claims of one turn in which certificates a second are counted. */
const TURN = 64;

/**
 * The issuing key in SoftHSM behind the signer's own process, which reads, registers, signs and logs, against the same
 * kind of key in the Worker. Holders' keys are P-256: no search for primes covers the difference.
 */
export const measureSigner: Part = async ({ quick }) => {
	if (!isInstalled("softhsm2-util")) return { measures: [], skipped: "softhsm2-util is not installed" };
	const measures: Measure[] = [];
	for (const key of ["rsa-3072", "p-384"] as const) measures.push(...(await measureKey(key, quick)));
	return { measures };
};

async function measureKey(key: KeyType, quick: boolean): Promise<Measure[]> {
	const folder = await mkdtemp(join(tmpdir(), "bench-signer-"));
	const signer = await prepareSigner({
		folder: join(folder, "signer"),
		port: await freePort(),
		worker: 8787,
		key,
	});
	const ended = new AbortController();
	const services: BenchService[] = [];
	try {
		await startSigner(signer, { signal: ended.signal, output: "ignore" });
		for (const settings of [await settingsOf(signer), await settingsWithKey(key)])
			services.push(await startService({ settings }));
		const [rounds, turns] = quick ? [20, 4] : [100, 10];
		const codes = await Promise.all(
			services.map((service) => prepareCodes(service, WARM_UP + rounds + turns * TURN)),
		);
		const name = key.toUpperCase();
		const alone = await interleaveWarm(
			WARM_UP,
			rounds,
			services.map((service, i) => async (round: number) => (await claim(service, codes[i]![round]!)).ms),
		);
		const rates = await interleave(
			turns,
			services.map((service, i) => (turn: number) => {
				const first = WARM_UP + rounds + turn * TURN;
				return certificatesPerSecond(service, codes[i]!.slice(first, first + TURN));
			}),
		);
		return [
			compareSamples(`certificate_claim, ${name} in SoftHSM / in the Worker`, "ms", alone),
			compareSamples(`certificates, ${CLIENTS} clients, ${name} in SoftHSM / in the Worker`, "/s", rates),
		];
	} finally {
		await Promise.all(services.map((service) => service.stop()));
		ended.abort();
		await rm(folder, { recursive: true, force: true });
	}
}

async function prepareCodes(service: BenchService, count: number): Promise<ValidatedCode[]> {
	await liftEmissionLimit(service);
	return validateCodes(service, await createPartner(service, { key_algorithm: "ec-p256" }), count);
}

async function certificatesPerSecond(service: BenchService, codes: ValidatedCode[]): Promise<number> {
	const started = performance.now();
	await inParallel(CLIENTS, codes.length, (i) => claim(service, codes[i]!));
	return codes.length / ((performance.now() - started) / 1_000);
}

/** Settings of a Worker that asks the signer. */
async function settingsOf({ workerSettings }: LocalSigner): Promise<Record<string, string>> {
	return parseEnv(await readFile(workerSettings, "utf8")) as Record<string, string>;
}

/** Settings of a Worker that has an issuing key of this kind. */
async function settingsWithKey(keyType: KeyType): Promise<Record<string, string>> {
	const now = new Date(Date.now() - DAY_MS);
	const names = { commonNamePrefix: "TEST Bench", organization: "TEST Bench SpA", rut: "76000000-0" };
	const pkiUrl = "http://localhost:8787/pki";
	const { root, issuing } = await createAuthority({ ...names, keyType, pkiUrl, now });
	const responder = await createOcspResponder({ issuing, now });
	const key = await keyOfFile(root.key, new x509.X509Certificate(root.certificate));
	const crl = await createRootCrl({ root: { key, certificate: root.certificate }, now });
	return {
		ISSUING_KEY: issuing.key,
		ISSUING_CERTIFICATE: issuing.certificate,
		ROOT_CERTIFICATE: root.certificate,
		ROOT_CRL: Buffer.from(crl).toString("base64"),
		OCSP_KEY: responder.key,
		OCSP_CERTIFICATE: responder.certificate,
	};
}
