import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { freshService, JUANA, ops, Partner, type Product } from "../../../../support/service.ts";
import { frame, sessionOf } from "../../../../support/widget.ts";

const STATUS = "/api/partners/v1/status";
const UNKNOWN = "0000-1111-2222-3333";

beforeAll(freshService);

describe("§3.1 each status, reached through calls", () => {
	test("ACTIVE until it is validated, VALIDATED until it is claimed, EMITTED after the claim", {
		tags: ["status-active", "status-validated", "status-emitted"],
	}, async () => {
		const { partner, code } = await unused();
		const statuses = [await partner.status(code)];
		await partner.request({ pCode: code, ...JUANA });
		statuses.push(await partner.status(code));
		await partner.claim(code);
		expect([...statuses, await partner.status(code)]).toEqual(["ACTIVE", "VALIDATED", "EMITTED"]);
	});

	test("EXPIRED: certificate issued but has since expired, from its validTo on", {
		tags: ["status-expired", "list-expirado-not-certificate"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const code = await partner.code("FV00");
		await partner.request({ pCode: code, ...JUANA });
		const validTo = Date.parse((await partner.claim(code)).body.data.validTo);
		passTime(validTo - 1 - Date.now());
		expect(await partner.status(code)).toBe("EMITTED");
		passTime(1);
		expect([await partner.status(code), (await partner.listed(code)).status]).toEqual(["EXPIRED", "emitido"]);
	});

	test('decision "LOCKED in GET /status": under a security lock that has not run out', {
		tags: ["status-security-lock"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const code = await partner.code();
		await failValidations(partner, code, 3);
		expect(await partner.status(code)).toBe("LOCKED");
		passTime(30 * MINUTE_MS - 1);
		expect(await partner.status(code)).toBe("LOCKED");
		passTime(1);
		expect(await partner.status(code)).toBe("ACTIVE");
	});

	test("IN_ONBOARDING: midway through the widget flow, until the session's end", {
		tags: ["status-in-onboarding"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const code = await partner.code();
		await openWidget(partner, code);
		passTime(30 * MINUTE_MS - 1);
		expect(await partner.status(code)).toBe("IN_ONBOARDING");
		passTime(1);
		expect(await partner.status(code)).toBe("ACTIVE");
	});

	test("NOT_FOUND: does not exist, and it is no error", {
		tags: ["status-not-found", "status-answer"],
	}, async () => {
		const partner = await Partner.create();
		const { status, body } = await partner.get(`${STATUS}?p_code=${UNKNOWN}`);
		expect([status, body]).toEqual([200, { success: true, data: { p_code: UNKNOWN, status: "NOT_FOUND" } }]);
	});
});

describe("§3.1 precedence, reached through calls", () => {
	test("CANCELLED wins even over an already-issued certificate, and over an expired one", {
		tags: ["status-cancelled"],
	}, async () => {
		stopClock();
		const { partner, code } = await emitted("FV00");
		await operate(code, "cancel");
		expect(await partner.status(code)).toBe("CANCELLED");
		passTime(40 * DAY_MS);
		expect(await partner.status(code)).toBe("CANCELLED");
	});

	test("CANCELLED wins over LOCKED, LOCKED over IN_ONBOARDING, IN_ONBOARDING over VALIDATED", {
		tags: ["status-locked"],
	}, async () => {
		const { partner, code } = await validated();
		const statuses = [await partner.status(code)];
		await openWidget(partner, code);
		statuses.push(await partner.status(code));
		await operate(code, "block");
		statuses.push(await partner.status(code));
		await operate(code, "unblock");
		statuses.push(await partner.status(code));
		await operate(code, "cancel");
		statuses.push(await partner.status(code));
		expect(statuses).toEqual(["VALIDATED", "IN_ONBOARDING", "LOCKED", "VALIDATED", "CANCELLED"]);
	});

	test("EMITTED wins over IN_ONBOARDING", async () => {
		const { partner, code } = await validated();
		await openWidget(partner, code);
		expect((await partner.claim(code)).status).toBe(200);
		expect(await partner.status(code)).toBe("EMITTED");
	});
});

test('decision "GET /status of an unused code past its window": ACTIVE, while the list says expirado', {
	tags: ["status-active-past-window"],
}, async () => {
	stopClock();
	const partner = await Partner.create();
	const code = await partner.code();
	passTime(14 * DAY_MS - 1);
	expect([await partner.status(code), (await partner.listed(code)).status]).toEqual([
		"ACTIVE",
		"sin_utilizar",
	]);
	passTime(1);
	expect([await partner.status(code), (await partner.listed(code)).status]).toEqual(["ACTIVE", "expirado"]);
});

describe("§7 p_code parameter missing: 400", { tags: ["status-code-missing"] }, () => {
	test("p_code is sent once, and not empty; another parameter is 400 naming it", {
		tags: ["status-code-required"],
	}, async () => {
		const partner = await Partner.create();
		const ask = async (query: string) => refusal(await partner.get(STATUS + query));
		for (const query of ["", "?", "?=x", `?pCode=${UNKNOWN}`, "?p_code=", "?p_code"])
			expect([query, ...(await ask(query)).slice(0, 3)]).toEqual([query, ...invalid("p_code REQUIRED")]);
		for (const query of [`?p_code=${UNKNOWN}&p_code=${UNKNOWN}`, `?p_code=x&p%5fcode=${UNKNOWN}`])
			expect(await ask(query)).toEqual(invalid("p_code INVALID_TYPE"));
		expect(await ask(`?p_code=${UNKNOWN}&verbose=1`)).toEqual(invalid("verbose UNKNOWN_FIELD"));
	});
});

describe('decision "form": read back without regard to case, hyphens or spaces; answers use the canonical form', {
	tags: ["code-reading"],
}, () => {
	test.for([
		["lower case", (code: string) => code.toLowerCase()],
		["no hyphens", (code: string) => code.replaceAll("-", "")],
		["spaces for hyphens", (code: string) => code.replaceAll("-", " ")],
		["spaces around", (code: string) => ` ${code} `],
		["O for 0, I for 1", (code: string) => code.replaceAll("0", "O").replaceAll("1", "I")],
		["o for 0, l for 1", (code: string) => code.toLowerCase().replaceAll("0", "o").replaceAll("1", "l")],
	] as const)("%s", async ([, type]) => {
		const partner = await Partner.create();
		const code = await codeWithLookAlikes(partner);
		const { body } = await partner.get(`${STATUS}?p_code=${encodeURIComponent(type(code))}`);
		expect(body.data).toEqual({ p_code: code, status: "ACTIVE" });
	});

	test("certificate_request and certificate_claim read it the same way", {
		tags: ["code-reading-posts"],
	}, async () => {
		const partner = await Partner.create();
		const code = await codeWithLookAlikes(partner);
		const typed = code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "i");
		const requested = await partner.request({ pCode: typed, ...JUANA });
		expect([requested.status, requested.body.data.p_code]).toEqual([200, code]);
		const claimed = await partner.claim(typed);
		expect([claimed.status, claimed.body.data.p_code]).toEqual([200, code]);
	});

	test("what cannot be a code is simply not found", { tags: ["status-not-a-code"] }, async () => {
		const partner = await Partner.create();
		const short = [
			"7K3M-9QXT-2B4C-H8W",
			"UUUU-UUUU-UUUU-UUUU",
			"código",
			"%",
			"../../../../ops",
			"__proto__",
		];
		for (const typed of [
			...short,
			"  ",
			"\u0000",
			"\n",
			"\u0085",
			"\u2028",
			"A".repeat(5000),
			"🂡".repeat(65),
		]) {
			const { status, body } = await partner.get(`${STATUS}?p_code=${encodeURIComponent(typed)}`);
			expect([status, body.data]).toEqual([200, { p_code: typed, status: "NOT_FOUND" }]);
		}
	});
});

describe("§5.4 codes are scoped to the partner that owns the key", () => {
	test("another partner's code and a code that never existed give byte-identical answers", {
		tags: ["status-scope"],
	}, async () => {
		const stranger = await Partner.create();
		const states = { unused: await unused(), validated: await validated(), emitted: await emitted() };
		for (const [state, { code }] of Object.entries(states)) {
			const theirs = await stranger.get(`${STATUS}?p_code=${code}`, { "x-request-id": "same" });
			await erase(code);
			const nobodys = await stranger.get(`${STATUS}?p_code=${code}`, { "x-request-id": "same" });
			expect([state, theirs.status, theirs.text]).toEqual([state, nobodys.status, nobodys.text]);
			expect(comparable(theirs.headers)).toEqual(comparable(nobodys.headers));
			expect(theirs.body.data.status).toBe("NOT_FOUND");
		}
	});
});

test("a status reads nothing into D1: asking changes no row of the code", {
	tags: ["status-writes-nothing"],
}, async () => {
	const { partner, code } = await validated();
	const before = await env.DB_2.prepare("SELECT * FROM purchase_codes WHERE code = ?").bind(code).first();
	for (let i = 0; i < 3; i++) await partner.status(code);
	expect(await env.DB_2.prepare("SELECT * FROM purchase_codes WHERE code = ?").bind(code).first()).toEqual(
		before,
	);
});

async function unused(product: Product = "FV01") {
	const partner = await Partner.create();
	return { partner, code: await partner.code(product) };
}

async function validated(product: Product = "FV01") {
	const { partner, code } = await unused(product);
	const { status, text } = await partner.request({ pCode: code, ...JUANA });
	if (status !== 200) throw new Error(text);
	return { partner, code };
}

async function emitted(product: Product = "FV01") {
	const { partner, code } = await validated(product);
	const { status, text } = await partner.claim(code);
	if (status !== 200) throw new Error(text);
	return { partner, code };
}

async function failValidations(partner: Partner, pCode: string, times: number) {
	for (let i = 0; i < times; i++) await partner.request({ pCode, ...JUANA, serialNumber: "999999999" });
}

/** A code with a 0 and a 1 in it: about one in six has both. */
async function codeWithLookAlikes(partner: Partner): Promise<string> {
	const { body } = await partner.bulk(500);
	return body.data.pcodes.find((code: string) => code.includes("0") && code.includes("1"));
}

function operate(code: string, verb: "cancel" | "block" | "unblock") {
	return ops("POST", `/pcodes/${code}/${verb}`, { reason: "test" });
}

async function openWidget(partner: Partner, code: string): Promise<void> {
	await frame(await sessionOf(partner, code), "POST", "/open");
}

async function erase(code: string): Promise<void> {
	await env.DB_2.prepare("DELETE FROM purchase_codes WHERE code = ?").bind(code).run();
}

/** Headers without what counts calls and clocks them. */
function comparable(headers: Headers): [string, string][] {
	return [...headers].filter(([name]) => name !== "ratelimit" && name !== "server-timing");
}
