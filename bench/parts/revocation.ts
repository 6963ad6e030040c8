import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { median } from "simple-statistics";
import { Pool } from "undici";
import { loadIssuingAuthority } from "../../src/x509/issuing-authority.ts";
import { loadOcspResponder } from "../../src/x509/ocsp-responder.ts";
import { localKeyId } from "../../test/support/local-authority.ts";
import { encodeRequest } from "../../test/support/ocsp-client.ts";
import { withCpuOf } from "../machine.ts";
import { compare, compareSamples, interleave, type Part } from "../measure.ts";
import { startService } from "../service.ts";

const AIM = { atLeast: 0.5 };
const CONNECTIONS = 8;
const TURN_MS = 500;

interface Question {
	path: string;
	method?: "GET" | "POST";
	body?: Uint8Array;
}

/** Compares calls of /pki with a static file, through Miniflare's router, at full speed of eight connections. */
export const measureRevocation: Part = async ({ quick }) => {
	const service = await startService({ withAssets: true });
	const pool = new Pool(service.url.origin, { connections: CONNECTIONS });
	const cpu: number[][] = [];
	const ask = async ({ path, method = "GET", body }: Question) => {
		const answer = await pool.request({ path, method, ...(body && { body }) });
		await answer.body.arrayBuffer();
		if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
	};
	/** Answers a second; notes workerd's CPU time an answer. */
	const turn = (question: () => Question, index: number) => async () => {
		const started = performance.now();
		let answered = 0;
		const connection = async () => {
			for (; performance.now() - started < TURN_MS; answered++) await ask(question());
		};
		const { cpuMs } = await withCpuOf(service.workerd, () =>
			Promise.all(Array.from({ length: CONNECTIONS }, connection)),
		);
		cpu[index] = [...(cpu[index] ?? []), cpuMs / answered];
		return (answered * 1000) / (performance.now() - started);
	};
	try {
		const encode = await createEncoder();
		const kept = encode("7A".repeat(16));
		const get: Question = { path: `/pki/ocsp/${encodeURIComponent(Buffer.from(kept).toString("base64"))}` };
		const post: Question = { path: "/pki/ocsp", method: "POST", body: kept };
		const withNonce = () => encode("7A".repeat(16), crypto.getRandomValues(new Uint8Array(16)));
		const fresh = () => encode(Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex"));
		const crl: Question = { path: `/pki/${localKeyId}/crl` };
		for (const question of [get, crl]) await ask(question);
		const contenders = [
			{ name: "a static file", question: () => ({ path: "/docs/" }) },
			{ name: "OCSP by GET, kept", question: () => get, aim: AIM },
			{ name: "OCSP by POST, kept", question: () => post, aim: AIM },
			{ name: "CRL, kept", question: () => crl, aim: AIM },
			{ name: "OCSP with a nonce, facts kept", question: () => ({ ...post, body: withNonce() }) },
			{ name: "OCSP about another certificate each time", question: () => ({ ...post, body: fresh() }) },
		];
		const turns = contenders.map(({ question }, index) => turn(question, index));
		await interleave(2, turns);
		cpu.length = 0;
		const rounds = quick ? 3 : 24;
		const rates = await interleave(rounds, turns);
		const [staticCpu, ...others] = cpu.map(median) as [number, ...number[]];
		const note = `medians of ${rounds} turns, ${CONNECTIONS} connections`;
		const measures = contenders.slice(1).flatMap(({ name, aim }, index) => [
			compareSamples(`${name} / a static file`, "/s", [rates[index + 1]!, rates[0]!], median, {
				...(aim && { aim }),
				note,
			}),
			compare({
				name: `${name}: workerd's CPU an answer`,
				unit: "ms",
				ours: others[index]!,
				base: staticCpu,
				ratio: staticCpu / others[index]!,
				note: "ratio turned round",
			}),
		]);
		return { measures };
	} finally {
		await pool.destroy();
		await service.stop();
	}
};

/** Writes OCSP requests to the local authority's responder. */
async function createEncoder() {
	const secrets = parseEnv(await readFile(join(import.meta.dirname, "../../.dev.vars"), "utf8"));
	const value = (name: string) => secrets[name] ?? "";
	const authority = await loadIssuingAuthority({
		key: value("ISSUING_KEY"),
		certificate: value("ISSUING_CERTIFICATE"),
		root: value("ROOT_CERTIFICATE"),
		rut: "76000000-0",
		policyOid: "1.2.3",
		cpsUrl: "http://localhost/",
		pkiUrl: "http://localhost/pki",
	});
	const ocsp = { key: value("OCSP_KEY"), certificate: value("OCSP_CERTIFICATE") };
	const responder = await loadOcspResponder(authority, ocsp);
	return (serial: string, nonce?: Uint8Array) =>
		encodeRequest(responder, [{ serial: `7A${serial.slice(2)}` }], nonce);
}
