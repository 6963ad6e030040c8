import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { DATABASE_MAX } from "../../../../src/domain/limits.ts";
import { signInOps } from "../../../support/ops-console.ts";
import { freshService, JUANA, ops, Partner } from "../../../support/service.ts";

/* Databases as ops see them, and where a new partner goes (decisions, "More than one database"). */

beforeEach(freshService);

const list = async () => (await ops("GET", "/databases")).body.data.databases;
const say = (number: number, state: "open" | "closed") => ops("PATCH", `/databases/${number}`, { state });

/** Has databases say that they have these bytes. */
function sized(sizes: ReadonlyMap<D1Database, number>): void {
	for (const [database, size_after] of sizes) {
		const batch = database.batch.bind(database);
		vi.spyOn(database, "batch").mockImplementation(async <T>(statements: D1PreparedStatement[]) =>
			(await batch<T>(statements)).map((answer) => ({ ...answer, meta: { ...answer.meta, size_after } })),
		);
	}
}

/** Number of the database in which a new partner is put; the status of a refusal. */
async function placed(asked: object = {}): Promise<number> {
	const { status, body } = await ops("POST", "/partners", { name: "New", ...asked });
	if (status !== 201) return status;
	const where = "SELECT database FROM directory_partners WHERE partner_id = ?";
	return (await env.DB.prepare(where).bind(body.data.partner.id).first<number>("database"))!;
}

test("each is listed with its size, partners, certificates and state, and ops open and close it", async () => {
	const partner = await Partner.create({ database: 1 });
	await Partner.create();
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA });
	await partner.claim(pCode);
	const shared = { bytes: expect.any(Number), limit: DATABASE_MAX, partners: 1, state: "open" };
	expect(await list()).toEqual([
		{ number: 1, binding: "DB", certificates: 1, ...shared },
		{ number: 2, binding: "DB_2", certificates: 0, ...shared },
	]);
	for (const state of ["closed", "open"] as const) {
		expect((await say(2, state)).body.data.database).toMatchObject({ number: 2, state });
		expect((await list())[1].state).toBe(state);
	}
	expect((await say(3, "open")).status).toBe(404);
	// One that is bound later waits for ops' word.
	await env.DB.prepare("DELETE FROM directory_databases WHERE number = 2").run();
	expect((await list())[1].state).toBe("closed");
	const { results } = await env.DB.prepare(
		"SELECT action FROM audit_events WHERE entity = 'database:DB_2' ORDER BY version",
	).all();
	expect(results).toEqual([{ action: "database_closed" }, { action: "database_opened" }]);
});

const GB = 1_000_000_000;

test.each([
	["both are open and alike: the last", [1, 1], [], undefined, 2],
	["one has more room", [1, 3], [], undefined, 1],
	["that one is closed", [1, 3], [1], undefined, 2],
	["ops name a closed one", [1, 3], [1], 1, 1],
	["one holds 70 %", [6.9, 7], [], undefined, 1],
	["ops name one that holds 70 %", [1, 7], [], 2, 503],
	["none is open", [1, 1], [1, 2], undefined, 503],
	["both hold 70 %", [7, 7], [], undefined, 503],
])("a new partner, where %s", async (_, [first, second], closed, asked, goes) => {
	for (const number of closed) expect((await say(number, "closed")).status).toBe(200);
	sized(
		new Map([
			[env.DB, first! * GB],
			[env.DB_2, second! * GB],
		]),
	);
	expect(await placed(asked === undefined ? {} : { database: asked })).toBe(goes);
	const full = [first!, second!].map((size) => size >= 7);
	expect((await list()).map(({ state }: { state: string }) => state === "full")).toEqual(full);
	const { text } = await (await signInOps()).open("/ops/console/databases");
	expect(text.match(/name="state" value="open"/g) ?? []).toHaveLength(closed.length);
});
