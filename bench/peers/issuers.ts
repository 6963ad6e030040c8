import { withCpuOf } from "../machine.ts";
import { claim, createPartner, type ValidatedCode, validateCodes } from "../partner.ts";
import type { BenchService } from "../service.ts";
import { liftEmissionLimit } from "../trace.ts";
import type { CfsslServer } from "./cfssl.ts";
import type { OpensslPipeline } from "./openssl-pipeline.ts";

export type Key = "rsa" | "ec";

/** Issues certificates per turn, by so many clients at once. @returns CPU milliseconds of the issuer, all together */
export interface Issuer {
	name: string;
	issue(key: Key, clients: number, n: number): Promise<number>;
	/** RSA-2048 keys alone, by its library, one after the other. @returns CPU milliseconds, all together */
	makeKeys(n: number): Promise<number>;
}

/** Claims of codes that were validated beforehand, as many of each kind as are asked for. */
export async function byService(service: BenchService, n: Record<Key, number>): Promise<Issuer> {
	await liftEmissionLimit(service);
	const stock: Record<Key, ValidatedCode[]> = { rsa: [], ec: [] };
	for (const key of ["rsa", "ec"] as const) {
		const partner = await createPartner(service, { key_algorithm: key === "rsa" ? "rsa-2048" : "ec-p256" });
		stock[key] = await validateCodes(service, partner, n[key]);
	}
	return {
		name: "certificate_claim",
		issue: (key, clients, count) => {
			const codes = stock[key].splice(0, count);
			return cpuOfIssuing(service.workerd, () =>
				inParallel(clients, count, (i) => claim(service, codes[i]!)),
			);
		},
		makeKeys: (count) =>
			cpuOfIssuing(service.workerd, () =>
				inParallel(1, count, () => service.http.expect(200, { path: "/bench/rsa" })),
			),
	};
}

export function byCfssl(name: string, server: CfsslServer): Issuer {
	const request = { rsa: { algo: "rsa", size: 2048 }, ec: { algo: "ecdsa", size: 256 } } as const;
	return {
		name,
		issue: (key, clients, n) =>
			cpuOfIssuing(server.pid, () => inParallel(clients, n, () => server.issue(request[key]))),
		makeKeys: (n) => cpuOfIssuing(server.pid, () => inParallel(1, n, () => server.makeKey())),
	};
}

export function byOpenssl(openssl: OpensslPipeline): Issuer {
	return {
		name: "openssl",
		issue: async (key, clients, n) => {
			const shares = Array.from({ length: clients }, () => openssl.issue(key, Math.ceil(n / clients)));
			return (await Promise.all(shares)).reduce((sum, { cpuMs }) => sum + cpuMs, 0);
		},
		makeKeys: (n) => openssl.makeKeys(n),
	};
}

async function cpuOfIssuing(pid: number | string | null, act: () => Promise<void>): Promise<number> {
	return (await withCpuOf(pid, act)).cpuMs;
}

/** Runs one call per client at a time; each client calls again as soon as it is answered. */
export async function inParallel(
	clients: number,
	n: number,
	act: (i: number) => Promise<unknown>,
): Promise<void> {
	let next = 0;
	const client = async () => {
		while (next < n) await act(next++);
	};
	await Promise.all(Array.from({ length: clients }, client));
}
