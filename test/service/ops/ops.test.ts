import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type AuditEntry, chainHash } from "../../../src/db/audit-events.ts";
import { MINUTE_MS, passTime, stopClock } from "../../support/clock.ts";
import { invalid, refusal } from "../../support/refusal.ts";
import { type Answer, call, freshService, JUANA, ops, Partner, PEDRO } from "../../support/service.ts";
import { rowsOfCode } from "../../support/tables.ts";

const PRINTED_KEY = /^gw_dev_[0-9A-HJKMNP-TV-Z]{32}$/;

beforeAll(freshService);
afterEach(() => {
	vi.useRealTimers();
});

/** Every setting of §2.7 and of onboarding, by a value that is not its default. */
const SETTINGS: Record<string, unknown> = {
	name: "Notaría Ñuñoa & Hijos",
	mode: "B2B",
	require_cedula_serie: 0,
	validate_vencimiento: 1,
	require_sso: 1,
	allowed_products: ["FV03", "FV00"],
	pfx_profile: "legacy",
	key_algorithm: "ec-p256",
	webhook_url: "https://partner.example/hooks?tenant=7",
	delivery_email: "entregas@partner.example",
};

const DEFAULTS = {
	mode: "B2C",
	require_cedula_serie: 1,
	validate_vencimiento: 0,
	require_sso: 0,
	allowed_products: ["FV00", "FV01", "FV02", "FV03"],
	pfx_profile: "modern",
	key_algorithm: "rsa-2048",
	webhook_url: null,
	delivery_email: null,
	suspended: false,
};

/** What no setting accepts. */
const BAD_SETTINGS: [string, unknown][] = [
	["name", ""],
	["name", "   "],
	["name", "a".repeat(101)],
	["name", "two\nlines"],
	["name", 7],
	["name", null],
	["mode", "b2b"],
	["mode", null],
	["require_cedula_serie", true],
	["require_cedula_serie", "1"],
	["require_cedula_serie", 2],
	["validate_vencimiento", false],
	["require_sso", null],
	["allowed_products", "FV01"],
	["allowed_products", ["FV01", "FV01"]],
	["allowed_products", ["FV01", "FV04"]],
	["allowed_products", null],
	["pfx_profile", "old"],
	["key_algorithm", "rsa-1024"],
	["webhook_url", "http://partner.example/hooks"],
	["webhook_url", "https://user:secret@partner.example/hooks"],
	["webhook_url", "ftp://partner.example/"],
	["webhook_url", "partner.example/hooks"],
	["webhook_url", `https://partner.example/${"a".repeat(2048)}`],
	["webhook_url", ""],
	["delivery_email", "nobody"],
	["delivery_email", ""],
];

