import { env } from "cloudflare:workers";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as first from "../../../src/db/schema.ts";
import * as certificates from "../../../src/db/schema-certificates.ts";
import * as counts from "../../../src/db/schema-counts.ts";
import * as delivery from "../../../src/db/schema-delivery.ts";
import * as holder from "../../../src/db/schema-holder.ts";
import * as onboarding from "../../../src/db/schema-onboarding.ts";
import * as operations from "../../../src/db/schema-operations.ts";
import * as places from "../../../src/db/schema-places.ts";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { PurchaseCodeObject } from "../../../src/objects/purchase-code.ts";
import { KEPT_BESIDES } from "../../../src/texts/holder-data.ts";
import { alone } from "../../support/alone.ts";
import { Browser } from "../../support/browser.ts";
import { passTime, until } from "../../support/clock.ts";
import { execute } from "../../support/db.ts";
import { tripsDuring } from "../../support/failing-db.ts";
import { enterRevocar, requestOf } from "../../support/holder-requests.ts";
import {
	auditOf,
	codeRow,
	dumpRegister,
	heldAtRegistry,
	select,
	storedIn,
} from "../../support/look-inside.ts";
import { actOps, signInOps } from "../../support/ops-console.ts";
import { untilCrlIsBuilt } from "../../support/pki.ts";
import { deliverMessages, useReceiver } from "../../support/receiver.ts";
import { JUANA, JUANA_FULL, loadHolder, ops, Partner, PEDRO, PNG } from "../../support/service.ts";

/* `/revocar/datos`: what a holder sees of what is kept of it (Ley 21.719), and what it may do about it. */

const { queue, sent } = useReceiver("holders");
afterEach(untilCrlIsBuilt);

/** A browser whose holder has entered the code that came by e-mail. */
async function enter(holder: Pick<typeof JUANA, "dni" | "email"> = JUANA): Promise<Browser> {
	sent.length = 0;
	const browser = await enterRevocar(sent, holder);
	expect(browser.path).toBe("/revocar/certificado");
	await browser.open("/revocar/datos");
	expect(browser.status).toBe(200);
	return browser;
}

const dataOf = async (browser: Browser) => (await browser.open("/revocar/datos/archivo")).body;

/** One code of JUANA in each state that keeps a holder. */
async function codesOfJuana() {
	const partner = await Partner.create({ name: "Notaría Ñuñoa" });
	const [waiting, closed, issued] = [await partner.code(), await partner.code(), await partner.code()];
	for (const pCode of [waiting, closed, issued])
		expect(
			(await partner.request({ ...JUANA, pCode, dniFront: PNG }, { "idempotency-key": pCode })).status,
		).toBe(200);
	await ops("POST", `/pcodes/${closed}/cancel`, { reason: "test" });
	expect((await partner.claim(issued)).status).toBe(200);
	return { partner, waiting, closed, issued };
}

/** Field of a code in the answer that shows a column, or kind of what is kept besides, which the page lists with its reason. */
type Where = `shown ${string}` | keyof typeof KEPT_BESIDES;

