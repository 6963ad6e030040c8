import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { activeCode, validatedCode } from "../../../../support/codes.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { type Answer, freshService, JUANA, ops, Partner } from "../../../../support/service.ts";
import { rowsOfCode } from "../../../../support/tables.ts";

const STATUS = "/api/partners/v1/status";
const UNKNOWN = "0000-1111-2222-3333";

beforeAll(freshService);

test("§3.1 each status of a code's life, reached through calls; CANCELLED wins over an expired certificate", {
	tags: [
		"status-active",
		"status-validated",
		"status-emitted",
		"status-expired",
		"status-cancelled",
		"status-locked",
		"list-expirado-not-certificate",
		"status-not-found",
		"status-answer",
	],
}, async () => {
	stopClock();
	const partner = await Partner.create();
	const code = await partner.code("FV00");
	const statuses = async () => `${await partner.status(code)} ${(await partner.listed(code)).status}`;
	const operate = (verb: string) => ops("POST", `/pcodes/${code}/${verb}`, { reason: "test" });
	const seen = [await statuses()];
	await partner.request({ pCode: code, ...JUANA });
	seen.push(await statuses());
	for (const verb of ["block", "unblock"]) {
		await operate(verb);
		seen.push(await statuses());
	}
	const validTo = Date.parse((await partner.claim(code)).body.data.validTo);
	passTime(validTo - 1 - Date.now());
	seen.push(await statuses());
	passTime(1);
	seen.push(await statuses());
	await operate("cancel");
	expect([...seen, await statuses()]).toEqual([
		...["ACTIVE sin_utilizar", "VALIDATED validado", "LOCKED bloqueado", "VALIDATED validado"],
		...["EMITTED emitido", "EXPIRED emitido", "CANCELLED anulado"],
	]);
	const { status, body } = await partner.get(`${STATUS}?p_code=${UNKNOWN}`);
	expect([status, body]).toEqual([200, { success: true, data: { p_code: UNKNOWN, status: "NOT_FOUND" } }]);
});

test("§7 p_code is sent once, and not empty; another parameter is 400 naming it", {
	tags: ["status-code-missing", "status-code-required"],
}, async () => {
	const partner = await Partner.create();
	const ask = async (query: string) => refusal(await partner.get(STATUS + query));
	for (const query of ["", "?", "?=x", `?pCode=${UNKNOWN}`, "?p_code=", "?p_code"])
		expect([query, ...(await ask(query)).slice(0, 3)]).toEqual([query, ...invalid("p_code REQUIRED")]);
	for (const query of [`?p_code=${UNKNOWN}&p_code=${UNKNOWN}`, `?p_code=x&p%5fcode=${UNKNOWN}`])
		expect(await ask(query)).toEqual(invalid("p_code INVALID_TYPE"));
	expect(await ask(`?p_code=${UNKNOWN}&verbose=1`)).toEqual(invalid("verbose UNKNOWN_FIELD"));
});

test('decision "form": every call reads a code back without regard to case, hyphens or spaces, O as 0 and I as 1; answers use the canonical form', {
	tags: ["code-reading", "code-reading-posts"],
}, async () => {
	const partner = await Partner.create();
	// About one in six has both.
	const codes: string[] = (await partner.bulk(500)).body.data.pcodes;
	const code = codes.find((one) => one.includes("0") && one.includes("1"))!;
	const typed = ` ${code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")} `;
	const asked = await partner.get(`${STATUS}?p_code=${encodeURIComponent(typed)}`);
	expect(asked.body.data).toEqual({ p_code: code, status: "ACTIVE" });
	const requested = await partner.request({ pCode: typed, ...JUANA });
	expect([requested.status, requested.body.data.p_code]).toEqual([200, code]);
	const claimed = await partner.claim(typed.replaceAll(" ", ""));
	expect([claimed.status, claimed.body.data.p_code]).toEqual([200, code]);
});

test("what cannot be a code is simply not found", { tags: ["status-not-a-code"] }, async () => {
	const partner = await Partner.create();
	const forms = ["7K3M-9QXT-2B4C-H8W", "UUUU-UUUU-UUUU-UUUU", "código", "%", "../../../../ops", "__proto__"];
	const odd = ["  ", "\u0000", "\n", "\u0085", "\u2028", "A".repeat(5000), "🂡".repeat(65)];
	for (const typed of [...forms, ...odd]) {
		const { status, body } = await partner.get(`${STATUS}?p_code=${encodeURIComponent(typed)}`);
		expect([status, body.data]).toEqual([200, { p_code: typed, status: "NOT_FOUND" }]);
	}
});

test("§5.4 another partner's code and a code that never existed give byte-identical answers, and asking changes no row", {
	tags: ["status-scope", "status-writes-nothing"],
}, async () => {
	const stranger = await Partner.create();
	const visible = ({ status, text, headers }: Answer) => [
		...[status, text],
		...[...headers].filter(([name]) => name !== "ratelimit" && name !== "server-timing"),
	];
	for (const { partner, pCode } of [await activeCode(), await validatedCode()]) {
		const ask = () => stranger.get(`${STATUS}?p_code=${pCode}`, { "x-request-id": "same" });
		const before = await rowsOfCode("purchase_codes", pCode);
		const theirs = await ask();
		await partner.status(pCode);
		expect(await rowsOfCode("purchase_codes", pCode)).toEqual(before);
		await env.DB_2.prepare("DELETE FROM purchase_codes WHERE code = ?").bind(pCode).run();
		expect(visible(theirs)).toEqual(visible(await ask()));
		expect(theirs.body.data.status).toBe("NOT_FOUND");
	}
});