describe("POST /ops/v1/partners", () => {
	test("a name is enough: the defaults are those of §1.4 and the reduced flow, every product enabled", async () => {
		const { status, body } = await ops("POST", "/partners", { name: "Demo" });
		expect(status).toBe(201);
		expect(body.success).toBe(true);
		expect(body.data.partner).toMatchObject({ name: "Demo", ...DEFAULTS });
		expect(body.data.partner.id).toMatch(/^pt_[0-9a-f]{32}$/);
		expect(body.data.partner.created_at).toBe(body.data.partner.updated_at);
	});

	test("every setting that is sent is kept, and shown in the document's own words", async () => {
		const { body } = await ops("POST", "/partners", SETTINGS);
		expect(body.data.partner).toMatchObject(SETTINGS);
		const shown = await ops("GET", `/partners/${body.data.partner.id}`);
		expect(shown.body.data.partner).toEqual(body.data.partner);
	});

	test.for(Object.entries(SETTINGS).filter(([field]) => field !== "name"))(
		"%s alone is kept, the others are default",
		async ([field, value]) => {
			const { body } = await ops("POST", "/partners", { name: "One", [field]: value });
			expect(body.data.partner).toMatchObject({ ...DEFAULTS, [field]: value });
		},
	);

	test("the key is shown once: it works, and no later answer holds it or its hash", {
		tags: ["key-shown-once"],
	}, async () => {
		const { body } = await ops("POST", "/partners", { name: "Once" });
		const { partner, api_key } = body.data;
		expect(api_key).toMatch(PRINTED_KEY);
		expect((await listWith(api_key)).status).toBe(200);
		const { hash } = (await env.DB.prepare("SELECT hash FROM api_keys WHERE partner_id = ?")
			.bind(partner.id)
			.first<{ hash: string }>())!;
		for (const path of ["/partners", `/partners/${partner.id}`]) {
			const { text } = await ops("GET", path);
			expect(text).not.toContain(api_key);
			expect(text).not.toContain(hash);
		}
	});

	test.for(BAD_SETTINGS)("%s as %j is 400 naming it, and nothing is made", async ([field, value]) => {
		const before = await countPartners();
		const answer = await ops("POST", "/partners", { name: "Bad", [field]: value });
		expect([answer.status, answer.body.error]).toEqual([400, "VALIDATION_ERROR"]);
		expect(answer.body.details[0].field.split(".")[0]).toBe(field);
		expect(await countPartners()).toBe(before);
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
		const { body } = await ops("GET", "/partners");
		const ids = body.data.partners.map(({ id }: { id: string }) => id);
		expect(ids.slice(-3)).toEqual(made);
		const shown = (await ops("GET", `/partners/${made[2]}`)).body.data.partner;
		expect(body.data.partners.at(-1)).toEqual(shown);
	});

	test("a partner is shown with its keys: label and times, nothing that could be sent as one", async () => {
		const partner = await Partner.create();
		const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
		expect(keys).toHaveLength(1);
		expect(Object.keys(keys[0]).sort()).toEqual(["created_at", "id", "label", "last_used_at", "revoked_at"]);
		expect(keys[0]).toMatchObject({ label: expect.any(String), revoked_at: null });
	});

	test.for([
		["GET", "/partners/pt_unknown", undefined],
		["PATCH", "/partners/pt_unknown", { name: "A" }],
		["POST", "/partners/pt_unknown/keys", { label: "A" }],
		["DELETE", "/partners/pt_unknown/keys/key_1", undefined],
	] as const)("%s %s: 404", async ([method, path, body]) => {
		expect(refusal(await ops(method, path, body))).toEqual([404, "NOT_FOUND"]);
	});

	test("an identifier that none can be is 400", async () => {
		expect(refusal(await ops("GET", `/partners/${"x".repeat(65)}`))).toEqual(invalid("id INVALID_VALUE"));
	});
});

describe("PATCH /ops/v1/partners/{id}", () => {
	test.for(Object.entries(SETTINGS))("%s alone changes, the others stay", async ([field, value]) => {
		stopClock();
		const partner = await Partner.create();
		const before = (await ops("GET", `/partners/${partner.id}`)).body.data.partner;
		passTime(MINUTE_MS);
		const changed = await partner.change({ [field]: value });
		const expected = { ...before, [field]: value, updated_at: new Date().toISOString() };
		expect([changed.status, changed.body.data.partner]).toEqual([200, expected]);
		expect((await ops("GET", `/partners/${partner.id}`)).body.data.partner).toEqual(expected);
	});

	test("webhook_url and delivery_email can be taken away again", async () => {
		const partner = await Partner.create(SETTINGS);
		const { body } = await partner.change({ webhook_url: null, delivery_email: null });
		expect(body.data.partner).toMatchObject({ ...SETTINGS, webhook_url: null, delivery_email: null });
	});

	test("suspended: every partner call is 401 until it is lifted, and nothing of the partner is lost", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		expect((await partner.change({ suspended: true })).body.data.partner.suspended).toBe(true);
		expect((await partner.list()).status).toBe(401);
		expect((await partner.bulk()).status).toBe(401);
		expect((await partner.request({ pCode: code, ...JUANA })).status).toBe(401);
		expect((await partner.change({ suspended: false })).body.data.partner.suspended).toBe(false);
		expect(await partner.status(code)).toBe("ACTIVE");
	});

	test("changing another setting of a suspended partner leaves it suspended", async () => {
		const partner = await Partner.create();
		await partner.change({ suspended: true });
		expect((await partner.change({ name: "Still" })).body.data.partner).toMatchObject({
			name: "Still",
			suspended: true,
		});
		expect((await partner.list()).status).toBe(401);
	});

	test("§1.7 certificate_request follows the configuration of the moment: B2C, then B2B", async () => {
		const partner = await Partner.create();
		const [first, second] = (await partner.bulk(2)).body.data.pcodes;
		expect((await partner.request({ pCode: first, ...JUANA })).body.data.status).toBe("VALIDATED");
		await partner.change({ mode: "B2B" });
		expect((await partner.request({ pCode: second, ...PEDRO })).body.data.status).toBe("EMITTED");
	});

	test.for([...BAD_SETTINGS, ["suspended", "yes"], ["suspended", 1], ["suspended", null]] as [
		string,
		unknown,
	][])("%s as %j is 400 naming it, and nothing changes", async ([field, value]) => {
		const partner = await Partner.create();
		const before = (await ops("GET", `/partners/${partner.id}`)).text;
		const answer = await partner.change({ [field]: value });
		expect([answer.status, answer.body.details[0].field.split(".")[0]]).toEqual([400, field]);
		expect((await ops("GET", `/partners/${partner.id}`)).text).toBe(before);
	});

	test.for(["id", "version", "created_at", "key", "suspendedAt", "requireSso"])(
		"%s is no setting: 400",
		async (field) => {
			const partner = await Partner.create();
			expect(refusal(await partner.change({ [field]: "x" }))).toEqual(invalid(`${field} UNKNOWN_FIELD`));
		},
	);
});

