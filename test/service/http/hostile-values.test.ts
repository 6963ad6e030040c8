import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS, passTime, startClock, stopClock } from "../../support/clock.ts";
import { expectBareRefusal, TARGETS, withoutWriting } from "../../support/hostile.ts";
import { invalid, refusal } from "../../support/refusal.ts";
import { type Answer, call, freshService, JUANA, JUANA_FULL, ops, Partner } from "../../support/service.ts";

let partner: Partner;

beforeAll(async () => {
	await freshService();
	stopClock();
	partner = await Partner.create();
});
afterAll(startClock);

const SQL = "'; DROP TABLE purchase_codes; --";

/** A request of its own minute, so that the emission rate never meets it. */
function request(
	body: Record<string, unknown> | string,
	headers: Record<string, string> = {},
): Promise<Answer> {
	passTime(MINUTE_MS);
	return partner.post("/api/partners/v1/certificate_request", body, headers);
}

test.for([
	["pin", 9137, "INVALID_TYPE"],
	["pin", 91.37, "INVALID_TYPE"],
	["pin", "9137\n", "INVALID_VALUE"],
	["pin", "+9137", "INVALID_VALUE"],
	["dni", 111111111, "INVALID_TYPE"],
	["dni", "11111111-0", "INVALID_VALUE"],
	["dni", "11111111-K", "INVALID_VALUE"],
	["dni", "-11111111-1", "INVALID_VALUE"],
	["dni", "0-0", "INVALID_VALUE"],
	["dni", "1.1111.111-1", "INVALID_VALUE"],
	["dni", "11111111-1\n", "INVALID_VALUE"],
	["dni", "11111111\u20101", "INVALID_VALUE"],
	["dni", "999999999999-9", "INVALID_VALUE"],
	["fechaVencimiento", "31-02-2031", "INVALID_VALUE"],
	["fechaVencimiento", 20310520, "INVALID_TYPE"],
	["email", "juana@example.cl\nBcc: all@example.cl", "INVALID_VALUE"],
	["email", "juana@example.cl, pedro@example.cl", "INVALID_VALUE"],
	["email", "<juana@example.cl>", "INVALID_VALUE"],
	["email", `${"j".repeat(250)}@example.cl`, "INVALID_VALUE"],
	["partnerCopy", "copia@example.cl\r\nX: 1", "INVALID_VALUE"],
	["referenceId", "r".repeat(129), "INVALID_VALUE"],
	["referenceId", "order\u2028-1", "INVALID_VALUE"],
	["serialNumber", "1".repeat(33), "INVALID_VALUE"],
	["ssoCredential", "x".repeat(8001), "INVALID_VALUE"],
	["ssoCredential", "a\r\nb", "INVALID_VALUE"],
	["pCode", "7".repeat(65), "INVALID_VALUE"],
] as const)("§7 certificate_request 400: %s as %j", ([field, value, code]) =>
	withoutWriting(async () => {
		const answer = await request({ pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA, [field]: value });
		expectBareRefusal(answer, [partner.key, JUANA.pin, "9137", "91.37"]);
		expect(refusal(answer)).toEqual(invalid(`${field} ${code}`));
	}),
);

test.for([
	...["0", "-0", "501", "-1", "1.5", "1e308", "1e999", "-1e999", "9007199254740993", "1e-5", '"1"', '"٣"'],
	...["[1]", "null", "true", "{}", '"1; DROP TABLE batches"'],
])("§8 pcode/bulk quantity %s: rejected", (quantity) =>
	withoutWriting(async () => {
		const body = `{"productCode":"FV01","quantity":${quantity}}`;
		const answer = await partner.post("/api/partner/v1/pcode/bulk", body);
		expectBareRefusal(answer, [partner.key]);
		expect(answer.body.details[0].field).toBe("quantity");
	}),
);

test.for(["fv01", "FV04", "FV01 ", "FV0", "", "__proto__", "constructor", "toString", SQL])(
	"§4.4 pcode/bulk productCode %j: rejected",
	(productCode) =>
		withoutWriting(async () => {
			const answer = await partner.bulk(1, productCode);
			expectBareRefusal(answer, [partner.key]);
			expect(answer.body.details[0].field).toBe("productCode");
		}),
);

