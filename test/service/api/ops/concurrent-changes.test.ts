import { beforeAll, expect, test } from "vitest";
import { activeCode } from "../../../support/codes.ts";
import { freshService, JUANA, ops, Partner } from "../../../support/service.ts";

beforeAll(freshService);

const AT_ONCE = 8;

/** Holds that the audit of one thing is whole, and how many entries it has. */
async function auditLength(entity: string): Promise<number> {
	const { body } = await ops("GET", `/audit/${entity}`);
	expect(body.data.faults).toEqual([]);
	return body.data.events.length;
}

test("concurrent changes of one partner are all made, one after the other", async () => {
	const { id } = await Partner.create();
	const before = await auditLength(`partner:${id}`);
	const answers = await Promise.all(
		Array.from({ length: AT_ONCE }, (_, i) => ops("PATCH", `/partners/${id}`, { name: `Partner ${i}` })),
	);
	expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
	expect(await auditLength(`partner:${id}`)).toBe(before + AT_ONCE);
});

test("concurrent reads of one code's evidence are all audited, and all answered", async () => {
	const { partner, pCode } = await activeCode();
	await partner.request({ pCode, ...JUANA, dniFront: "data:image/png;base64,iVBORw0KGgo=" });
	const answers = await Promise.all(
		Array.from({ length: AT_ONCE }, () => ops("GET", `/evidence/${pCode}/front`)),
	);
	expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
	expect(await auditLength(`evidence:${pCode}`)).toBe(AT_ONCE);
});
