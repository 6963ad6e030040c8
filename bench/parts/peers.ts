import { mean } from "simple-statistics";
import { type Bar, barChart, type Chart } from "../chart.ts";
import { findTool } from "../machine.ts";
import { compareSamples, interleave, type Measure, type Part, type Table } from "../measure.ts";
import { startCfssl } from "../peers/cfssl.ts";
import { byCfssl, byOpenssl, byService, type Issuer, type Key } from "../peers/issuers.ts";
import { prepareOpenssl } from "../peers/openssl-pipeline.ts";
import { startService } from "../service.ts";
import { figure } from "../table.ts";

/** Key and clients at once; the issuers take turns in it. */
interface Setting {
	key: Key;
	clients: number;
}

const SETTINGS: Setting[] = [
	{ key: "rsa", clients: 1 },
	{ key: "rsa", clients: 2 },
	{ key: "rsa", clients: 8 },
	{ key: "ec", clients: 1 },
	{ key: "ec", clients: 8 },
];

/** Number of certificates of each kind that all turns of the settings need. */
function stockFor(settings: readonly Setting[], each: number): Record<Key, number> {
	const of = (key: Key) => settings.filter((setting) => setting.key === key).length * each;
	return { rsa: of("rsa"), ec: of("ec") };
}

/** Certificates per second end to end: certificate_claim against `cfssl serve` and against openssl's command line. */
export const measurePeers: Part = async ({ quick }) => {
	if (findTool("cfssl", "version") === null) return { measures: [], skipped: "cfssl is not installed" };
	if (findTool("openssl", "version") === null) return { measures: [], skipped: "openssl is not installed" };
	const rounds = quick ? 2 : 6;
	const size = quick ? 3 : 12;
	const settings = quick ? SETTINGS.filter(({ clients }) => clients !== 2) : SETTINGS;
	const service = await startService();
	const cfssl = [await startCfssl(1), await startCfssl(0)];
	const openssl = await prepareOpenssl();
	try {
		const issuers = [
			await byService(service, stockFor(settings, (rounds + 1) * size)),
			byCfssl("cfssl, one CPU", cfssl[0]!),
			byCfssl("cfssl", cfssl[1]!),
			byOpenssl(openssl),
		];
		const byKey: Record<Key, Turns[]> = { rsa: noTurns(issuers), ec: noTurns(issuers) };
		const taken: { setting: Setting; turns: Turns[] }[] = [];
		for (const setting of settings) {
			await takeTurns(issuers, setting, 1, size);
			const turns = await takeTurns(issuers, setting, rounds, size);
			for (const [i, { cpu }] of turns.entries()) byKey[setting.key][i]!.cpu.push(...cpu);
			taken.push({ setting, turns });
		}
		const bare = await interleave(
			rounds,
			issuers.map(
				({ makeKeys }) =>
					async () =>
						(await makeKeys(size)) / size,
			),
		);
		const keys = compareKeys(issuers, bare);
		const rates = taken.map(({ setting, turns }) => ({
			setting,
			turns: turns.map((turn, i) => atMeanKeys(turn, byKey[setting.key][i]!)),
		}));
		const measures = [
			...rates.flatMap(({ setting, turns }) => compareRates(issuers, setting, turns, keys)),
			...keys,
			...compareCpu(issuers, "rsa", byKey.rsa, keys),
			...compareCpu(issuers, "ec", byKey.ec),
		];
		const groups = rates.map(({ setting, turns }) => ({
			name: nameOf(setting),
			bars: barsOf(issuers, turns),
		}));
		return { measures, tables: [describeVersions()], charts: [draw(groups)] };
	} finally {
		await Promise.all([service.stop(), openssl.stop(), ...cfssl.map((server) => server.stop())]);
	}
};

interface Turns {
	/** Certificates a second, by turn. */
	rates: number[];
	/** CPU milliseconds a certificate, by turn. */
	cpu: number[];
}

