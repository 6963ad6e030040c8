import type { KeptRuns } from "./kept-runs.ts";
import type { Measure } from "./measure.ts";
import { aimText } from "./table.ts";

/* The page's first table: a few ratios of each part. */

/**
 * Comparison, part, and name of its measure. If several match a pattern, the largest ratio is shown. Losses are listed
 * with wins.
 */
const LINES: [what: string, part: string, name: string | RegExp][] = [
	[
		"certificates a second, RSA-2048, one client: ours ÷ cfssl on one CPU (no PFX, no database)",
		"peers",
		"RSA-2048, 1 client: certificate_claim / cfssl, one CPU",
	],
	[
		"certificates a second, RSA-2048, eight clients: ours on one thread ÷ cfssl on all CPUs",
		"peers",
		"RSA-2048, 8 clients: certificate_claim / cfssl",
	],
	[
		"CPU a certificate, RSA-2048: ours ÷ cfssl",
		"peers",
		"RSA-2048, CPU a certificate: certificate_claim / cfssl",
	],
	[
		"CPU a certificate, RSA-2048: ours ÷ openssl's command line",
		"peers",
		"RSA-2048, CPU a certificate: certificate_claim / openssl",
	],
	[
		"CPU of an RSA-2048 key alone, which decides the rows above: BoringSSL in workerd ÷ cfssl",
		"peers",
		"RSA-2048, CPU a key alone: workerd's BoringSSL / cfssl",
	],
	[
		"CPU of an RSA-2048 key alone: BoringSSL in workerd ÷ openssl",
		"peers",
		"RSA-2048, CPU a key alone: workerd's BoringSSL / openssl",
	],
	[
		"certificates a second, P-256, one client: ours ÷ cfssl on one CPU (no PFX, no database)",
		"peers",
		"P-256, 1 client: certificate_claim / cfssl, one CPU",
	],
	[
		"CPU a certificate, P-256, no search for primes: ours ÷ cfssl",
		"peers",
		"P-256, CPU a certificate: certificate_claim / cfssl",
	],
	["time of a PFX: ours ÷ PKI.js", "pfx", "PFX modern / PKI.js"],
	["time of a PFX: ours ÷ node-forge", "pfx", "PFX modern / node-forge, 2,048 rounds"],
	[
		"time of a PFX: ours ÷ openssl pkcs12 -export, a process",
		"pfx",
		"PFX modern / openssl pkcs12 -export, a process",
	],
	[
		"a legacy PFX: ours ÷ openssl pkcs12 -export, less its start",
		"pfx",
		"PFX legacy / openssl pkcs12 -export, less its start",
	],
	["time of certificate_claim ÷ its RSA key", "claim", "certificate_claim / RSA-2048 key, same keys"],
	[
		"time of certificate_claim that finds its key ÷ an RSA key",
		"ahead",
		"certificate_claim that finds its key / RSA-2048 key",
	],
	[
		"time of certificate_claim, P-256, issuing key RSA-3072 in SoftHSM behind the signer ÷ in the Worker",
		"signer",
		"certificate_claim, RSA-3072 in SoftHSM / in the Worker",
	],
	[
		"certificates a second, P-256, eight clients, issuing key RSA-3072 in SoftHSM behind the signer ÷ in the Worker",
		"signer",
		"certificates, 8 clients, RSA-3072 in SoftHSM / in the Worker",
	],
	[
		"status a second, eight connections: ours ÷ a bare route with the same read",
		"status",
		"status / bare route, the same D1 read",
	],
	[
		"time of a filtered page ÷ the first page without a filter, the largest",
		"list",
		/^[\d.]+ M: .+ \/ page 1$/,
	],
	["time of a filtered page ÷ the first page, 3,600 codes locked", "list", /^3600 locked: .+ \/ page 1$/],
	["time of status ÷ its round trip alone", "routes", "status / its round trips alone"],
	[
		"time of certificate_request ÷ its round trips alone",
		"routes",
		"certificate_request / its round trips alone",
	],
	[
		"time of certificate_claim, P-256 ÷ its round trips alone",
		"routes",
		"certificate_claim, P-256 / its round trips alone",
	],
	[
		"time of certificate_request with objects 120 ms away: in one trip ÷ in two",
		"distance",
		/^certificate_request, objects /,
	],
	["a larger database: the call that grows most", "growth", / codes \/ /],
	["more partners in it: the call that grows most", "growth", / partners? \/ /],
	["two databases against one: the call that differs most", "databases", /: two databases \/ one$/],
	["other partners' calls while a database is gone, the largest", "gone", /^other partners' calls, p99/],
	["writes refused during a move ÷ the 30 s that it may take", "move", /^writes refused during a move/],
];

/** @returns Markdown; parts that were never kept have no line. */
export function summarise(kept: KeptRuns): string {
	const rows = LINES.flatMap(([what, part, name]) => {
		const found = find(kept[part]?.measures ?? [], name);
		if (!found) return [];
		const subject = typeof name === "string" ? what : `${what} (${found.name})`;
		return [
			`| ${subject} | **${found.ratio.toFixed(2)}** | ${found.interval?.map((end) => end.toFixed(2)).join("–") ?? ""} |`,
		];
	});
	const judged = Object.values(kept).flatMap(({ measures }) => measures.filter(({ aim }) => aim));
	const missed = judged.filter(({ passed }) => !passed);
	const named = missed.map(({ name, ratio, aim }) => `${name} (${ratio.toFixed(2)}, aim ${aimText(aim!)})`);
	const aims = `Aims met: ${judged.length - missed.length} of ${judged.length}. Missed: ${named.join("; ") || "none"}.`;
	const sentences = Object.values(kept).flatMap(({ run }) => (run.summary ? ["", run.summary] : []));
	return ["| | ratio | 95 % |", "|---|--:|--:|", ...rows, "", aims, ...sentences, ""].join("\n");
}

function find(measures: readonly Measure[], name: string | RegExp): Measure | undefined {
	if (typeof name === "string") return measures.find((measure) => measure.name === name);
	return measures.filter((measure) => name.test(measure.name)).toSorted((a, b) => b.ratio - a.ratio)[0];
}
