import { env, exports } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import { setTime } from "../../../support/clock.ts";
import { interceptDb } from "../../../support/failing-db.ts";
import { select } from "../../../support/look-inside.ts";
import { freshService, JUANA, ops, Partner } from "../../../support/service.ts";

const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...Array<number>(64).fill(7), 0xff, 0xd9]);
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array<number>(64).fill(9)]);

let partner: Partner;
let pCode: string;

beforeEach(async () => {
	await freshService();
	partner = await Partner.create();
	pCode = await partner.code();
	const pictures = { dniFront: JPEG.toBase64(), dniBack: PNG.toBase64() };
	expect((await partner.request({ pCode, ...JUANA, ...pictures })).status).toBe(200);
});

const auditRows = () =>
	select("SELECT * FROM audit_events WHERE entity = ? ORDER BY version", `evidence:${pCode}`);

/** The bytes of a picture, which a text would not keep. */
async function download(side: string, headers: Record<string, string> = {}) {
	const response = await exports.default.fetch(
		new Request(`http://service.test/ops/v1/evidence/${pCode}/${side}`, {
			headers: { authorization: `Bearer ${env.OPS_TOKEN}`, ...headers },
		}),
	);
	const content = new Uint8Array(await response.arrayBuffer());
	return { status: response.status, headers: response.headers, content };
}

test("evidence: ops list and download the pictures of a validation as they were sent", async () => {
	const { status, body } = await ops("GET", `/evidence/${pCode}`);
	expect(status).toBe(200);
	expect(body.data.p_code).toBe(pCode);
	expect(body.data.evidence).toMatchObject([
		{ side: "back", media_type: "image/png" },
		{ side: "front", media_type: "image/jpeg" },
	]);
	const front = await download("front");
	expect([front.status, front.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
	expect(front.content).toEqual(JPEG);
	expect(front.headers.get("content-disposition")).toBe(`attachment; filename="${pCode}-front.jpg"`);
	expect(front.headers.get("cache-control")).toBe("no-store");
	expect((await download("back")).content).toEqual(PNG);
	expect((await download("back?validation=another")).status).toBe(404);
});

test("evidence: of two validations the latest picture of the side is given, and an earlier one by its validation", async () => {
	const { created_at, validation } = (await ops("GET", `/evidence/${pCode}`)).body.data.evidence[0];
	setTime(Date.parse(created_at) + MINUTE_MS);
	expect((await partner.request({ pCode, ...JUANA, dniFront: PNG.toBase64() })).status).toBe(200);
	const { evidence } = (await ops("GET", `/evidence/${pCode}`)).body.data;
	expect(evidence.map((picture: { created_at: string }) => picture.created_at)).toEqual([
		created_at,
		created_at,
		new Date().toISOString(),
	]);
	pCode = pCode.toLowerCase();
	const latest = await download("front");
	expect(latest.content).toEqual(PNG);
	expect(latest.headers.get("content-type")).toBe("image/png");
	expect(latest.headers.get("content-disposition")).toBe(
		`attachment; filename="${pCode.toUpperCase()}-front.png"`,
	);
	expect((await download("back")).content).toEqual(PNG);
	expect((await download(`front?validation=${validation}`)).content).toEqual(JPEG);
});

test("evidence: every read is an audit entry with actor, action, time and request id, chained by hash", async () => {
	await ops("GET", `/evidence/${pCode}`);
	await download("front", { "x-request-id": "look-at-front" });
	await Promise.all([download("back"), download("back")]);
	const rows = await auditRows();
	expect(rows.map(({ actor, action, version }) => [actor, action, version])).toEqual([
		["ops:token", "evidence_listed", 1],
		["ops:token", "evidence_read", 2],
		["ops:token", "evidence_read", 3],
		["ops:token", "evidence_read", 4],
	]);
	expect(rows[0]!.outcome).toBe("2 listed");
	expect(rows[1]).toMatchObject({ request_id: "look-at-front", partner_id: partner.id });
	expect(rows[1]!.outcome).toMatch(new RegExp(`^${partner.id}/[^/]+/front$`));
	expect((await ops("GET", `/audit/evidence:${pCode}`)).body.data.faults).toEqual([]);
});

test.each<[string, () => Promise<{ status: number; headers: Headers }>]>([
	["/{side}", () => download("front")],
	["", () => ops("GET", `/evidence/${pCode}`)],
])(
	"evidence: while the audit cannot be written, GET /evidence/{p_code}%s is 503 and nothing is read",
	async (_, look) => {
		const read = vi.spyOn(Object.getPrototypeOf(env.EVIDENCE), "get");
		const refused = await interceptDb(
			(_, deliver, sql) =>
				/insert into "?audit_events/i.test(sql)
					? Promise.reject(new Error("D1_ERROR: Network connection lost."))
					: deliver(),
			look,
		);
		expect([refused.status, refused.headers.get("content-type")]).toEqual([503, "application/json"]);
		expect(read).not.toHaveBeenCalled();
		expect(await auditRows()).toEqual([]);
		expect((await look()).status).toBe(200);
		expect(await auditRows()).toHaveLength(1);
	},
);

test("evidence: an unknown code or picture is 404", async () => {
	expect((await ops("GET", "/evidence/0000-0000-0000-0000")).status).toBe(404);
	expect((await ops("GET", "/evidence/nonsense/front")).status).toBe(404);
	const empty = await partner.code();
	expect((await ops("GET", `/evidence/${empty}/front`)).status).toBe(404);
	expect((await ops("GET", `/evidence/${empty}`)).body.data.evidence).toEqual([]);
});