describe("keys", () => {
	test("decision: a partner may hold several; each has a label, created, last-used and revoked time", {
		tags: ["key-several"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const added = await ops("POST", `/partners/${partner.id}/keys`, { label: "kiosk 7" });
		expect(added.status).toBe(201);
		expect(added.body.data.api_key).toMatch(PRINTED_KEY);
		expect(added.body.data.api_key).not.toBe(partner.key);
		expect(added.body.data.key).toEqual({
			id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
			label: "kiosk 7",
			created_at: new Date().toISOString(),
			last_used_at: null,
			revoked_at: null,
		});
		expect((await listWith(added.body.data.api_key)).status).toBe(200);
		expect((await partner.list()).status).toBe(200);
		expect((await ops("GET", `/partners/${partner.id}`)).body.data.keys).toHaveLength(2);
	});

	test("two keys of one partner see the same codes", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		const { api_key } = (await ops("POST", `/partners/${partner.id}/keys`, { label: "second" })).body.data;
		const { body } = await listWith(api_key);
		expect(body.data.pcodes.map(({ pcode }: { pcode: string }) => pcode)).toEqual([code]);
	});

	test("revoked: 200 with its time, refused from then on; again changes nothing", {
		tags: ["key-revoked"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const [key] = (await ops("GET", `/partners/${partner.id}`)).body.data.keys;
		const path = `/partners/${partner.id}/keys/${key.id}`;
		const revoked = await ops("DELETE", path);
		expect([revoked.status, revoked.body.data.key.revoked_at]).toEqual([200, new Date().toISOString()]);
		expect((await partner.list()).status).toBe(401);

		const rows = await auditOf(`partner:${partner.id}`);
		passTime(MINUTE_MS);
		const again = await ops("DELETE", path);
		expect([again.status, again.body.data.key]).toEqual([200, revoked.body.data.key]);
		expect(await auditOf(`partner:${partner.id}`)).toEqual(rows);
	});

	test("a key of another partner is not found under this one, and stays good", async () => {
		const [ours, theirs] = [await Partner.create(), await Partner.create()];
		const [key] = (await ops("GET", `/partners/${theirs.id}`)).body.data.keys;
		expect(refusal(await ops("DELETE", `/partners/${ours.id}/keys/${key.id}`))).toEqual([404, "NOT_FOUND"]);
		expect((await theirs.list()).status).toBe(200);
	});

	test.for([{}, { label: "" }, { label: 7 }, { label: "x".repeat(101) }, { label: "a", key: "mine" }])(
		"label: %j is 400",
		async (body) => {
			const partner = await Partner.create();
			expect((await ops("POST", `/partners/${partner.id}/keys`, body)).status).toBe(400);
			expect((await ops("GET", `/partners/${partner.id}`)).body.data.keys).toHaveLength(1);
		},
	);
});

describe("purchase codes", () => {
	test("shown with its facts, whoever's it is, read back as partners' codes are; no personal data, no secrets", async () => {
		stopClock();
		const { partner, code } = await emittedCode();
		const { status, body, text } = await ops("GET", `/pcodes/${code.toLowerCase().replaceAll("-", "")}`);
		expect(status).toBe(200);
		expect(body.data.pcode).toMatchObject({
			p_code: code,
			partner_id: partner.id,
			product: "FV01",
			status: "EMITTED",
			list_status: "emitido",
			processing: 0,
			external_reference_id: JUANA.referenceId,
			cancelled_at: null,
			blocked_at: null,
			locked_until: null,
			certificate_serial: expect.stringMatching(/^[0-9A-F]{32}$/),
			validation_failures: 0,
		});
		expect(text).not.toMatch(/JUANA|PÉREZ|11111111|juana@|4821/i);
	});

	test.for(["0000-1111-2222-3333", "nothing-like-a-code", "%20"])("%s: 404 for every verb", async (code) => {
		const answers = [await ops("GET", `/pcodes/${code}`)];
		for (const verb of ["cancel", "block", "unblock"])
			answers.push(await ops("POST", `/pcodes/${code}/${verb}`, { reason: "test" }));
		for (const answer of answers) expect(refusal(answer)).toEqual([404, "NOT_FOUND"]);
	});

	test.for([{}, { reason: "" }, { reason: 1 }, { reason: "x".repeat(129) }, { reason: "a", force: true }])(
		"a reason is asked for: %j is 400 and changes nothing",
		async (body) => {
			const partner = await Partner.create();
			const code = await partner.code();
			expect((await ops("POST", `/pcodes/${code}/cancel`, body)).status).toBe(400);
			expect(await partner.status(code)).toBe("ACTIVE");
		},
	);

	test("a verb that there is not: 400", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		expect(refusal(await ops("POST", `/pcodes/${code}/delete`, { reason: "test" }))).toEqual(
			invalid("verb INVALID_VALUE"),
		);
	});

	test("cancelled while unused: CANCELLED, anulado, and both partner calls are refused", {
		tags: ["ops-cancel"],
	}, async () => {
		stopClock();
		const partner = await Partner.create();
		const code = await partner.code();
		const { status, body } = await operate(code, "cancel");
		expect([status, body.data.pcode.status, body.data.pcode.cancelled_at]).toEqual([
			200,
			"CANCELLED",
			new Date().toISOString(),
		]);
		expect([await partner.status(code), (await partner.listed(code)).status]).toEqual([
			"CANCELLED",
			"anulado",
		]);
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([423, "LOCKED"]);
	});

	test("cancelled while validated: its claim is 423", async () => {
		const { partner, code } = await validatedCode();
		await operate(code, "cancel");
		expect(refusal(await partner.claim(code))).toEqual([423, "LOCKED"]);
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([423, "LOCKED"]);
	});

	test('decision "who sets CANCELLED": cancelling an issued code revokes its certificate in the register', {
		tags: ["ops-cancel-issued"],
	}, async () => {
		stopClock();
		const { partner, code } = await emittedCode();
		const [before] = await rowsOfCode("certificates", code);
		expect(before).toMatchObject({ revoked_at: null });
		passTime(MINUTE_MS);
		await operate(code, "cancel");
		const [after] = await rowsOfCode("certificates", code);
		expect(after).toMatchObject({ serial: before!.serial, revoked_at: Date.now() });
		expect(after!.revocation_reason).toEqual(expect.any(String));
		expect(await partner.status(code)).toBe("CANCELLED");
		expect(refusal(await partner.claim(code))).toEqual([423, "LOCKED"]);
	});

	test("cancelled twice: the first time stands, one audit row", async () => {
		stopClock();
		const { code } = await emittedCode();
		const first = await operate(code, "cancel");
		const certificate = await rowsOfCode("certificates", code);
		passTime(MINUTE_MS);
		const second = await operate(code, "cancel");
		expect(second.body.data.pcode).toEqual(first.body.data.pcode);
		expect(await rowsOfCode("certificates", code)).toEqual(certificate);
		expect((await auditOf(`code:${code}`)).filter(({ action }) => action === "cancel")).toHaveLength(1);
	});

	test("blocked: LOCKED, bloqueado, 423 to request and claim; unblocked: as it was", {
		tags: ["ops-block"],
	}, async () => {
		const { partner, code } = await validatedCode();
		expect((await operate(code, "block")).body.data.pcode.status).toBe("LOCKED");
		expect((await partner.listed(code)).status).toBe("bloqueado");
		expect(refusal(await partner.request({ pCode: code, ...JUANA }))).toEqual([423, "LOCKED"]);
		expect(refusal(await partner.claim(code))).toEqual([423, "LOCKED"]);
		expect((await operate(code, "unblock")).body.data.pcode.status).toBe("VALIDATED");
		expect((await partner.claim(code)).status).toBe(200);
	});

	test("unblock lifts a security lock and its counts: three new attempts", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		const wrong = { pCode: code, ...JUANA, serialNumber: "999999999" };
		for (let i = 0; i < 3; i++) await partner.request(wrong);
		expect((await partner.request(wrong)).body.error).toBe("ATTEMPT_LIMIT_REACHED");
		const { body } = await operate(code, "unblock");
		expect(body.data.pcode).toMatchObject({
			status: "ACTIVE",
			locked_until: null,
			validation_failures: 0,
			validation_locks: 0,
		});
		expect((await partner.request(wrong)).status).toBe(406);
		expect((await partner.request(wrong)).status).toBe(406);
		expect((await partner.request({ pCode: code, ...JUANA })).status).toBe(200);
	});

	test("an emitted code cannot be blocked: LOCKED is blocked before it was issued (§3.1)", {
		tags: ["ops-block-emitted"],
	}, async () => {
		const { partner, code } = await emittedCode();
		expect(refusal(await operate(code, "block"))).toEqual([
			406,
			"VALIDATION_ERROR",
			"pCode CODE_ALREADY_USED",
		]);
		expect(await partner.status(code)).toBe("EMITTED");
	});

	test("a cancelled code can be neither blocked nor unblocked", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		await operate(code, "cancel");
		expect(refusal(await operate(code, "block"))).toEqual([423, "LOCKED"]);
		expect(refusal(await operate(code, "unblock"))).toEqual([423, "LOCKED"]);
		expect(await partner.status(code)).toBe("CANCELLED");
	});

	test("unblocking a code that nothing blocks changes nothing", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		const [before] = await rowsOfCode("purchase_codes", code);
		expect((await operate(code, "unblock")).status).toBe(200);
		expect(await rowsOfCode("purchase_codes", code)).toEqual([before]);
		expect(await auditOf(`code:${code}`)).toEqual([]);
	});
});

