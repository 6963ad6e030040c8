import { seededRandom } from "../../unit/domain/seeded-random.ts";
import { type Chosen, type Draft, mutate, octetsOf } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import type { WireClient } from "./wire-client.ts";

/** Far beyond what counts as hung, so that a late answer still tells what it was. Milliseconds. */
const TIMEOUT_MS = 90_000;

/** Makes the call that a draft and its mutations are, sends it, and waits for what comes. */
export async function sendDraft(
	client: WireClient,
	base: Draft,
	chosen: readonly Chosen[],
): Promise<Exchange> {
	const { draft, applied } = mutate(base, chosen, seededRandom);
	const layers = chosen
		.filter(({ mutation }) => applied.includes(mutation.name))
		.map(({ mutation }) => mutation.layer);
	const octets = octetsOf(draft);
	const bent = {
		line:
			draft.method !== base.method || draft.path !== base.path || draft.query.join() !== base.query.join(),
		headers: layers.includes("headers") || draft.headers.join() !== base.headers.join(),
		wire: draft.framing.bend !== undefined,
	};
	const outcome = await client.send({
		octets,
		method: draft.method,
		alone: bent.wire || octets.length > 100_000,
		thenEnd: draft.framing.thenEnd === true,
		timeoutMs: TIMEOUT_MS,
	});
	return { draft, applied, bent, octets, outcome };
}
