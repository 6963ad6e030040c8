import { drizzle } from "drizzle-orm/d1";
import type { Bindings } from "../../src/bindings.ts";
import { selectFacts } from "../../src/db/purchase-codes.ts";
import type { PartnerDb } from "../../src/db/query.ts";
import { generateHolderKeyPair } from "../../src/x509/holder-key.ts";
import { type BareCall, keepRecording, replayCall } from "./bare-calls.ts";
import { goAway, type Manner, placeDatabases } from "./databases-away.ts";
import { distance } from "./distance.ts";
import { type Chain, enterChains } from "./enter-audit.ts";
import { forgetKeys, signAt } from "./keys-and-signer.ts";
import { assembleByName, issueByName } from "./libraries.ts";
import { recordRoundTrips, takeRoundTrips } from "./round-trips.ts";
import { takeWaits, watchCrypto, watchDb } from "./waits.ts";

/** Settings of the service that the routes under /bench change. */
export const switches = {
	watching: false,
	emissionsLifted: false,
	deliveriesHeld: false,
};

/** Base lines and instruments, answered without a router. */
export async function answerBase(
	url: URL,
	request: Request,
	env: Bindings,
	later: (work: Promise<unknown>) => void,
): Promise<Response> {
	const asked = (name: string) => url.searchParams.get(name) ?? "";
	switch (url.pathname) {
		case "/bench/watch":
			switches.watching = true;
			watchCrypto();
			watchDb(env.DB_2);
			return new Response("watching");
		case "/bench/waits":
			return Response.json(takeWaits());
		case "/bench/watch-storage":
			switches.watching = true;
			return new Response("watching");
		case "/bench/record":
			recordRoundTrips(env.DB_2, asked("on") === "1");
			takeRoundTrips();
			return new Response("recording");
		case "/bench/round-trips":
			return Response.json(takeRoundTrips());
		case "/bench/lift-emissions":
			switches.emissionsLifted = true;
			return new Response("lifted");
		case "/bench/hold-deliveries":
			switches.deliveriesHeld = true;
			return new Response("held");
		case "/bench/forget-keys":
			forgetKeys();
			return new Response("forgotten");
		case "/bench/sign-at":
			await signAt(asked("url"));
			return new Response("placed");
		case "/bench/fetch":
			await (await fetch(asked("url"), { method: "POST" })).arrayBuffer();
			return new Response("fetched");
		case "/bench/distance":
			distance.ms = Number(asked("ms"));
			distance.twoTrips = asked("trips") === "2";
			return new Response("placed");
		case "/bench/keep-recording":
			keepRecording(asked("call"), await request.json());
			return new Response("kept");
		case "/bench/bare":
			return replayCall(env, asked("call"), (await request.json()) as BareCall, later);
		case "/bench/tidy":
			await tidy(env, asked("name"));
			return new Response("tidied");
		case "/bench/rsa":
			await generateHolderKeyPair("rsa-2048");
			return new Response("done");
		case "/bench/issue":
			return Response.json(await issueByName(asked("with"), Number(asked("n")), env));
		case "/bench/pfx":
			return Response.json(await assembleByName(asked("with"), Number(asked("n")), env));
		case "/bench/enter-audit":
			return enterChains(env, asked("partner"), (await request.json()) as Chain[]);
		case "/bench/databases-away":
			placeDatabases(env.DB_2, Number(asked("ms")));
			return new Response("placed");
		case "/bench/gone":
			goAway(env.DB_2, (asked("manner") || null) as Manner | null);
			return new Response("gone");
		case "/bench/insert":
			return insertBare(env.DB_2, asked("partner"), Number(asked("seq")), await request.text());
		case "/bench/read":
			return readBare(env.DB_2, asked("partner"), asked("p_code"));
		default:
			return new Response("no such base line", { status: 404 });
	}
}

/** Runs the alarm that a step left, without its minute of waiting. */
async function tidy(env: Bindings, name: string): Promise<void> {
	const object = env.PURCHASE_CODES.getByName(name) as unknown as { ringAlarm(): Promise<void> };
	await object.ringAlarm();
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

/** The statement of `GET /status`, its text built once. */
async function readBare(db: D1Database, partner: string, code: string): Promise<Response> {
	read ??= selectFacts(drizzle(db) as unknown as PartnerDb, { partnerId: partner, code }).text;
	const [row] = await db.prepare(read).bind(partner, code).raw<[string, string, number, string]>();
	return Response.json({ success: true, data: { p_code: row?.[1], status: row?.[3] } });
}

let read: string | undefined;