/** Every table: why nothing of a holder is in it, where all of it is listed, or where each column is. */
const TABLES: Record<string, { none: string } | Where | Record<string, Where>> = {
	holders: {
		...{ code: "shown p_code", partner_id: "shown seller", rut_sealed: "shown rut", rut_index: "hashes" },
		...{ full_name_sealed: "shown name", email_sealed: "shown email", email_index: "hashes" },
		...{ phone_sealed: "shown phone", partner_copy_sealed: "shown copy_email", renews: "shown renews" },
		...{ pin_salt: "shown pin_hash_kept", pin_hash: "shown pin_hash_kept" },
		...{ validated_at: "shown validated_at", terms_version: "shown terms_version" },
		...{ terms_accepted_at: "shown terms_accepted_at", language: "shown language" },
	},
	purchase_codes: {
		...{ partner_id: "shown seller", code: "shown p_code", product: "shown product" },
		...{ external_reference_id: "shown external_reference_id", certificate_serial: "shown certificate" },
		...{ validated_at: "shown validated_at" },
		...{ issued_at: "shown certificate", certificate_not_after: "shown certificate" },
		...{ bound_rut_index: "hashes", processing_rut_index: "hashes" },
		...{ seq: "register", batch_id: "register", version: "register", created_at: "register" },
		...{ updated_at: "register", cancelled_at: "register", blocked_at: "register", facet: "register" },
		...{ validation_locked_until: "register", claim_failures: "register", claim_locks: "register" },
		...{ validation_blocked_at: "register", claim_locked_until: "register", onboarding_until: "register" },
		...{ processing_until: "register", validation_failures: "register", validation_locks: "register" },
		...{ lapse_reminded_at: "register" },
	},
	certificates: {
		...{ serial: "shown certificate", partner_id: "shown seller" },
		...{ code: "shown p_code", renews: "shown renews" },
		...{ issued_at: "shown certificate", not_before: "shown certificate", not_after: "shown certificate" },
		...{ revoked_at: "shown certificate", revocation_reason: "shown certificate", leaf_id: "certificate" },
		...{ issuer_key_id: "register", reminded_days: "register" },
		...{ signer_entry: "register", signer_head: "register", signer_head_signature: "register" },
	},
	leaves: "certificate",
	evidence: {
		...{ object_key: "shown pictures", partner_id: "shown seller", code: "shown p_code" },
		...{ side: "shown pictures", media_type: "shown pictures", created_at: "shown pictures" },
	},
	outbox: {
		...{ id: "deliveries", partner_id: "shown seller", code: "shown p_code", event: "shown deliveries" },
		...{ noticed: "deliveries", channel: "shown deliveries", to_partner: "deliveries" },
		...{ recipient_sealed: "deliveries", payload_sealed: "deliveries", created_at: "shown deliveries" },
		...{ next_attempt_at: "deliveries", attempts: "deliveries", last_attempt_at: "deliveries" },
		...{ last_outcome: "deliveries", delivered_at: "shown deliveries", dead_at: "deliveries" },
		...{ erase_at: "deliveries", resent_at: "deliveries", swept_at: "deliveries" },
	},
	delivery_attempts: "deliveries",
	holder_emails: "hashes",
	rut_attempts: {
		...{ partner_id: "shown seller", rut_index: "hashes", failures: "shown failed_validations" },
		...{ first_failed_at: "hashes", locked_until: "hashes", erase_at: "hashes" },
	},
	holder_requests: {
		...{ id: "shown requests", partner_id: "shown requests", code: "shown requests", kind: "shown requests" },
		...{ detail_sealed: "shown requests", asked_at: "shown requests", closed_at: "shown requests" },
		...{ outcome: "shown requests", answer_sealed: "shown requests" },
	},
	holder_visits: "visits",
	holder_counts: "visits",
	sent_forms: "visits",
	onboarding_sessions: "widget",
	audit_events: "register",
	idempotency_keys: { none: "hashes of the partner's own calls" },
	partners: { none: "settings of a partner" },
	api_keys: { none: "keys of a partner" },
	batches: { none: "no code has a holder when it is made" },
	code_counts: { none: "counts" },
	usage_counts: { none: "counts" },
	partner_places: { none: "where partners are" },
	partner_changes: { none: "keys of rows, during a move" },
	santiago_offsets: { none: "the clock" },
	console_sessions: { none: "browsers of a partner" },
	upkeep_jobs: { none: "counts" },
	widget_logos: { none: "a partner's logo" },
	webhook_secrets: { none: "a partner's secrets" },
	crl_state: { none: "the authority" },
	published_revocations: { none: "serials that the published CRL has" },
	revocation_mark: { none: "the authority" },
};

