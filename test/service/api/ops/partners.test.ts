import { beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../../support/clock.ts";
import { select } from "../../../support/look-inside.ts";
import { invalid, refusal } from "../../../support/refusal.ts";
import {
	type Answer,
	call,
	EVERY_SETTING,
	freshService,
	ops,
	Partner,
	type Settings,
} from "../../../support/service.ts";

const PRINTED_KEY = /^gw_dev_[0-9A-HJKMNP-TV-Z]{32}$/;

const DEFAULTS = {
	mode: "B2C",
	require_cedula_serie: 1,
	validate_vencimiento: 0,
	require_sso: 0,
	require_serial_with_sso: 0,
	allowed_products: ["FV00", "FV01", "FV02", "FV03"],
	pfx_profile: "modern",
	key_algorithm: "rsa-2048",
	max_codes_14_days: 100_000,
	webhook_url: null,
	webhook_events: ["certificate.emitted"],
	delivery_email: null,
	language: "es",
	suspended: false,
};

/** Every setting, and the events of the webhook, by values that are not their defaults. */
const OTHERS = { ...EVERY_SETTING, webhook_events: ["pcode.locked"] };

/** Settings that depend on each other. */
const FLOW_SETTINGS = ["require_cedula_serie", "require_sso", "require_serial_with_sso"];

const WITHOUT_SSO = "require_serial_with_sso INVALID_VALUE";
const FULL_BY_BOTH = { require_cedula_serie: 0, require_serial_with_sso: 1 } as const;

/** Values that no setting accepts. */
const BAD_EVERY_SETTING: Record<string, unknown[]> = {
	name: ["", "   ", "a".repeat(101), "two\nlines", 7, null],
	mode: ["b2b", null],
	require_cedula_serie: [true, "1", 2],
	validate_vencimiento: [false],
	require_sso: [null],
	require_serial_with_sso: [true],
	allowed_products: ["FV01", ["FV01", "FV01"], ["FV01", "FV04"], null],
	pfx_profile: ["old"],
	key_algorithm: ["rsa-1024"],
	max_codes_14_days: [-1, 10_000_001, 1.5, "5", null],
	webhook_url: [
		"http://partner.example/hooks",
		"https://user:secret@partner.example/hooks",
		"ftp://partner.example/",
		"partner.example/hooks",
		`https://partner.example/${"a".repeat(2048)}`,
		"",
	],
	webhook_events: [["pcode.sold"], ["pcode.locked", "pcode.locked"], "pcode.locked"],
	delivery_email: ["nobody", ""],
	language: ["de", null],
	suspended: ["yes", 1, null],
};

function listWith(key: string): Promise<Answer> {
	return call("GET", "/api/partner/v1/pcodes", { headers: { "x-gw": key } });
}

/** Leaves out the fields that follow from the settings. */
function settingsOf({
	identity_checks,
	delivery_address,
	...settings
}: Record<string, unknown>): Record<string, unknown> {
	return settings;
}

beforeAll(freshService);

describe("POST /ops/v1/partners", () => {
	test("a name is enough: the defaults are those of §1.4 and the reduced flow, every product enabled", async () => {
		const { status, body } = await ops("POST", "/partners", { name: "Demo" });
		expect(status).toBe(201);
		expect(body.success).toBe(true);
		expect(body.data.partner).toMatchObject({ name: "Demo", ...DEFAULTS });
		expect(body.data.partner.id).toMatch(/^pt_[0-9a-f]{16}$/);
		expect(body.data.partner.created_at).toBe(body.data.partner.updated_at);
	});

	test("every setting that is sent is kept, and shown in the document's own words", async () => {
		const { body } = await ops("POST", "/partners", OTHERS);
		expect(body.data.partner).toMatchObject(OTHERS);
		const shown = await ops("GET", `/partners/${body.data.partner.id}`);
		expect(shown.body.data.partner).toEqual(body.data.partner);
	});

	test("the key is shown once: it works, and no later answer holds it or its hash", {
		tags: ["key-shown-once"],
	}, async () => {
		const { body } = await ops("POST", "/partners", { name: "Once" });
		const { partner, api_key } = body.data;
		expect(api_key).toMatch(PRINTED_KEY);
		expect((await listWith(api_key)).status).toBe(200);
		const [key] = await select("SELECT hash FROM api_keys WHERE partner_id = ?", partner.id);
		for (const path of ["/partners", `/partners/${partner.id}`]) {
			const { text } = await ops("GET", path);
			for (const secret of [api_key, key!.hash]) expect(text).not.toContain(secret);
		}
	});

	test("no name, an unknown setting, no object: 400", async () => {
		expect(refusal(await ops("POST", "/partners", {}))).toEqual(invalid("name REQUIRED"));
		expect(refusal(await ops("POST", "/partners", { name: "A", rate: 5 }))).toEqual(
			invalid("rate UNKNOWN_FIELD"),
		);
		expect(refusal(await ops("POST", "/partners", { name: "A", suspended: true }))).toEqual(
			invalid("suspended UNKNOWN_FIELD"),
		);
		expect((await ops("POST", "/partners", [])).status).toBe(400);
		expect((await ops("POST", "/partners", "x".repeat(16_385))).status).toBe(413);
	});
});

describe("GET /ops/v1/partners", () => {
	test("all partners, oldest first, as each is shown by itself", async () => {
		stopClock();
		const made: string[] = [];
		for (let i = 0; i < 3; i++) {
			passTime(1000);
			made.push((await Partner.create({ name: `Listed ${i}` })).id);
		}
		passTime(1000);
		await ops("PATCH", `/partners/${made[2]}`, { name: "Changed" });
		const { body } = await ops("GET", "/partners");
		const ids = body.data.partners.map(({ id }: { id: string }) => id);
		expect(ids.slice(-3)).toEqual(made);
		const shown = (await ops("GET", `/partners/${made[2]}`)).body.data.partner;
		expect(body.data.partners.at(-1)).toEqual(shown);
		expect(Date.parse(shown.updated_at) - Date.parse(shown.created_at)).toBe(1000);
	});

	test("an unknown partner, or another's key, is 404", async () => {
		const [ours, theirs] = [await Partner.create(), await Partner.create()];
		const { keys } = (await ops("GET", `/partners/${theirs.id}`)).body.data;
		for (const [method, path, body] of [
			["GET", "/partners/pt_unknown", undefined],
			["PATCH", "/partners/pt_unknown", { name: "A" }],
			["POST", "/partners/pt_unknown/keys", { label: "A" }],
			["DELETE", "/partners/pt_unknown/keys/key_1", undefined],
			["DELETE", `/partners/${ours.id}/keys/${keys[0].id}`, undefined],
		] as const)
			expect([path, ...refusal(await ops(method, path, body))]).toEqual([path, 404, "NOT_FOUND"]);
		expect((await theirs.list()).status).toBe(200);
	});
});

describe("PATCH /ops/v1/partners/{id}", () => {
	const INDEPENDENT = Object.entries(OTHERS).filter(([field]) => ![...FLOW_SETTINGS, "mode"].includes(field));
	test("each setting alone changes, the others stay", async () => {
		stopClock();
		for (const [field, value] of INDEPENDENT) {
			const partner = await Partner.create();
			const before = (await ops("GET", `/partners/${partner.id}`)).body.data.partner;
			passTime(MINUTE_MS);
			const changed = await partner.change({ [field]: value });
			const expected = { ...settingsOf(before), [field]: value, updated_at: new Date().toISOString() };
			expect([changed.status, settingsOf(changed.body.data.partner)]).toEqual([200, expected]);
			const shown = (await ops("GET", `/partners/${partner.id}`)).body.data.partner;
			expect(shown).toEqual(changed.body.data.partner);
		}
	});

	test.for([
		[{}, { name: "Other" }, 1, 0, 0],
		[{}, { require_cedula_serie: 0 }, 0, 1, 0],
		[{}, { require_cedula_serie: 0, require_sso: 0 }, 0, 0, 0],
		[{ require_cedula_serie: 0 }, { require_cedula_serie: 1 }, 1, 0, 0],
		[FULL_BY_BOTH, { name: "Other" }, 0, 1, 1],
		[FULL_BY_BOTH, { require_cedula_serie: 1 }, 1, 0, 0],
	] as const)(
		'decision "full flow, what is checked": of %j, %j makes require_cedula_serie=%d, require_sso=%d, require_serial_with_sso=%d',
		{ tags: ["settings-sso-default", "settings-serial-with-sso"] },
		async ([settings, change, require_cedula_serie, require_sso, require_serial_with_sso]) => {
			const partner = await Partner.create(settings);
			const { status, body } = await partner.change(change);
			expect(status).toBe(200);
			expect(body.data.partner).toMatchObject({
				...{ require_cedula_serie, require_sso, require_serial_with_sso },
			});
			// What a change ended is not back with single sign-on.
			const again = await partner.change({ require_cedula_serie: 0, require_sso: 1 });
			expect(again.body.data.partner).toMatchObject({ require_serial_with_sso });
		},
	);

	const HOOK = "https://partner.example/hook";
	const MAIL = "entregas@partner.example";
	const BY_HOOK = { webhook_url: HOOK, mode: "B2B" };
	const BOTH = { ...BY_HOOK, delivery_email: MAIL };
	const NO_ADDRESS = "delivery_email DELIVERY_ADDRESS_REQUIRED";

	test.for<[Settings, Settings, string]>([
		[{}, { require_sso: 1 }, "require_sso INVALID_VALUE"],
		[{}, { require_serial_with_sso: 1 }, WITHOUT_SSO],
		[{}, { mode: "B2B" }, NO_ADDRESS],
		[BY_HOOK, { webhook_url: null }, NO_ADDRESS],
		[BY_HOOK, { webhook_url: `${HOOK}/2`, webhook_enabled: false }, NO_ADDRESS],
		[BOTH, { webhook_url: null, delivery_email: null }, NO_ADDRESS],
	])(
		"decisions: of %j, %j is 400 %s, also where a partner is made; nothing is made and nothing changes",
		{ tags: ["settings-sso-reduced", "settings-serial-with-sso", "delivery-address-required"] },
		async ([settings, change, problem]) => {
			const partner = await Partner.create(settings);
			const count = "SELECT count(*) FROM partners";
			const state = async () => [(await ops("GET", `/partners/${partner.id}`)).text, await select(count)];
			const before = await state();
			expect(refusal(await partner.change(change))).toEqual(invalid(problem));
			if (!("webhook_enabled" in change))
				expect(refusal(await ops("POST", "/partners", { name: "Flow", ...settings, ...change }))).toEqual(
					invalid(problem),
				);
			expect(await state()).toEqual(before);
		},
	);

	test.for([
		[BY_HOOK, { webhook_url: `${HOOK}/2` }, "webhook"],
		[BY_HOOK, { webhook_url: null, delivery_email: MAIL }, "email"],
		[BOTH, { webhook_url: null }, "email"],
		[BOTH, { name: "Other" }, "webhook_and_email"],
		[{ ...BOTH, mode: "B2C" }, { webhook_url: null, delivery_email: null }, null],
	] as const)(
		'decision "Delivery": of %j, %j leaves an address: %s',
		{ tags: ["delivery-address-required"] },
		async ([settings, change, delivery_address]) => {
			const { body, status } = await (await Partner.create(settings)).change(change);
			expect([status, body.data.partner.delivery_address]).toEqual([200, delivery_address]);
		},
	);

	test("a webhook that answered 410 counts as an address until ops switch it off", {
		tags: ["delivery-address-required"],
	}, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		const { body } = await partner.change({ name: "Other" });
		expect(body.data.partner).toMatchObject({ webhook_off_by: "endpoint", delivery_address: "webhook" });
		expect((await partner.change({ webhook_enabled: false })).status).toBe(400);
		await partner.change({ delivery_email: MAIL });
		const off = (await partner.change({ webhook_enabled: false })).body.data.partner;
		expect(off).toMatchObject({ webhook_off_by: "ops", delivery_address: "email" });
		expect((await partner.change({ delivery_email: null })).status).toBe(400);
		const on = (await partner.change({ webhook_enabled: true })).body.data.partner;
		expect(on).toMatchObject({ webhook_off_by: null, delivery_address: "webhook_and_email" });
	});

	test("a partner without address is shown so, can be suspended, stays so as it gets an address, and is resumed", async () => {
		const partner = await Partner.create({ mode: "B2B" });
		await partner.loseAddresses();
		const listed = async () =>
			(await ops("GET", "/partners")).body.data.partners.find(({ id }: { id: string }) => id === partner.id);
		expect((await listed()).delivery_address).toBe("missing");
		expect((await partner.change({ suspended: true })).status).toBe(200);
		const addressed = await partner.change({ delivery_email: MAIL });
		expect(addressed.body.data.partner).toMatchObject({ suspended: true, delivery_address: "email" });
		expect((await partner.change({ suspended: false })).body.data.partner.suspended).toBe(false);
		expect((await listed()).delivery_address).toBe("email");
	});

	test("concurrent changes are all made, one after the other", async () => {
		const partner = await Partner.create();
		const names = Array.from({ length: 8 }, (_, i) => `Partner ${i}`);
		const answers = await Promise.all(names.map((name) => partner.change({ name })));
		expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
		const { events, faults } = (await ops("GET", `/audit/partner:${partner.id}`)).body.data;
		expect([events.length, faults]).toEqual([9, []]);
	});

	test("a value that no setting accepts, or no setting, is 400 naming it, and nothing changes", async () => {
		const partner = await Partner.create();
		const before = (await ops("GET", `/partners/${partner.id}`)).text;
		for (const [field, values] of Object.entries(BAD_EVERY_SETTING))
			for (const value of values) {
				const answer = await partner.change({ [field]: value });
				const named = answer.body.details[0].field.split(".")[0];
				expect([value, answer.status, named]).toEqual([value, 400, field]);
			}
		for (const field of ["id", "version", "created_at", "key", "suspendedAt", "requireSso"])
			expect(refusal(await partner.change({ [field]: "x" }))).toEqual(invalid(`${field} UNKNOWN_FIELD`));
		expect((await ops("GET", `/partners/${partner.id}`)).text).toBe(before);
	});
});
