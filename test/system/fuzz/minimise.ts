import type { Chosen, Draft } from "./draft.ts";
import { type Exchange, headerOf } from "./exchange.ts";
import { type Bench, judge } from "./judge.ts";
import { sendDraft } from "./send-draft.ts";
import type { WireClient } from "./wire-client.ts";

const SHOWN_OCTETS = 600;

/**
 * Leaves out one mutation after the other, as long as the call keeps being answered wrongly. A fault that came from
 * what other calls did meanwhile may not come again; then the call stands as it was.
 */
export async function minimise(
	client: WireClient,
	base: Draft,
	chosen: readonly Chosen[],
	bench: Bench,
	first: Exchange,
): Promise<{ exchange: Exchange; faults: string[] }> {
	let kept = [...chosen];
	let best = { exchange: first, faults: judge(first, bench) };
	for (const candidate of chosen) {
		const fewer = kept.filter((mutation) => mutation !== candidate);
		const exchange = await sendDraft(client, base, fewer);
		const faults = judge(exchange, bench);
		if (faults.length === 0) continue;
		kept = fewer;
		best = { exchange, faults };
	}
	return best;
}

/** A fault with a call that shows it: curl where curl can send it, octets where it cannot. */
export function describeFault(
	found: { exchange: Exchange; faults: string[] },
	{ world, logs }: Bench,
): string {
	const { outcome } = found.exchange;
	const id = "failure" in outcome ? null : headerOf(outcome, "x-request-id");
	const logged = logs.filter(
		(line) => id !== null && line.includes(`"${id}"`) && line.includes('"level":"error"'),
	);
	return [describe(found), ...logged].join("\n\t").replaceAll(world.opsToken, "$OPS_TOKEN");
}

function describe({ exchange, faults }: { exchange: Exchange; faults: string[] }): string {
	const { applied, octets, outcome, bent } = exchange;
	const mutations = applied.length > 0 ? ` [${applied.join(", ")}]` : "";
	const status =
		"failure" in outcome ? outcome.failure : `${outcome.status} ${outcome.body.subarray(0, 200)}`;
	return `${faults.join("; ")}${mutations}\n\t${bent.wire ? asOctets(octets) : asCurl(exchange)}\n\t→ ${status}`;
}

function asCurl({ draft, octets }: Exchange): string {
	const target = octets.subarray(0, octets.indexOf("\r\n")).toString("latin1").split(" ")[1] ?? "";
	const headers = draft.headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
	const body = draft.body ? [`--data-binary ${bodyWord(draft.body)}`] : [];
	const parts = [`-X ${draft.method}`, `--request-target ${quote(target)}`, ...headers, ...body];
	return `curl --path-as-is ${parts.join(" ")} "$BASE"`;
}

/** Octets that are no text come as hexadecimal digits. */
function bodyWord(body: Buffer): string {
	const text = body.toString("utf8");
	if (!/[\u0000-\u0008\ufffd]/.test(text)) return quote(text);
	return `@<(xxd -r -p <<<${body.toString("hex").slice(0, SHOWN_OCTETS)})`;
}

function asOctets(octets: Buffer): string {
	const shown = octets.subarray(0, SHOWN_OCTETS).toString("latin1");
	return `printf %b ${quote(shown.replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\n", "\\n"))} | nc "$HOST" "$PORT"`;
}

function quote(text: string): string {
	const short = text.length > SHOWN_OCTETS ? `${text.slice(0, SHOWN_OCTETS)}…(${text.length})` : text;
	return `'${short.replaceAll("'", "'\\''")}'`;
}