test("every column of the schema is shown to the holder, or listed with its reason, or has nothing of a holder", {
	tags: ["holder-data"],
}, async () => {
	const modules = [first, certificates, counts, delivery, holder, onboarding, operations, places];
	const tables = modules.flatMap((module) => Object.values(module).filter((one) => is(one, SQLiteTable)));
	const stated = Object.entries(TABLES).map(([table, where]) => [
		table,
		typeof where === "string" || "none" in where ? "all" : Object.keys(where).sort(),
	]);
	const actual = tables.map((table) => {
		const name = getTableName(table);
		const where = TABLES[name];
		const columns = Object.values(getTableColumns(table)).map((column) => column.name);
		return [
			name,
			where === undefined || typeof where === "string" || "none" in where ? "all" : columns.sort(),
		];
	});
	expect(actual.toSorted()).toEqual(stated.toSorted());

	const partner = await Partner.create({ name: "Notaría Ñuñoa", require_cedula_serie: 0 });
	const [pCode, issued] = [await partner.code(), await partner.code()];
	const more = { partnerCopy: "copia@example.cl", dniFront: PNG, dniBack: PNG };
	for (const code of [pCode, issued])
		expect((await partner.request({ ...JUANA_FULL, pCode: code, ...more })).status).toBe(200);
	expect((await partner.claim(issued)).status).toBe(200);
	await execute(
		"UPDATE holders SET terms_version = '3', terms_accepted_at = 86400000, renews = 'AB', language = 'en'",
	);
	await execute(
		"INSERT INTO rut_attempts SELECT partner_id, rut_index, 2, 1, NULL, 9e15 FROM holders GROUP BY 1, 2",
	);
	const browser = await enter(JUANA_FULL);
	await browser.submit({ kind: "correct", p_code: pCode, detail: "Mi segundo apellido" });
	const { codes, requests, also_kept } = await dataOf(browser);
	expect(also_kept).toEqual(
		Object.values(KEPT_BESIDES).map(([what, why, end]) => ({ what: what.es, why: why.es, until: end.es })),
	);
	const code = codes.find(({ p_code }: { p_code: string }) => p_code === pCode);
	const { certificate, deliveries } = codes.find(({ p_code }: { p_code: string }) => p_code === issued);
	for (const where of Object.values(TABLES))
		for (const shown of typeof where === "object" ? Object.values(where) : [where]) {
			const field = /^shown (\w+)$/.exec(shown)?.[1];
			const value = field && { ...code, certificate, deliveries, requests }[field];
			if (field)
				expect([field, value === null || value === undefined || value.length === 0]).toEqual([field, false]);
			else if (typeof where === "object" && "none" in where) continue;
			else expect(Object.keys(KEPT_BESIDES)).toContain(shown);
		}
	const [row] = await select("SELECT * FROM holders WHERE code = ?", pCode);
	const { certificate_not_after, certificate_serial } = await codeRow(issued);
	const at = (time: number) => new Date(time).toISOString();
	expect(code).toMatchObject({
		...{ seller: "Notaría Ñuñoa", product: "FV01", external_reference_id: JUANA_FULL.referenceId },
		...{ rut: JUANA_FULL.dni, email: JUANA_FULL.email, phone: `•••${JUANA_FULL.phone.slice(-3)}` },
		...{ copy_email: "c•••@example.cl", pin_hash_kept: true, renews: "AB", failed_validations: 2 },
		...{ validated_at: at(row!.validated_at), terms_version: "3", terms_accepted_at: at(86_400_000) },
		...{ kept_for: "claim", kept_until: at(row!.validated_at + 90 * DAY_MS) },
		pictures: [
			{ side: "back", media_type: "image/png", created_at: expect.any(String) },
			{ side: "front", media_type: "image/png", created_at: expect.any(String) },
		],
	});
	expect(code.name).toContain("JUANA");
	expect(certificate).toMatchObject({
		serialNumber: certificate_serial,
		validTo: at(certificate_not_after),
		copy_kept: true,
	});
	expect(requests).toMatchObject([{ kind: "correct", p_code: pCode, detail: "Mi segundo apellido" }]);
	const { text } = await browser.open("/revocar/datos");
	for (const value of [
		code.name,
		code.rut,
		code.email,
		code.phone,
		code.copy_email,
		certificate_serial,
		"19.799",
	])
		expect(text).toContain(value);
	for (const hidden of [JUANA_FULL.phone, "copia@example.cl", JUANA_FULL.pin])
		for (const shown of [text, JSON.stringify(codes)]) expect(shown).not.toMatch(alone(hidden));
});

