import { expect, test } from "vitest";
import { showActor } from "../../../src/domain/actor.ts";
import { bindingOf, databaseOf } from "../../../src/domain/database-names.ts";
import { maskEmail, maskName, maskPhone } from "../../../src/domain/mask.ts";
import { codeOfEnd } from "../../../src/domain/onboarding-session.ts";
import { isListening } from "../../../src/domain/partner-settings.ts";
import { revokerOf } from "../../../src/domain/revocation-reason.ts";
import { countStatuses } from "../../../src/domain/status-counts.ts";
import { sumUsage } from "../../../src/domain/usage.ts";
import { subscribes } from "../../../src/domain/webhook-events.ts";

/* Small readings of what is stored, as people and programs are shown it. */

test.each([
	["partner:key_1:a", "partner", "key_1:a", "partner"],
	["ops:ana@example.cl", "ops", null, "ops"],
	["widget:os_1", "widget", null, "ops"],
	["holder:os_1", "holder", null, "holder"],
	["job:reconcile", "service", null, "ops"],
] as const)(
	"the author %s is shown as %s with key %j, and revokes as %s",
	(recorded, actor, keyId, revoker) => {
		expect(showActor(recorded)).toEqual({ actor, keyId });
		expect(revokerOf(recorded)).toBe(revoker);
	},
);

test("names, e-mails and phones are shown by their first or last signs", () => {
	expect(maskName("JUANA PÉREZ")).toBe("J••• P•••");
	expect(maskEmail("juana@example.cl")).toBe("j•••@example.cl");
	expect(maskEmail("x\n@y@example.cl")).toBe("x•••@example.cl");
	expect(maskPhone("+56912345678")).toBe("•••678");
});

test("the binding DB is database 1, DB_2 is 2", () => {
	expect([1, 2, 12].map(bindingOf)).toEqual(["DB", "DB_2", "DB_12"]);
	expect(["DB", "DB_2", "DB_12", "xDB_2", "DB_2x"].map(databaseOf)).toEqual([1, 2, 12, 1, 1]);
});

test("a session's end has its code, and a listener and a subscription their time and events", () => {
	expect([codeOfEnd("too_many_submits"), codeOfEnd("replaced")]).toEqual([
		"TOO_MANY_SUBMITS",
		"SESSION_REPLACED",
	]);
	expect([null, 7, 8].map((listeningUntil) => isListening({ listeningUntil }, 7))).toEqual([
		false,
		false,
		true,
	]);
	expect(subscribes(["*"], "pcode.locked")).toBe(true);
	expect(subscribes(["pcode.locked"], "pcode.locked")).toBe(true);
	expect(subscribes(["pcode.validated"], "pcode.locked")).toBe(false);
});

test("usage is summed by product and kind, zeros included", () => {
	const none = { created: 0, validated: 0, emitted: 0, revoked: 0, expired: 0 };
	const count = (product: "FV01" | "FV03", kind: "created" | "expired", n: number) => ({
		day: "2027-03-10",
		product,
		kind,
		n,
	});
	expect(
		sumUsage([count("FV01", "created", 2), count("FV01", "created", 3), count("FV03", "expired", 1)]),
	).toEqual([
		{ product: "FV00", ...none },
		{ product: "FV01", ...none, created: 5 },
		{ product: "FV02", ...none },
		{ product: "FV03", ...none, expired: 1 },
	]);
});

test("codes are counted under their facet's status, those that are busy now under theirs", () => {
	const unused = { over: 3, overOrSoon: 7 };
	const none = {
		anulado: 0,
		emitido: 0,
		bloqueado: 0,
		en_proceso: 0,
		validado: 0,
		expirado: 0,
		sin_utilizar: 0,
	};
	expect(countStatuses({ facets: {}, unused: { over: 0, overOrSoon: 0 }, busy: [] })).toEqual({
		statuses: none,
		endingSoon: 0,
	});
	const facets = { cancelled: 10, issued: 20, blocked: 30, validated: 40, unused: 50 };
	const rest = {
		...none,
		anulado: 10,
		emitido: 20,
		bloqueado: 30,
		validado: 40,
		expirado: 3,
		sin_utilizar: 47,
	};
	expect(countStatuses({ facets, unused, busy: [] })).toEqual({ statuses: rest, endingSoon: 4 });
	const busy = [
		{ status: "bloqueado", facet: "unused", age: "soon", n: 1 },
		{ status: "en_proceso", facet: "unused", age: "over", n: 2 },
		{ status: "en_proceso", facet: "unused", age: "later", n: 4 },
		{ status: "en_proceso", facet: "validated", age: "soon", n: 8 },
		{ status: "en_proceso", facet: "cancelled", age: "over", n: 1 },
		{ status: "en_proceso", facet: "issued", age: "over", n: 1 },
		{ status: "en_proceso", facet: "blocked", age: "over", n: 1 },
		{ status: "sin_utilizar", facet: "unused", age: "soon", n: 5 },
	] as const;
	expect(countStatuses({ facets, unused, busy })).toEqual({
		statuses: {
			anulado: 9,
			emitido: 19,
			bloqueado: 30,
			en_proceso: 17,
			validado: 32,
			expirado: 1,
			sin_utilizar: 42,
		},
		endingSoon: 3,
	});
});