describe("audit", () => {
	test("one row per change of a partner, telling who, what and which fields, never their values", async () => {
		const created = await ops("POST", "/partners", { ...SETTINGS, name: "Audited" });
		const { id } = created.body.data.partner;
		const entity = `partner:${id}`;
		await ops("PATCH", `/partners/${id}`, { name: "Secret name", webhook_url: "https://secret.example/" });
		await ops("PATCH", `/partners/${id}`, { suspended: true });
		await ops("PATCH", `/partners/${id}`, { suspended: false });
		const added = (await ops("POST", `/partners/${id}/keys`, { label: "second" })).body.data;
		await ops("DELETE", `/partners/${id}/keys/${added.key.id}`);
		const rows = await auditOf(entity);
		expect(rows.map(({ version, actor, action }) => [version, actor, action])).toEqual([
			[1, "ops:token", "created"],
			[2, "ops:token", "changed"],
			[3, "ops:token", "suspended"],
			[4, "ops:token", "resumed"],
			[5, "ops:token", "key_added"],
			[6, "ops:token", "key_revoked"],
		]);
		expect(rows[1]!.outcome).toBe("name webhook_url");
		const told = JSON.stringify(rows);
		for (const secret of [
			created.body.data.api_key,
			added.api_key,
			"Secret name",
			"secret.example",
			env.OPS_TOKEN!,
		])
			expect(told).not.toContain(secret);
		await expectWholeChain(entity);
	});

	test("a refused or repeated change leaves no row", async () => {
		const partner = await Partner.create();
		await partner.change({ mode: "b2b" });
		await ops("PATCH", `/partners/${partner.id}`, { suspended: true }, "0".repeat(48));
		await ops("GET", `/partners/${partner.id}`);
		expect(await auditOf(`partner:${partner.id}`)).toHaveLength(1);
	});

	test("one row per change of a code, chained over all its versions, without personal data or secrets", async () => {
		const partner = await Partner.create();
		const code = await partner.code();
		await partner.request({ pCode: code, ...JUANA, serialNumber: "999999999" });
		await partner.request({ pCode: code, ...JUANA }, { "x-request-id": "the-validation" });
		await partner.claim(code, { pin: "9999" });
		await operate(code, "block", "reported lost");
		await operate(code, "unblock", "found again");
		await partner.claim(code);
		await operate(code, "cancel", "holder's wish");

		const rows = await auditOf(`code:${code}`);
		const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
		const byKey = `partner:${keys[0].id}`;
		expect(rows.map(({ version, actor, action, outcome }) => [version, actor, action, outcome])).toEqual([
			[1, byKey, "validation_failed", "id_card_mismatch"],
			[2, byKey, "validated", "ok"],
			[3, byKey, "claim_failed", "credentials_mismatch"],
			[4, "ops:token", "block", "reported lost"],
			[5, "ops:token", "unblock", "found again"],
			[6, byKey, "emitted", "ok"],
			[7, "ops:token", "cancel", "holder's wish"],
		]);
		expect(rows[1]!.requestId).toBe("the-validation");
		expect((await rowsOfCode("purchase_codes", code))[0]!.version).toBe(7);
		const told = JSON.stringify(rows);
		for (const secret of [
			partner.key,
			"11111111",
			"JUANA",
			"juana@example.cl",
			"4821",
			"9999",
			"111111111",
			"999999999",
		])
			expect([secret, told.includes(secret)]).toEqual([secret, false]);
		await expectWholeChain(`code:${code}`);
	});

	test("every entity's chain verifies, whatever these tests did", async () => {
		const { results } = await env.DB.prepare("SELECT DISTINCT entity FROM audit_events").all<{
			entity: string;
		}>();
		expect(results.length).toBeGreaterThan(50);
		for (const { entity } of results) await expectWholeChain(entity);
	});

	test("an altered row no longer fits its hash, nor the next row", async () => {
		const partner = await Partner.create();
		await partner.change({ name: "Changed" });
		const entity = `partner:${partner.id}`;
		const [first, second] = await auditOf(entity);
		for (const [column, value] of [
			["actor", "somebody"],
			["action", "deleted"],
			["outcome", "x"],
			["at", 1],
			["partnerId", "pt_other"],
			["requestId", "x"],
			["step", "x"],
			["version", 9],
			["entity", "partner:other"],
		] as const)
			expect(await chainHash({ ...first!, [column]: value }, "")).not.toBe(first!.hash);
		expect(await chainHash(second!, "")).not.toBe(second!.hash);
	});
});

