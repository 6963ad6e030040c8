import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { alone } from "../../support/alone.ts";
import { tripsDuring } from "../../support/failing-db.ts";
import { freshService, JUANA } from "../../support/service.ts";
import { claim, frame, type Made, session, sessionOf, submit, typedSession } from "../../support/widget.ts";

/* The receipt of the frame: of the session's own certificate, by its token, while the session lives. */

beforeEach(freshService);

const receiptOf = (made: Pick<Made, "session" | "token">) => frame(made, "GET", "/receipt");

test("a receipt says whose certificate it is, who sold it and until when, and no whole RUT", {
	tags: ["receipt", "receipt-token"],
}, async () => {
	const made = await typedSession();
	await submit(made);
	expect((await receiptOf(made)).status).toBe(404);
	const { serialNumber, validFrom, validTo } = (await claim(made)).body.data;
	const [answer, trips] = await tripsDuring(() => receiptOf(made));
	const dates = { validFrom: Date.parse(validFrom), validTo: Date.parse(validTo), revokedAt: null };
	const holder = { name: "JUANA ANDREA PÉREZ SOTO", rut: "XX.XXX.111-1" };
	const data = { holder, seller: "Partner under test", serialNumber, ...dates };
	expect([answer.status, answer.body]).toEqual([200, { success: true, data }]);
	expect(answer.headers.get("cache-control")).toBe("no-store");
	expect(trips).toHaveLength(2);

	const other = await sessionOf(made.partner, await made.partner.code());
	const strangers = await session();
	for (const token of ["", other.token, strangers.token])
		expect((await receiptOf({ ...made, token })).status).toBe(401);
	for (const own of [other, strangers]) expect((await receiptOf(own)).status).toBe(404);

	await env.DB_2.prepare("DELETE FROM holders WHERE code = ?").bind(made.pCode).run();
	expect((await receiptOf(made)).body.data).toEqual({ ...data, holder: null });
});

test("B2B: the holder's page has the receipt of what the partner got", { tags: ["receipt"] }, async () => {
	const made = await typedSession({ mode: "B2B", delivery_email: "partner@example.cl" });
	const { serialNumber } = (await submit(made)).body.data.certificate;
	const { text, body } = await receiptOf(made);
	expect(body.data).toMatchObject({ serialNumber, seller: "Partner under test" });
	for (const secret of [JUANA.dni, JUANA.email, JUANA.pin]) expect(text).not.toMatch(alone(secret));
});