test("of every partner, under the e-mail of the code alone; two trips; a stranger sees none of it", {
	tags: ["holder-data"],
}, async () => {
	const { waiting, closed, issued } = await codesOfJuana();
	const other = await Partner.create({ name: "Tienda" });
	const [same, elsewhere, pedros] = [await other.code(), await other.code(), await other.code()];
	await other.request({ ...JUANA, pCode: same });
	await (await Partner.create()).request({ ...JUANA, pCode: elsewhere, email: "otro@example.cl" });
	await other.request({ ...PEDRO, pCode: pedros });
	const browser = await enter();
	const [{ status, text }, trips] = await tripsDuring(() => browser.open("/revocar/datos"));
	expect([status, trips.length]).toEqual([200, 2]);
	for (const own of [waiting, closed, issued, same]) expect(text).toContain(own);
	expect(text).not.toMatch(/PEDRO|otro@/);
	expect((await dataOf(browser)).codes).toHaveLength(4);

	const stranger = new Browser();
	for (const path of ["/revocar/datos", "/revocar/datos/archivo"]) {
		const { status, headers, text: shown } = await stranger.open(path);
		expect([status, headers.get("location"), shown.includes("JUANA")]).toEqual([303, "/revocar", false]);
	}
	await stranger.open("/revocar");
	for (const path of ["/revocar/datos/borrar", "/revocar/datos/solicitud"]) {
		const fields = { understood: "1", kind: "correct", p_code: waiting, detail: "x" };
		expect((await stranger.send(path, { ...fields, csrf: stranger.csrf })).status).toBe(410);
	}
	expect(await select("SELECT 1 FROM holder_requests")).toEqual([]);
	passTime(30 * 60_000);
	expect((await browser.open("/revocar/datos")).status).toBe(303);
});

test("a hundred codes a page, to the holder and to ops; what does not open is named, and the rest is shown", {
	tags: ["holder-data"],
}, async () => {
	const person = loadHolder(101);
	const partner = await Partner.create();
	const [first = "", ...others] = (await partner.bulk(200)).body.data.pcodes as string[];
	await partner.request({ ...person, pCode: first });
	// Sealed values are bound to their row: a copy does not open.
	const copied =
		"partner_id, rut_sealed, rut_index, full_name_sealed, email_sealed, email_index, validated_at";
	await execute(
		`INSERT INTO holders (code, ${copied}) SELECT value, ${copied} FROM json_each(?1) CROSS JOIN holders WHERE code = ?2`,
		...[JSON.stringify(others), first],
	);
	await execute(
		`UPDATE purchase_codes SET (bound_rut_index, validated_at) =
			(SELECT bound_rut_index, validated_at FROM purchase_codes WHERE code = ?1) WHERE partner_id = ?2`,
		...[first, partner.id],
	);
	const lines = vi.spyOn(console, "error").mockImplementation(() => {});
	const browser = await enter(person);
	const pages: string[] = [];
	for (const query of ["", "?page=2", "?page=3"]) {
		const { codes, more } = (await browser.open(`/revocar/datos/archivo${query}`)).body;
		pages.push(`${codes.length} ${more}`);
	}
	expect(pages).toEqual(["100 true", "100 false", "0 false"]);
	await browser.open("/revocar/datos");
	expect(browser.text).toContain('href="/revocar/datos?page=2"');
	expect(browser.text).toContain("no podemos leerlo");
	expect(lines.mock.calls.flat().join()).toContain(
		`"event":"unopenable","table":"holders","row":"${others[0]}"`,
	);

	const asked = { dni: person.dni, reason: "test" };
	const shown = async (page?: number) => {
		const { codes, more } = (await ops("POST", "/holders/data", { ...asked, ...(page && { page }) })).body
			.data;
		const readable = codes.filter(
			({ rut, name, email }: Record<string, string | null>) => rut && name && email,
		);
		return [codes.length, readable.length, more];
	};
	expect(await Promise.all([shown(), shown(2)])).toEqual([
		[100, expect.any(Number), true],
		[100, expect.any(Number), false],
	]);
	const desk = await signInOps();
	const found = async (page: string) => {
		await actOps(desk, "/holders", Object.entries({ ...asked, page }));
		return new Set(desk.led.match(/(?<=\/ops\/console\/codes\/)[0-9A-Z-]{19}/g)).size;
	};
	expect([await found(""), desk.led.includes("Ver los 100 siguientes")]).toEqual([100, true]);
	expect(desk.led).toContain('name="page" value="2"');
	expect([await found("2"), desk.led.includes("Ver los 100 siguientes")]).toEqual([100, false]);
	// Their data are asked for from there.
	expect(desk.led).toContain('name="page" value="2"');

	const erased = async () => {
		const { codes, more } = (await ops("POST", "/holders/erase", asked)).body.data;
		return [codes.filter(({ outcome }: { outcome: string }) => outcome === "erased").length, more];
	};
	expect([await erased(), await erased(), await erased()]).toEqual([
		[100, true],
		[100, false],
		[0, false],
	]);
	lines.mockRestore();
});

