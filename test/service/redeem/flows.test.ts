import { beforeAll, expect, test } from "vitest";
import { freshService, JUANA, Partner } from "../../support/service.ts";

beforeAll(freshService);

test("B2C: a code made in bulk is validated, claimed once, and reads EMITTED", async () => {
	const partner = await Partner.create();
	const { status, body } = await partner.bulk(3);
	expect(status).toBe(201);
	expect(body.data.pcodes).toHaveLength(3);
	const [pCode] = body.data.pcodes;
	expect(await partner.status(pCode)).toBe("ACTIVE");

	const requested = await partner.request({ pCode, ...JUANA });
	expect(requested.text).toContain("VALIDATED");
	expect(requested.status).toBe(200);
	expect(requested.body.data.titular.nombreCompleto).toBe("JUANA ANDREA PÉREZ SOTO");
	expect(await partner.status(pCode)).toBe("VALIDATED");

	const claimed = await partner.claim(pCode);
	expect(claimed.text.slice(0, 200)).toContain('"success":true');
	expect(claimed.status).toBe(200);
	expect(await partner.status(pCode)).toBe("EMITTED");

	const again = await partner.claim(pCode);
	expect([again.status, again.body.error]).toEqual([201, "ALREADY_ISSUED"]);
	const list = await partner.list();
	expect(list.body.data.pagination).toEqual({ total: 3, page: 1, limit: 50 });
	expect((await partner.listed(pCode)).status).toBe("emitido");
});

test("B2B: the certificate is issued in the same call and a delivery is owed", {
	tags: ["request-b2b-issues"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B" });
	const pCode = await partner.code();
	const requested = await partner.request({ pCode, ...JUANA });
	expect(requested.status).toBe(200);
	expect(requested.body.data.status).toBe("EMITTED");
	expect(await partner.status(pCode)).toBe("EMITTED");
});
