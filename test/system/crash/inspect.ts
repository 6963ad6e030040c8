import type { Bindings } from "../../../src/bindings.ts";
import type { Lease } from "../../../src/objects/lease.ts";
import { objectName } from "../../../src/objects/stubs.ts";
import type { KeptProgress } from "../invariants.ts";
import type { MoveOrder } from "./move-partners.ts";
import { arm } from "./pause.ts";
import type { Arming } from "./steps.ts";

/** A code and whose it is. */
export interface OwnedCode {
	partnerId: string;
	code: string;
}

interface Controls {
	/** @param by - milliseconds. */
	moveClock: (by: number) => void;
	runCron: () => Promise<void>;
	move: (order: MoveOrder) => Promise<string[]>;
}

/** Answers the host, past the service: `POST /proof/…`, JSON both ways. */
export async function answerHost(request: Request, env: Bindings, controls: Controls): Promise<Response> {
	const body = await request.json();
	switch (new URL(request.url).pathname) {
		case "/proof/arm":
			arm(body as Arming);
			return Response.json({});
		case "/proof/clock":
			controls.moveClock((body as { by: number }).by);
			return Response.json({});
		case "/proof/cron":
			await controls.runCron();
			return Response.json({});
		case "/proof/leases":
			return Response.json(await findLeases(env, body as OwnedCode[]));
		case "/proof/progress":
			return Response.json(await findProgress(env, body as OwnedCode[]));
		case "/proof/ring":
			await Promise.all((body as OwnedCode[]).map((owned) => objectOf(env, owned).ring()));
			return Response.json({});
		case "/proof/move":
			return Response.json(await controls.move(body as MoveOrder));
		case "/proof/select":
			return Response.json(await select(env, body as Selection));
		case "/proof/pictures":
			return Response.json(await findPictures(env.EVIDENCE));
		default:
			return new Response(null, { status: 404 });
	}
}

/** A question to one database, or to all. */
interface Selection {
	sql: string;
	/** Number of the database. */
	database?: number;
}

async function select(env: Bindings, { sql, database }: Selection): Promise<unknown[]> {
	const names = database === 1 ? ["DB"] : database ? [`DB_${database}`] : ["DB", "DB_2", "DB_3", "DB_4"];
	const bound = names.map((name) => (env as unknown as Record<string, D1Database>)[name]!);
	return (await Promise.all(bound.map((one) => one.prepare(sql).all()))).flatMap(({ results }) => results);
}

/** State of a code's object for the host, past the service. */
interface Inspected {
	lease(): Promise<Lease | null>;
	progress(): Promise<{ session: string; until: number }[]>;
	ring(): Promise<void>;
}

function objectOf(env: Bindings, { partnerId, code }: OwnedCode): Inspected {
	return env.PURCHASE_CODES.getByName(objectName(partnerId, code)) as unknown as Inspected;
}

async function findLeases(env: Bindings, codes: readonly OwnedCode[]): Promise<Lease[]> {
	const leases = await Promise.all(codes.map((owned) => objectOf(env, owned).lease()));
	return leases.filter((lease) => lease !== null);
}

async function findProgress(env: Bindings, codes: readonly OwnedCode[]): Promise<KeptProgress[]> {
	const kept = await Promise.all(
		codes.map(async (owned) =>
			(await objectOf(env, owned).progress()).map((found) => ({ ...found, code: owned.code })),
		),
	);
	return kept.flat();
}

/** Keys of all pictures in the bucket. */
async function findPictures(bucket: R2Bucket): Promise<string[]> {
	const keys: string[] = [];
	let cursor: string | undefined;
	do {
		const page = await bucket.list(cursor === undefined ? {} : { cursor });
		keys.push(...page.objects.map(({ key }) => key));
		cursor = page.truncated ? page.cursor : undefined;
	} while (cursor !== undefined);
	return keys;
}