type AuditRow = AuditEntry & { previousHash: string; hash: string };

async function auditOf(entity: string): Promise<AuditRow[]> {
	const { results } = await env.DB.prepare(
		`SELECT entity, version, partner_id AS partnerId, at, actor, action, outcome, request_id AS requestId, step,
			previous_hash AS previousHash, hash FROM audit_events WHERE entity = ? ORDER BY version`,
	)
		.bind(entity)
		.all<AuditRow>();
	return results;
}

/** Versions without a gap from 1 on, each row hashed with the one before it. */
async function expectWholeChain(entity: string): Promise<void> {
	const rows = await auditOf(entity);
	expect(rows.map(({ version }) => version)).toEqual(rows.map((_, i) => i + 1));
	let previous = "";
	for (const row of rows) {
		expect([entity, row.version, row.previousHash]).toEqual([entity, row.version, previous]);
		expect([entity, row.version, row.hash]).toEqual([entity, row.version, await chainHash(row, previous)]);
		previous = row.hash;
	}
}

async function validatedCode() {
	const partner = await Partner.create();
	const code = await partner.code();
	const { status, text } = await partner.request({ pCode: code, ...JUANA });
	if (status !== 200) throw new Error(text);
	return { partner, code };
}

async function emittedCode() {
	const { partner, code } = await validatedCode();
	const { status, text } = await partner.claim(code);
	if (status !== 200) throw new Error(text);
	return { partner, code };
}

function operate(code: string, verb: "cancel" | "block" | "unblock", reason = "test"): Promise<Answer> {
	return ops("POST", `/pcodes/${code}/${verb}`, { reason });
}

function listWith(key: string): Promise<Answer> {
	return call("GET", "/api/partner/v1/pcodes", { headers: { "x-gw": key } });
}

async function countPartners(): Promise<number> {
	return (await env.DB.prepare("SELECT count(*) AS n FROM partners").first<{ n: number }>())!.n;
}
