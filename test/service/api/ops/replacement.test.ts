import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../../../src/domain/durations.ts";
import { passTime, setTime } from "../../../support/clock.ts";
import { activeCode, validatedCode } from "../../../support/codes.ts";
import { AT_REGISTER } from "../../../support/db.ts";
import { interceptDb, lostConnection } from "../../../support/failing-db.ts";
import { auditOf, codeRow, select } from "../../../support/look-inside.ts";
import { refusal } from "../../../support/refusal.ts";
import { freshService, JUANA, ops, Partner, PEDRO } from "../../../support/service.ts";

/* Decision "a code that cannot be used any more": ops replace it. */

beforeAll(freshService);

const REASON = { reason: "validated for the wrong person" };

async function replace(pCode: string) {
	const { status, body, text } = await ops("POST", `/pcodes/${pCode}/replace`, REASON);
	if (status !== 200) throw new Error(`${status} ${text}`);
	return body.data as { p_code: string; replaces: string; partner_id: string; product: string };
}

test("replace cancels the code and answers a new one of its product and partner, a batch of one with its own 14 days", {
	tags: ["ops-replace"],
}, async () => {
	setTime(Date.now());
	const partner = await Partner.create();
	const pCode = await partner.code("FV02");
	passTime(15 * DAY_MS);
	expect((await partner.listed(pCode)).status).toBe("expirado");
	const replaced = await replace(pCode.toLowerCase());
	const { p_code: fresh } = replaced;
	expect(replaced).toEqual({ p_code: fresh, replaces: pCode, partner_id: partner.id, product: "FV02" });
	expect(await partner.status(pCode)).toBe("CANCELLED");
	expect(await auditOf(pCode)).toEqual([`replace ${REASON.reason}`]);

	const listed = await partner.listed(fresh);
	expect(Date.parse(listed.expires_at) - Date.now()).toBe(14 * DAY_MS);
	expect(listed.status).toBe("sin_utilizar");
	const { body } = await partner.list(`?batch_id=${listed.batch_id}`);
	expect([body.data.pagination.total, body.data.pcodes[0].pcode]).toEqual([1, fresh]);
	expect((await partner.list("?status=sin_utilizar")).body.data.pagination.total).toBe(1);
	expect((await partner.list("?status=anulado")).body.data.pagination.total).toBe(1);
	expect((await partner.request({ pCode: fresh, ...JUANA })).status).toBe(200);
	expect((await partner.claim(fresh)).status).toBe(200);
	expect((await ops("POST", "/audit/verify", {})).body.data.faults).toEqual([]);
	const { body: found } = await ops("POST", "/reconcile", { repair: false, cursor: AT_REGISTER });
	expect(found.data.findings).toEqual([]);
});

test("repeating it, also at once, answers the same new code", {
	tags: ["ops-replace-repeated"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	const answers = await Promise.all([replace(pCode), replace(pCode), replace(pCode)]);
	const codes = new Set([...answers, await replace(pCode)].map(({ p_code }) => p_code));
	expect(codes.size).toBe(1);
	expect((await partner.list()).body.data.pagination.total).toBe(2);
	expect(await auditOf(pCode)).toEqual(["validated ok", `replace ${REASON.reason}`]);
});

test("a new code can itself be replaced, and a batch made after it goes on behind it", async () => {
	const { partner, pCode } = await activeCode();
	const first = (await replace(pCode)).p_code;
	const second = (await replace(first)).p_code;
	expect(new Set([pCode, first, second]).size).toBe(3);
	await partner.bulk(3);
	const seqs = await select("SELECT seq FROM purchase_codes WHERE partner_id = ? ORDER BY seq", partner.id);
	expect(seqs.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
	expect((await partner.list()).body.data.pagination.total).toBe(6);
});

test("an issued code is replaced without being cancelled: its certificate stays", {
	tags: ["ops-replace-issued"],
}, async () => {
	const { partner, pCode } = await validatedCode();
	await partner.claim(pCode);
	const { p_code: fresh } = await replace(pCode);
	expect(await partner.status(pCode)).toBe("EMITTED");
	expect(await partner.status(fresh)).toBe("ACTIVE");
	expect((await replace(pCode)).p_code).toBe(fresh);
	const [certificate] = await select("SELECT revoked_at FROM certificates WHERE code = ?", pCode);
	expect(certificate).toEqual({ revoked_at: null });
});

test.each(["block", "cancel"])(
	"after %s a code is replaced too, of a product that the partner may not order any more",
	{ tags: ["ops-replace"] },
	async (verb) => {
		const { partner, pCode } = await validatedCode();
		await ops("POST", `/pcodes/${pCode}/${verb}`, REASON);
		await partner.change({ allowed_products: [] });
		const { cancelled_at } = await codeRow(pCode);
		const { p_code: fresh, product } = await replace(pCode);
		expect([product, await partner.status(pCode)]).toEqual(["FV01", "CANCELLED"]);
		expect((await codeRow(pCode)).cancelled_at).toEqual(cancelled_at ?? expect.any(Number));
		expect((await partner.request({ pCode: fresh, ...PEDRO })).status).toBe(200);
	},
);

test("the e-mail of a replaced code is free, also of an issued one", { tags: ["email-freed"] }, async () => {
	const partner = await Partner.create();
	const [validated, issued, third, fourth] = (await partner.bulk(4)).body.data.pcodes;
	await partner.request({ pCode: validated, ...JUANA, email: "one@example.cl" });
	await partner.request({ pCode: issued, ...JUANA, email: "two@example.cl" });
	await partner.claim(issued);
	for (const [pCode, email, free] of [
		[validated, "one@example.cl", third],
		[issued, "two@example.cl", fourth],
	]) {
		expect((await partner.request({ pCode: free, ...PEDRO, email })).status).toBe(406);
		await replace(pCode);
		expect((await partner.request({ pCode: free, ...PEDRO, email })).status).toBe(200);
	}
});

test.each([
	["is lost", 1],
	["arrives", 2],
] as const)(
	"all or nothing: the commit %s, and the answer is 503; the repeat answers the one new code",
	{ tags: ["ops-replace-repeated"] },
	async (arrival, codes) => {
		const { partner, pCode } = await activeCode();
		const lost = await interceptDb(
			async (_, deliver, sql) => {
				if (!/insert into "?batches/i.test(sql)) return deliver();
				if (arrival === "arrives") await deliver();
				throw lostConnection();
			},
			() => ops("POST", `/pcodes/${pCode}/replace`, REASON),
		);
		expect(refusal(lost)).toEqual([503, "SERVICE_UNAVAILABLE"]);
		expect(await partner.status(pCode)).toBe(arrival === "arrives" ? "CANCELLED" : "ACTIVE");
		expect((await partner.list()).body.data.pagination.total).toBe(codes);
		const { p_code: fresh } = await replace(pCode);
		expect((await partner.list()).body.data.pagination.total).toBe(2);
		expect(await select("SELECT id FROM batches WHERE partner_id = ?", partner.id)).toHaveLength(2);
		expect(await partner.status(fresh)).toBe("ACTIVE");
	},
);

test("an unknown code is 404", async () => {
	const unknown = await ops("POST", "/pcodes/0000-0000-0000-0000/replace", REASON);
	expect(refusal(unknown)).toEqual([404, "NOT_FOUND"]);
});
