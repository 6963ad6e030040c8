import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { answersTo, endBy, screensOf } from "../../../src/domain/onboarding.ts";
import { contrast, readAccent, readOrigin, readOrigins } from "../../../src/domain/onboarding-looks.ts";
import { endOf } from "../../../src/domain/onboarding-session.ts";
import { DEFAULT_SETTINGS } from "../../../src/domain/partner-settings.ts";
import { NOW } from "./code-in-state.ts";

const reduced = { ...DEFAULT_SETTINGS, name: "Partner" };
const full = { ...reduced, requireCardSerial: false, requireSso: true };

describe("the steps follow the partner's settings", () => {
	test.for([
		["reduced", reduced, "rut card email pin review"],
		["reduced, with expiry", { ...reduced, validateCardExpiry: true }, "rut card expiry email pin review"],
		["full", full, "rut name sign_on email pin review"],
		["full without single sign-on", { ...full, requireSso: false }, "rut card name email pin review"],
		["full, with both", { ...full, requireSerialWithSso: true }, "rut card name sign_on email pin review"],
	] as const)("%s", ([, settings, steps]) => {
		expect(screensOf(settings).join(" ")).toBe(steps);
	});

	test("a validation leaves out fields that these steps do not ask", () => {
		const typed = { rut: "11111111-1", cardSerial: "111111111", names: "Juana", email: "juana@example.cl" };
		const { cardSerial, names, ...always } = typed;
		expect(answersTo(screensOf(reduced), typed)).toEqual({ ...always, cardSerial });
		expect(answersTo(screensOf(full), typed)).toEqual({ ...always, names });
	});
});

describe("a session ends once, by what came first", () => {
	const living = { endedAt: null, endReason: null, completedAt: null, until: NOW + MINUTE_MS };
	const over = { ...living, until: NOW };
	test.for([
		["in its time", living, null],
		["its time over", over, { reason: "expired", at: NOW }],
		["its time over after success", { ...over, completedAt: NOW - 1 }, { reason: "completed", at: NOW }],
		["replaced before", { ...over, endedAt: 1, endReason: "replaced" }, { reason: "replaced", at: 1 }],
	] as const)("%s", ([, session, end]) => {
		expect(endOf(session, NOW)).toEqual(end);
	});

	test("a change that closes, validates or issues the code ends it; a failed attempt does not", () => {
		expect(endBy({ cancelledAt: NOW, issuedAt: NOW })).toBe("code_closed");
		expect(endBy({ blockedAt: NOW })).toBe("code_closed");
		expect(endBy({ validatedAt: NOW })).toBe("superseded");
		expect(endBy({ issuedAt: NOW })).toBe("superseded");
		expect(
			endBy({ validationFailures: 1, validationLockedUntil: NOW, validationBlockedAt: NOW, blockedAt: null }),
		).toBeNull();
	});
});

describe("a partner's looks", () => {
	test.for([
		["https://shop.example", "https://shop.example"],
		["HTTPS://Shop.Example:8443", "https://shop.example:8443"],
		["https://shop.example/", null],
		["https://shop.example:443", null],
		["https://*.example", null],
		["https://user@shop.example", null],
		["https://a.example; script-src *", null],
		["http://shop.example", null],
		["http://localhost:3000", "http://localhost:3000"],
		["null", null],
		["data:text/html,x", null],
		["https://a;script-src-elem", null],
		["https://a'b.example", null],
		["https://a$b.example", null],
		["https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
		["", null],
	] as const)("origin %s", ([text, origin]) => {
		expect(readOrigin(text, { allowLoopback: true })).toBe(origin);
	});

	test("http is for this machine alone, and where it is allowed", () => {
		expect(readOrigin("http://localhost:3000", { allowLoopback: false })).toBeNull();
	});

	test("an accent has a contrast of 4.5:1 with white", () => {
		expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
		expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
		expect(["#0B5CAD", "#767676", "#777777", "#ffcc00", "#fff", "red"].map(readAccent)).toEqual([
			"#0b5cad",
			"#767676",
			null,
			null,
			null,
			null,
		]);
	});
});

test("origins are read, each once", () => {
	const read = (...texts: string[]) => readOrigins(texts, { allowLoopback: false });
	expect(read()).toEqual([]);
	expect(read("https://a.example", "HTTPS://b.example")).toEqual(["https://a.example", "https://b.example"]);
	expect(read("https://a.example", "https://A.example")).toBeNull();
	expect(read("https://a.example", "a.example")).toBeNull();
	expect(readOrigin("http://localhost.example", { allowLoopback: true })).toBeNull();
	expect(readOrigin("http://xlocalhost", { allowLoopback: true })).toBeNull();
	expect(readOrigin("ftp://localhost", { allowLoopback: true })).toBeNull();
	expect(["x#0000ff", "#0000ff0", "0000ff"].map(readAccent)).toEqual([null, null, null]);
});