describe("erasure", { tags: ["holder-erases"] }, () => {
	test("what the law lets go of is gone at once, what it does not stays until the day shown", async () => {
		const { partner, waiting, closed, issued } = await codesOfJuana();
		const browser = await enter();
		const { csrf } = browser;
		await browser.submit({ kind: "correct", p_code: waiting, detail: "Mi nombre" });
		expect((await browser.send("/revocar/datos/borrar", { csrf })).status).toBe(400);
		const { status, headers } = await browser.send("/revocar/datos/borrar", { csrf, understood: "1" });
		expect([status, headers.get("location")]).toEqual([303, "/revocar/datos"]);
		const { text } = await browser.open("/revocar/datos");
		expect(text).toContain("Borramos los datos de 1 código(s)");
		expect(text).toContain("no hay nada que podamos borrar");
		expect(text).not.toContain(waiting);
		const answers = Object.keys(await storedIn(partner, waiting)).filter((key) => key.startsWith("answer:"));
		expect(answers).toEqual([]);
		// What an objection needs outlives a wish of whoever has the mailbox; ops may erase it.
		expect(
			(await dataOf(browser)).codes.map((code: Record<string, string>) => [code.p_code, code.kept_for]),
		).toEqual(
			expect.arrayContaining([
				[closed, "objection"],
				[issued, "register"],
			]),
		);
		const asked = { dni: JUANA.dni, reason: "test" };
		expect((await ops("POST", "/holders/erase", asked)).status).toBe(200);
		for (const erased of [waiting, closed]) {
			const { bound_rut_index, partner_id } = await codeRow(erased);
			expect([bound_rut_index, await select("SELECT 1 FROM holders WHERE code = ?", erased)]).toEqual([
				null,
				[],
			]);
			for (const table of ["evidence", "holder_requests"])
				expect(await select(`SELECT 1 FROM ${table} WHERE code = ?`, erased)).toEqual([]);
			expect((await env.EVIDENCE.list({ prefix: `${partner_id}/` })).objects).toHaveLength(1);
		}
		expect(await auditOf(waiting)).toEqual(["validated ok", "block holder_asked"]);
		expect((await auditOf(closed)).at(-1)).toBe("holder_erased holder_asked");
		expect([await partner.status(waiting), await partner.status(closed)]).toEqual(["LOCKED", "CANCELLED"]);
		expect((await partner.claim(waiting)).status).toBe(423);
		const [left] = (await dataOf(browser)).codes;
		expect(left).toMatchObject({
			p_code: issued,
			kept_for: "register",
			name: expect.stringContaining("JUANA"),
		});
		const { certificate_not_after } = await codeRow(issued);
		const years =
			new Date(left.kept_until).getUTCFullYear() - new Date(certificate_not_after).getUTCFullYear();
		expect(years).toBe(6);
		expect((await ops("POST", "/audit/verify", {})).body.data.faults).toEqual([]);
	});

	test("a code in use, or whose object does not answer, is left, and says so", async () => {
		const { partner, waiting } = await codesOfJuana();
		const browser = await enter();
		const { registry, running } = await heldAtRegistry(() => partner.request({ ...JUANA, pCode: waiting }));
		const erase = async () => {
			await browser.send("/revocar/datos/borrar", { csrf: browser.csrf, understood: "1" });
			await browser.open("/revocar/datos");
			return /No pudimos borrar los datos de (\d+) código/.exec(browser.text)?.[1];
		};
		expect(await erase()).toBe("1");
		registry.release();
		expect((await running).status).toBe(200);
		vi.spyOn(PurchaseCodeObject.prototype, "eraseHolder").mockRejectedValue(new Error("a bug"));
		expect(await erase()).toBe("3");
		expect((await dataOf(browser)).codes).toHaveLength(3);
	});
});

