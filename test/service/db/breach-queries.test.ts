import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import page from "../../../docs/operators/breach.md?raw";
import { select, selectOfNobody } from "../../support/look-inside.ts";
import { emitted } from "../../support/pki.ts";
import { freshService, JUANA, ops, Partner, PEDRO, PNG } from "../../support/service.ts";

/* docs/operators/breach.md: each query of the page runs as it is written, and finds what it says. */

beforeAll(freshService);

const QUERIES = Array.from(page.matchAll(/```sql\n(.*?)```/gs), ([, sql]) => sql!);

test("each query runs, and finds what was done; none shows a holder", {
	tags: ["breach-queries"],
}, async () => {
	const { partner, pCode } = await emitted(undefined, { ...JUANA, dniFront: PNG });
	await emitted(partner, PEDRO);
	await emitted(await Partner.create({ mode: "B2B" }));
	await ops("POST", "/holders/data", { dni: JUANA.dni, reason: "ticket 4711" });
	await ops("GET", `/evidence/${pCode}`);
	const [key] = await select("SELECT id FROM api_keys WHERE partner_id = ?", partner.id);
	const found = await Promise.all(
		QUERIES.map(async (sql) => {
			expect((await env.DB_2.prepare(sql).all()).success).toBe(true);
			const filled = sql.replace("PARTNER", partner.id).replace("KEY", key!.id).replace("PERSON", "token");
			return [...(await selectOfNobody(filled)), ...(await select(filled))];
		}),
	);
	expect(found.map((rows) => rows.length)).toEqual([2, 2, 4, 1, 1, expect.any(Number)]);
	const [holders, codes, byKey, searches, pictures, sent] = found;
	expect(holders!.find(({ partner_id }) => partner_id === partner.id)).toMatchObject({
		holders: 2,
		persons: 2,
	});
	expect(codes![0]).toMatchObject({ code: pCode, external_reference_id: JUANA.referenceId });
	expect(byKey!.map(({ action }) => action).sort()).toEqual(["created", "created", "emitted", "emitted"]);
	expect(searches![0]!.action).toBe("holder_shown");
	expect(pictures![0]).toMatchObject({ actor: "ops:token", entity: `evidence:${pCode}` });
	expect(sent!.length).toBeGreaterThan(0);
	expect(JSON.stringify(found)).not.toMatch(/JUANA|PEDRO|@example|11111111/i);
});
