import type { KeptPart } from "./keep.ts";
import type { Measure } from "./measure.ts";

/* The page's first table: a few ratios of each part, picked by their names. */

type Pick = (measures: readonly Measure[]) => Measure | undefined;

const named =
	(name: string): Pick =>
	(measures) =>
		measures.find((measure) => measure.name === name);

/** The largest ratio of those with such a name: what grows most. */
const worst =
	(pattern: RegExp): Pick =>
	(measures) =>
		measures.filter(({ name }) => pattern.test(name)).toSorted((a, b) => b.ratio - a.ratio)[0];

const LINES: [what: string, part: string, pick: Pick][] = [
	[
		"certificates a second, RSA-2048, one client: ours ÷ cfssl on one CPU (no PFX, no register)",
		"peers",
		named("RSA-2048, 1 client: certificate_claim / cfssl, one CPU"),
	],
	[
		"the same, eight clients: ours on one thread ÷ cfssl on all CPUs",
		"peers",
		named("RSA-2048, 8 clients: certificate_claim / cfssl"),
	],
	[
		"CPU a certificate, RSA-2048: ours ÷ cfssl",
		"peers",
		named("RSA-2048, CPU a certificate: certificate_claim / cfssl"),
	],
	[
		"the same: ours ÷ openssl's command line",
		"peers",
		named("RSA-2048, CPU a certificate: certificate_claim / openssl"),
	],
	[
		"CPU a certificate, P-256, no search for primes: ours ÷ cfssl",
		"peers",
		named("P-256, CPU a certificate: certificate_claim / cfssl"),
	],
	["time of a PFX: ours ÷ PKI.js", "pfx", named("PFX modern / PKI.js")],
	["the same: ours ÷ node-forge", "pfx", named("PFX modern / node-forge, 10,000 rounds")],
	[
		"the same: ours ÷ openssl pkcs12 -export, a process",
		"pfx",
		named("PFX modern / openssl pkcs12 -export, a process"),
	],
	["time of status ÷ its round trip alone", "routes", named("status / its round trips alone")],
	[
		"time of certificate_request ÷ its round trips alone",
		"routes",
		named("certificate_request / its round trips alone"),
	],
	[
		"time of certificate_claim, P-256 ÷ its round trips alone",
		"routes",
		named("certificate_claim, P-256 / its round trips alone"),
	],
	["a larger register: the call that grows most", "growth", worst(/ codes \/ /)],
	["more partners in it: the call that grows most", "growth", worst(/ partners? \/ /)],
];

/** @returns Markdown; parts that were never kept have no line. */
export function summariseKept(kept: Record<string, KeptPart>): string {
	const rows = LINES.flatMap(([what, part, pick]) => {
		const measure = pick(kept[part]?.measures ?? []);
		if (!measure) return [];
		const told = part === "growth" ? `${what} (${measure.name})` : what;
		const interval = measure.interval?.map((end) => end.toFixed(2)).join("–") ?? "";
		return [`| ${told} | **${measure.ratio.toFixed(2)}** | ${interval} |`];
	});
	const bill = kept.cost?.tables?.[0];
	const total = bill?.rows.at(-1);
	const dollars = bill?.columns.flatMap((name, i) =>
		i >= 2 && i % 2 === 0 ? [`${name} ${total![i + 1]}`] : [],
	);
	return [
		"| | ratio | 95 % |",
		"|---|--:|--:|",
		...rows,
		...(dollars
			? ["", `US$ per 1,000 certificates at the platform's list prices: ${dollars.join("; ")}.`]
			: []),
		"",
	].join("\n");
}
