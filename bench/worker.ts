import type { Bindings } from "../src/config.ts";
import service, { PurchaseCodeObject as CodeObject } from "../src/dev.ts";
import { generateHolderKeyPair } from "../src/pki/holder-key.ts";
import { issueByName } from "./issue-with.ts";
import { takeWaits, watchCrypto, watchRegister, watchStorage } from "./watch.ts";

/* The service under measurement and, under /bench, what it is measured against: same process, same isolate. */

// biome-ignore lint/performance/noBarrelFile: workerd looks for entrypoints among the exports of the main module.
export { CivilRegistrySandbox, PartnerObject, SingleSignOnSandbox } from "../src/dev.ts";

/** Lets every call through: Miniflare simulates the binding by calls to two more Workers, the platform counts in place. */
const NO_LIMIT: RateLimit = { limit: async () => ({ success: true }) };

let watching = false;
let unlimited: Bindings | undefined;

export class PurchaseCodeObject extends CodeObject {
	constructor(state: DurableObjectState, env: Bindings) {
		super(state, env);
		if (watching) watchStorage(state.storage);
	}
}

export default {
	async fetch(request, env, context) {
		const url = new URL(request.url);
		if (!url.pathname.startsWith("/bench/")) {
			unlimited ??= { ...env, BULK_RATE: NO_LIMIT, CALL_RATE: NO_LIMIT };
			const simulated = request.headers.get("x-bench-rate-limit") === "simulated";
			return service.fetch(request, simulated ? env : unlimited, context);
		}
		try {
			return await answerBase(url, request, env);
		} catch (error) {
			return new Response(error instanceof Error ? error.stack : String(error), { status: 500 });
		}
	},
} satisfies ExportedHandler<Bindings>;

async function answerBase(url: URL, request: Request, env: Bindings): Promise<Response> {
	const asked = (name: string) => url.searchParams.get(name) ?? "";
	switch (url.pathname) {
		case "/bench/watch":
			watching = true;
			watchCrypto();
			watchRegister(env.DB);
			return new Response("watching");
		case "/bench/waits":
			return Response.json(takeWaits());
		case "/bench/rsa":
			await generateHolderKeyPair("rsa-2048");
			return new Response("done");
		case "/bench/issue":
			return Response.json(await issueByName(asked("with"), Number(asked("n")), env));
		case "/bench/insert":
			return insertBare(env.DB, asked("partner"), Number(asked("seq")), await request.text());
		case "/bench/read":
			return readBare(env.DB, asked("partner"), asked("p_code"));
		default:
			return new Response("no such base line", { status: 404 });
	}
}

/** @param codes - JSON array of strings. */
async function insertBare(db: D1Database, partner: string, seq: number, codes: string): Promise<Response> {
	await db
		.prepare(
			`INSERT INTO purchase_codes (partner_id, seq, code, batch_id, product, created_at, updated_at)
				SELECT ?1, ?2 + key, value, ?3, 'FV01', ?4, ?4 FROM json_each(?5)`,
		)
		.bind(partner, seq, `bt_${crypto.randomUUID().replaceAll("-", "")}`, Date.now(), codes)
		.run();
	return Response.json({ success: true }, { status: 201 });
}

async function readBare(db: D1Database, partner: string, code: string): Promise<Response> {
	const row = await db
		.prepare("SELECT * FROM purchase_codes WHERE partner_id = ? AND code = ?")
		.bind(partner, code)
		.first<{ code: string; product: string }>();
	return Response.json({ success: true, data: { p_code: row?.code, status: row?.product } });
}
