import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { activeCode } from "../../support/codes.ts";
import { callWith, freshService, JUANA } from "../../support/service.ts";

beforeAll(freshService);

/** A field name that names a holder. */
const NAME = "rut-of-juana-11111111";

test("a caller's field or parameter name is in the answer, but in no log line and no counter", async () => {
	const written: string[] = [];
	for (const method of ["log", "info", "warn", "error", "debug", "trace"] as const)
		vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
			written.push(JSON.stringify(values));
		});
	const { partner, pCode } = await activeCode();
	const points: unknown[] = [];
	const METRICS = { writeDataPoint: (point: unknown) => points.push(point) };
	const send = async (method: string, path: string, headers: HeadersInit, body?: unknown) => {
		const { status, text } = await callWith({ METRICS }, method, path, {
			headers: { ...headers, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		expect([path, status, text.includes(NAME)]).toEqual([path, 400, true]);
	};

	written.length = 0;
	const asPartner = { "x-gw": partner.key };
	const asOps = { authorization: `Bearer ${env.OPS_TOKEN}` };
	const redeem = "/api/partners/v1";
	await send("POST", `${redeem}/certificate_request`, asPartner, { pCode, ...JUANA, [NAME]: 1 });
	await send("POST", `${redeem}/certificate_claim`, asPartner, {
		p_code: pCode,
		dni: JUANA.dni,
		pin: JUANA.pin,
		[NAME]: 1,
	});
	await send("POST", "/api/partner/v1/pcode/bulk", asPartner, {
		productCode: "FV01",
		quantity: 1,
		[NAME]: 1,
	});
	await send("GET", `/api/partner/v1/pcodes?${NAME}=1`, asPartner);
	await send("POST", "/ops/v1/partners", asOps, { name: "Partner", [NAME]: 1 });

	expect(written.filter((line) => line.includes('\\"event\\":\\"request\\"'))).toHaveLength(5);
	expect(points).toHaveLength(5);
	expect(written.join("\n")).not.toContain(NAME);
	expect(JSON.stringify(points)).not.toContain(NAME);
});