describe("a request", { tags: ["holder-requests"] }, () => {
	test("waits for ops, who answer it once; the holder reads the answer; no table has its text", async () => {
		const { waiting } = await codesOfJuana();
		const browser = await enter();
		for (const [fields, says] of [
			[{ kind: "delete", p_code: waiting, detail: "x" }, "Elija qué pide"],
			[{ kind: "correct", p_code: "AAAA", detail: "x" }, "Elija un código"],
			[{ kind: "correct", p_code: waiting, detail: " " }, "Escriba entre 1 y 400"],
		] as const) {
			await browser.submit(fields);
			expect([browser.status, browser.text.includes(says)]).toEqual([400, true]);
		}
		await browser.open("/revocar/datos");
		await browser.submit({ kind: "correct", p_code: waiting, detail: "<b>Me llamo Juana Rosa</b>" });
		expect(browser.text).toContain("Recibimos su solicitud");
		expect(browser.text).toContain("&lt;b&gt;Me llamo Juana Rosa&lt;/b&gt;");
		expect(await dumpRegister()).not.toContain("Juana Rosa");
		// A later one, in the database that answers first.
		const later = await Partner.create({ database: 1 });
		const other = await later.code();
		await later.request({ ...PEDRO, pCode: other });
		passTime(1);
		await requestOf(later.id, other, "x");
		const [request] = (await ops("GET", "/holder_requests")).body.data.requests;
		expect(request).toMatchObject({
			p_code: waiting,
			kind: "correct",
			detail: "<b>Me llamo Juana Rosa</b>",
			answer: null,
		});
		expect(Date.parse(request.answer_by) - Date.parse(request.asked_at)).toBe(30 * DAY_MS);
		const answer = () =>
			ops("POST", `/holder_requests/${request.id}/answer`, {
				outcome: "refused",
				answer: "El nombre es el del Registro Civil",
			});
		sent.length = 0;
		expect((await Promise.all([answer(), answer()])).map(({ status }) => status).sort()).toEqual([200, 404]);
		const [told] = await select("SELECT id FROM outbox WHERE event = 'holder.answered'");
		await until(() => queue.some(({ id }) => id === told!.id));
		await deliverMessages(told!.id);
		const [{ to, subject, text: letter }] = sent as [(typeof sent)[0]];
		expect([sent.length, to, subject]).toEqual([
			1,
			JUANA.email,
			"Notaría Ñuñoa: respondimos su solicitud sobre sus datos",
		]);
		for (const says of [waiting, "Corregir un dato", "rechazada", "/revocar"]) expect(letter).toContain(says);
		expect(letter).not.toContain("Registro Civil");
		expect((await answer()).status).toBe(404);
		expect((await ops("GET", "/holder_requests")).body.data.requests).toMatchObject([{ p_code: other }]);
		const { events, faults } = (await ops("GET", `/audit/holder_request:${request.id}`)).body.data;
		expect([
			faults,
			events.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`),
		]).toEqual([[], ["holder_request_made correct", "holder_request_closed refused"]]);
		expect(events[0].actor).toMatch(/^holder:rv_/);
		await browser.open("/revocar/datos");
		expect(browser.text).toContain("rechazada: El nombre es el del Registro Civil");
	});

	test("of one code five at most wait, however many are sent at once; none of an erased holder", async () => {
		const { waiting } = await codesOfJuana();
		const browser = await enter();
		const forms: string[] = [];
		while (forms.length < 8) {
			await browser.open("/revocar/datos");
			forms.push(browser.csrf);
		}
		const send = (csrf: string) =>
			browser.send("/revocar/datos/solicitud", { csrf, kind: "object", p_code: waiting, detail: csrf });
		const answers = await Promise.all(forms.slice(1).map(send));
		expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 303, 400, 400]);
		expect(await select("SELECT 1 FROM holder_requests")).toHaveLength(5);
		expect(await select("SELECT 1 FROM audit_events WHERE action = 'holder_request_made'")).toHaveLength(5);
		// One that is answered makes place for another.
		const [{ id }] = (await ops("GET", "/holder_requests")).body.data.requests;
		await ops("POST", `/holder_requests/${id}/answer`, { outcome: "done", answer: "x" });
		await browser.open("/revocar/datos");
		expect((await send(browser.csrf)).status).toBe(303);
		expect((await ops("POST", "/holders/erase", { dni: JUANA.dni, reason: "test" })).status).toBe(200);
		const late = await send(forms[0]!);
		expect([late.status, late.text.includes("Elija un código")]).toEqual([400, true]);
		expect(await select("SELECT 1 FROM holder_requests")).toEqual([]);
	});
});