test.for([
	["webhook_url", "javascript:alert(1)"],
	["webhook_url", "ftp://partner.example"],
	["webhook_url", "http://partner.example"],
	["webhook_url", "https://user:secret@partner.example"],
	["webhook_url", "//partner.example"],
	["webhook_url", " https://partner.example/hook"],
	["webhook_url", "https://partner.example/\r\nhook"],
	["webhook_url", `https://partner.example/${"x".repeat(2048)}`],
	["mode", "b2b"],
	["mode", "__proto__"],
	["require_cedula_serie", "1"],
	["require_cedula_serie", true],
	["allowed_products", ["FV01", "FV01"]],
	["allowed_products", "FV01"],
	["name", "n".repeat(101)],
] as const)("§7 ops partners 400: %s as %j", ([field, value]) =>
	withoutWriting(async () => {
		const answer = await ops("POST", "/partners", { name: "Hostile", [field]: value });
		expectBareRefusal(answer, [env.OPS_TOKEN ?? "", "secret"]);
		expect(answer.body.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
	}),
);

test("SQL in a free text is data: stored, answered and found as it was sent", async () => {
	const named = await ops("POST", "/partners", { name: SQL });
	expect([named.status, named.body.data.partner.name]).toEqual([201, SQL]);
	const pCode = await partner.code();
	const { body } = await request({ pCode, ...JUANA, referenceId: SQL });
	expect(body.data.referenceId).toBe(SQL);
	const found = await partner.list(`?external_reference_id=${encodeURIComponent(SQL)}`);
	expect(found.body.data.pcodes.map(({ pcode }: { pcode: string }) => pcode)).toEqual([pCode]);
	expect(await partner.status(pCode)).toBe("VALIDATED");
});

test("SQL as purchase code is a code that does not exist, SQL as a name another name", async () => {
	expect(refusal(await request({ ...JUANA, pCode: SQL }))).toEqual([404, "NOT_FOUND"]);
	expect(refusal(await partner.claim(SQL))).toEqual([404, "NOT_FOUND"]);
	expect(await partner.status(SQL)).toBe("NOT_FOUND");
	const full = await Partner.create({ require_cedula_serie: 0 });
	const answer = await full.request({ ...JUANA_FULL, pCode: await full.code(), names: SQL });
	expect(refusal(answer)).toEqual([406, "VALIDATION_ERROR", "names NAME_MISMATCH"]);
});

test("certificate_request: a full body of unknown fields names a hundred of them, and no answer grows with it", {
	tags: ["error-hundred-fields"],
}, async () => {
	const fields = JSON.stringify({ pCode: "7K3M-9QXT-2B4C-H8WD", ...JUANA }).slice(1);
	const unknown = Array.from({ length: 1_000_000 }, (_, i) => `"${i.toString(36)}":0`);
	const answer = await request(`{${unknown.join(",")},${fields}`);
	expect(answer.status).toBe(400);
	expect(answer.body.details).toHaveLength(100);
	expect(answer.text.length).toBeLessThan(20_000);
});

test("certificate_request: a full body in one field, long or deep, is refused in a small answer", async () => {
	const full = [
		`"${"a.".repeat(2_000_000)}@${"b.".repeat(2_000_000)}cl"`,
		`"${"1.111".repeat(2_000_000)}-1"`,
		`${"[".repeat(6_000_000)}${"]".repeat(6_000_000)}`,
	];
	for (const value of full) {
		for (const field of ["dni", "email", "names", "pCode", "dniFront"]) {
			const answer = await request(`{"${field}":${value}}`);
			expectBareRefusal(answer, [partner.key]);
			expect(answer.text.length).toBeLessThan(2_000);
		}
	}
}, 60_000);

test("decision 401: whatever is wrong with the key, one and the same body, no echo", async () => {
	const revoked = await Partner.create();
	const { body } = await ops("GET", `/partners/${revoked.id}`);
	await ops("DELETE", `/partners/${revoked.id}/keys/${body.data.keys[0].id}`);
	const wrong = [
		...[
			revoked.key,
			partner.key.toLowerCase(),
			`${partner.key}0`,
			partner.key.slice(0, -1),
			"gw_dev_",
			"' OR 1=1 --",
		],
		...[
			partner.key.replace("gw_dev_", "gw_prod_"),
			"x".repeat(4000),
			"\u00ff\u00fe",
			`${partner.key}, ${partner.key}`,
		],
	];
	for (const { path } of TARGETS.slice(0, 3)) {
		const missing = await call("POST", path);
		expect(refusal(missing)).toEqual([401, "UNAUTHORIZED"]);
		for (const key of wrong) {
			const answer = await call("POST", path, {
				headers: { "x-gw": key, "content-type": "application/json" },
				body: "{}",
			});
			expect([answer.status, answer.text]).toEqual([401, missing.text]);
		}
	}
});

test("hostile headers: never a 5xx, and a request id that is no sane one is not given back", async () => {
	const hostile: Record<string, string>[] = [
		{ "idempotency-key": "" },
		{ "idempotency-key": "k".repeat(256) },
		{ "idempotency-key": '"a b"' },
		{ "idempotency-key": "\u00ff" },
		{ "accept-language": `${"es;q=0.".repeat(2000)}x` },
		{ "accept-language": "\u00ff;q=NaN" },
		{ "x-request-id": "<script>alert(1)</script>" },
		{ "x-request-id": "r".repeat(5000) },
		{ accept: "text/html" },
		{ "x-forwarded-for": SQL, host: "evil.example" },
	];
	for (const headers of hostile) {
		const answer = await request({ pCode: "not a code" }, headers);
		expectBareRefusal(answer, [partner.key]);
		expect(answer.headers.get("x-request-id")).toMatch(/^[\w=-]{1,255}$/);
	}
});
