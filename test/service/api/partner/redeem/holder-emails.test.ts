import { beforeAll, expect, test, vi } from "vitest";
import { operate } from "../../../../support/codes.ts";
import { holdRegistry, select } from "../../../../support/look-inside.ts";
import { refusal, rejection } from "../../../../support/refusal.ts";
import { freshService, JUANA, ops, Partner, PEDRO } from "../../../../support/service.ts";

/* Decision "e-mail": one e-mail belongs to one RUT per partner while a validated or issued code of that RUT carries it. */

const IN_USE = rejection("EMAIL_IN_USE", "email");
const TYPO = "juan@example.cl";

beforeAll(freshService);

/** A partner with Juana's code, validated with an e-mail, and a code for Pedro. */
async function juanaWith(email: string) {
	const partner = await Partner.create();
	const [juanas, pedros, another] = (await partner.bulk(3)).body.data.pcodes as [string, string, string];
	expect((await partner.request({ pCode: juanas, ...JUANA, email })).status).toBe(200);
	return { partner, juanas, pedros, another };
}

function ownersOf(partner: Partner) {
	return select("SELECT rut_index, email_index FROM holder_emails WHERE partner_id = ?", partner.id);
}

test("a new validation with another e-mail frees the old one, in whatever case it was written", {
	tags: ["email-freed"],
}, async () => {
	const { partner, juanas, pedros } = await juanaWith(TYPO);
	expect(refusal(await partner.request({ pCode: pedros, ...PEDRO, email: TYPO.toUpperCase() }))).toEqual(
		IN_USE,
	);
	expect((await partner.request({ pCode: juanas, ...JUANA })).status).toBe(200);
	expect((await partner.request({ pCode: pedros, ...PEDRO, email: TYPO })).status).toBe(200);
	expect(await ownersOf(partner)).toHaveLength(2);
	expect(refusal(await partner.request({ pCode: juanas, ...JUANA, email: TYPO }))).toEqual(IN_USE);
});

test("an e-mail that another code of the RUT carries stays the RUT's", {
	tags: ["email-freed"],
}, async () => {
	const { partner, juanas, pedros, another } = await juanaWith(TYPO);
	expect((await partner.request({ pCode: another, ...JUANA, email: TYPO })).status).toBe(200);
	expect((await partner.request({ pCode: juanas, ...JUANA })).status).toBe(200);
	expect(refusal(await partner.request({ pCode: pedros, ...PEDRO, email: TYPO }))).toEqual(IN_USE);
});

test("the e-mail of a code that is blocked, which ops may lift, or issued stays its RUT's, that of a cancelled one is free", {
	tags: ["email-freed"],
}, async () => {
	const { partner, juanas, pedros } = await juanaWith(JUANA.email);
	const ask = () => partner.request({ pCode: pedros, ...PEDRO, email: JUANA.email });
	expect((await operate(juanas, "block")).status).toBe(200);
	expect(refusal(await ask())).toEqual(IN_USE);
	expect((await operate(juanas, "unblock")).status).toBe(200);
	expect((await partner.claim(juanas)).status).toBe(200);
	expect(refusal(await ask())).toEqual(IN_USE);
	await operate(juanas, "cancel");
	expect((await ask()).status).toBe(200);
});

test("one of two RUTs that take a free e-mail at once gets it", { tags: ["email-freed"] }, async () => {
	const { partner, juanas, pedros, another } = await juanaWith(TYPO);
	expect((await partner.request({ pCode: juanas, ...JUANA })).status).toBe(200);
	const registry = holdRegistry();
	const answers = [
		partner.request({ pCode: pedros, ...PEDRO, email: TYPO }),
		partner.request({ pCode: another, ...JUANA, email: TYPO }),
	];
	await vi.waitUntil(() => registry.heard() === 2, { interval: 1 });
	registry.release();
	const seen = (await Promise.all(answers)).map(({ status }) => status);
	expect(seen.toSorted()).toEqual([200, 406]);
});

test("forget-emails deletes what no code of its RUT carries any more, and nothing else", async () => {
	const { partner, juanas } = await juanaWith(TYPO);
	expect((await partner.request({ pCode: juanas, ...JUANA })).status).toBe(200);
	expect(await ownersOf(partner)).toHaveLength(2);
	expect((await ops("POST", "/upkeep/forget-emails", {})).status).toBe(200);
	expect(await ownersOf(partner)).toHaveLength(1);
	const other = await partner.code();
	expect(refusal(await partner.request({ pCode: other, ...PEDRO, email: JUANA.email }))).toEqual(IN_USE);
});
