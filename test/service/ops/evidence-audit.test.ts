import { env, exports } from "cloudflare:workers";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { interceptDb } from "../../support/failing-db.ts";
import { select } from "../../support/look-inside.ts";
import { freshService, JUANA, Partner } from "../../support/service.ts";

beforeAll(freshService);
afterEach(() => {
	vi.restoreAllMocks();
});

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array<number>(64).fill(9)]);

/** A code with a picture, and a call of ops for it. */
async function pictured() {
	const partner = await Partner.create();
	const pCode = await partner.code();
	expect((await partner.request({ pCode, ...JUANA, dniFront: PNG.toBase64() })).status).toBe(200);
	const look = async (path: string) => {
		const response = await exports.default.fetch(
			new Request(`http://service.test/ops/v1/evidence/${pCode}${path}`, {
				headers: { authorization: `Bearer ${env.OPS_TOKEN}` },
			}),
		);
		return { status: response.status, content: new Uint8Array(await response.arrayBuffer()) };
	};
	return { pCode, look };
}

test.each(["/front", ""])(
	"evidence: while the audit cannot be written, GET /evidence/{p_code}%s is 503 and shows nothing",
	async (path) => {
		const { pCode, look } = await pictured();
		const read = vi.spyOn(Object.getPrototypeOf(env.EVIDENCE), "get");
		const refused = await interceptDb(
			(_, deliver, sql) =>
				/insert into "?audit_events/i.test(sql)
					? Promise.reject(new Error("D1_ERROR: Network connection lost."))
					: deliver(),
			() => look(path),
		);
		expect(refused.status).toBe(503);
		const text = new TextDecoder().decode(refused.content);
		expect(JSON.parse(text)).toMatchObject({ success: false, error: "SERVICE_UNAVAILABLE" });
		expect(read).not.toHaveBeenCalled();
		expect(await select("SELECT 1 FROM audit_events WHERE entity = ?", `evidence:${pCode}`)).toEqual([]);
		expect((await look(path)).status).toBe(200);
		expect(await select("SELECT 1 FROM audit_events WHERE entity = ?", `evidence:${pCode}`)).toHaveLength(1);
	},
);