async function takeTurns(
	issuers: Issuer[],
	setting: Setting,
	rounds: number,
	size: number,
): Promise<Turns[]> {
	const cpu: number[][] = issuers.map(() => []);
	const turn = (issuer: Issuer, index: number) => async () => {
		const started = performance.now();
		const used = await issuer.issue(setting.key, setting.clients, size);
		cpu[index]!.push(used / size);
		return (size * 1000) / (performance.now() - started);
	};
	const rates = await interleave(rounds, issuers.map(turn));
	return rates.map((values, index) => ({ rates: values, cpu: cpu[index]! }));
}

/**
 * A turn's rate, corrected for keys of mean cost: a dozen RSA keys differ by more than the libraries do. The cost is
 * the turn's CPU time a certificate, compared with that of all turns. So no rate is above what the CPU time allows.
 */
function atMeanKeys({ rates, cpu }: Turns, all: Turns): Turns {
	return { cpu, rates: rates.map((rate, i) => (rate * cpu[i]!) / mean(all.cpu)) };
}

/** Compares the libraries' searches for primes, which every RSA row repeats. */
function compareKeys(issuers: Issuer[], bare: number[][]): Measure[] {
	return bare.slice(1).map((cpu, i) => {
		const name = `RSA-2048, CPU a key alone: workerd's BoringSSL / ${issuers[i + 1]!.name}`;
		return compareSamples(name, "ms", [bare[0]!, cpu], mean);
	});
}

function noteOfKeys(keys: readonly Measure[], index: number, turnedRound: boolean): { note?: string } {
	const ratio = keys[index]?.ratio;
	if (ratio === undefined) return {};
	return { note: `keys alone ${(turnedRound ? 1 / ratio : ratio).toFixed(2)}` };
}

function describeVersions(): Table {
	const rows = [
		["cfssl", findTool("cfssl", "version")],
		["its package", findTool("dpkg-query", "--show", "golang-cfssl")],
		["openssl", findTool("openssl", "version")],
	];
	return {
		heading: "Versions",
		columns: ["", "says of itself"],
		rows: rows.flatMap(([name, said]) => (said ? [[name!, said.replaceAll(/\s+/g, " ")]] : [])),
	};
}

function noTurns(issuers: Issuer[]): Turns[] {
	return issuers.map(() => ({ rates: [], cpu: [] }));
}

const KEYS: Record<Key, string> = { rsa: "RSA-2048", ec: "P-256" };

function nameOf({ key, clients }: Setting): string {
	return `${KEYS[key]}, ${clients} client${clients === 1 ? "" : "s"}`;
}

function barsOf(issuers: Issuer[], turns: Turns[]): Bar[] {
	return turns.map(({ rates }, i) => {
		const value = mean(rates);
		return { name: issuers[i]!.name, value, text: `${figure(value)}/s` };
	});
}

function compareRates(issuers: Issuer[], setting: Setting, turns: Turns[], keys: Measure[]): Measure[] {
	return turns.slice(1).map(({ rates }, i) => {
		const name = `${nameOf(setting)}: certificate_claim / ${issuers[i + 1]!.name}`;
		const note = setting.key === "rsa" ? noteOfKeys(keys, i, true) : {};
		return compareSamples(name, "/s", [turns[0]!.rates, rates], mean, note);
	});
}

/** Joins all settings: the number of waiting clients does not change the CPU of a certificate. */
function compareCpu(issuers: Issuer[], key: Key, turns: Turns[], keys: Measure[] = []): Measure[] {
	return turns.slice(1).map(({ cpu }, i) => {
		const name = `${KEYS[key]}, CPU a certificate: certificate_claim / ${issuers[i + 1]!.name}`;
		return compareSamples(name, "ms", [turns[0]!.cpu, cpu], mean, noteOfKeys(keys, i, false));
	});
}

function draw(groups: { name: string; bars: Bar[] }[]): Chart {
	return barChart({
		file: "bench-issuing",
		title: "Certificates a second, end to end",
		subtitle:
			"Ours also makes the PFX and commits to the database; cfssl does neither; openssl makes the PFX, without HTTP",
		x: { label: "certificates a second", log: true },
		groups,
	});
}
