import { afterEach, beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../../src/domain/durations.ts";
import { timestamp } from "../../../../src/http/timestamp.ts";
import { JOBS } from "../../../../src/jobs/run.ts";
import type { Browser } from "../../../support/browser.ts";
import { textOf } from "../../../support/console.ts";
import { execute, executeOfNobody } from "../../../support/db.ts";
import { auditOf, select, selectOfNobody } from "../../../support/look-inside.ts";
import { actOps, signInOps } from "../../../support/ops-console.ts";
import { emitted, untilCrlIsBuilt } from "../../../support/pki.ts";
import { freshService, ops, Partner } from "../../../support/service.ts";

/* Actions of the console have the effects of ops' calls, with the rows that these leave in the audit. */

let browser: Browser;

beforeEach(async () => {
	await freshService();
	browser = await signInOps();
});
afterEach(untilCrlIsBuilt);

/** Posts a form; returns the problem shown, or the redirect's target and its text. */
async function act(path: string, fields: Record<string, string | string[]> = {}) {
	const pairs = Object.entries(fields).flatMap(([name, value]) =>
		[value].flat().map((one): [string, string] => [name, one]),
	);
	const answer = await actOps(browser, path, pairs);
	const to = answer.headers.get("location")?.replace("/ops/console", "");
	return { ...answer, to, text: to ? browser.led : answer.text };
}

/** A partner's own settings as its form has them. */
async function settingsOf({ id }: Partner) {
	const { partner } = (await ops("GET", `/partners/${id}`)).body.data;
	const flags =
		"require_cedula_serie validate_vencimiento require_sso require_serial_with_sso holder_reminders";
	return {
		name: partner.name,
		mode: partner.mode,
		pfx_profile: partner.pfx_profile,
		key_algorithm: partner.key_algorithm,
		language: partner.language,
		max_codes_14_days: String(partner.max_codes_14_days),
		webhook_url: partner.webhook_url ?? "",
		webhook_events: partner.webhook_events,
		allowed_products: partner.allowed_products,
		delivery_email: partner.delivery_email ?? "",
		version: await versionOf(id),
		flags: flags.split(" ").filter((flag) => partner[flag]),
	};
}

async function versionOf(id: string): Promise<string> {
	return String((await select("SELECT version FROM partners WHERE id = ?", id))[0]!.version);
}

async function lastAudit({ id }: Partner): Promise<string> {
	const [row] = await select(
		"SELECT actor || ' ' || action || ' ' || outcome AS text FROM audit_events WHERE entity = ? ORDER BY version DESC",
		`partner:${id}`,
	);
	return row!.text;
}

test("a new partner's key works, and is shown once", async () => {
	const settings = { ...(await settingsOf(await Partner.create())), name: "Notaría Ñuñoa" };
	const { text, to } = await act("/partners/new", settings);
	expect(to).toMatch(/^\/partners\/pt_\w+\/secrets$/);
	const [key = ""] = /gw_dev_\w+/.exec(text)!;
	const [, id = ""] = /partners\/(pt_\w+)/.exec(text)!;
	expect(text).toMatch(/whsec_[\w+/=]+/);
	expect((await new Partner(id, key).bulk()).status).toBe(201);
	expect((await browser.open(`/ops/console/partners/${id}`)).text).not.toContain(key);
});

test("a form that is wrong says what and keeps what was typed; nothing is made", async () => {
	const settings = { ...(await settingsOf(await Partner.create())), name: "Only B2B", mode: "B2B" };
	const { status, text } = await act("/partners/new", settings);
	expect([status, text.includes('id="delivery_email-wrong"')]).toEqual([400, true]);
	expect(text).toContain('value="Only B2B"');
	const second = await act("/partners/new", { ...settings, mode: "B2C", name: "", webhook_url: "ftp://x" });
	expect(second.text).toContain('id="name-wrong"');
	expect(second.text).toContain('id="webhook_url-wrong"');
	expect(await select("SELECT id FROM partners")).toHaveLength(1);
});

test("settings: only what is changed is changed, and named in the audit", async () => {
	const partner = await Partner.create({ webhook_url: "https://partner.example/hook" });
	await partner.change({ webhook_enabled: false });
	const settings = await settingsOf(partner);
	const path = `/partners/${partner.id}/settings`;
	const done = await act(path, { ...settings, name: "Renamed", flags: [] });
	expect([done.status, done.to]).toEqual([303, `/partners/${partner.id}?done=1`]);
	expect(await lastAudit(partner)).toBe("ops:token changed name require_cedula_serie");
	const { partner: now } = (await ops("GET", `/partners/${partner.id}`)).body.data;
	expect(now).toMatchObject({ name: "Renamed", require_sso: 1, webhook_off_by: "ops" });
	const late = await act(path, { ...settings, name: "Undone" });
	expect([late.status, late.text.includes("Alguien cambió")]).toEqual([409, true]);
	expect(await lastAudit(partner)).toBe("ops:token changed name require_cedula_serie");
	const refused = await act(path, { ...(await settingsOf(partner)), mode: "B2B" });
	expect([refused.status, refused.text.includes('id="delivery_email-wrong"')]).toEqual([400, true]);
});

test("suspending and resuming, and the webhook's switch, at once", async () => {
	const partner = await Partner.create({ webhook_url: "https://partner.example/hook" });
	await act(`/partners/${partner.id}/suspend`);
	expect((await partner.bulk()).status).toBe(401);
	expect(await lastAudit(partner)).toMatch(/^ops:token suspended /);
	await act(`/partners/${partner.id}/resume`);
	expect((await partner.bulk()).status).toBe(201);
	expect(await lastAudit(partner)).toMatch(/^ops:token resumed /);
	await act(`/partners/${partner.id}/webhook_off`);
	expect((await ops("GET", `/partners/${partner.id}`)).body.data.partner.webhook_off_by).toBe("ops");
	await act(`/partners/${partner.id}/webhook_on`);
	expect((await ops("GET", `/partners/${partner.id}`)).body.data.partner.webhook_off_by).toBe(null);
	const b2b = await Partner.create({ mode: "B2B", webhook_url: "https://partner.example/hook" });
	expect((await act(`/partners/${b2b.id}/webhook_off`)).status).toBe(400);
});

test("keys: added, rotated and revoked; a new webhook secret", async () => {
	const partner = await Partner.create();
	const path = `/partners/${partner.id}/keys`;
	const wrong = {
		label: "office",
		scopes: ["codes"],
		expires_at: "2020-01-01T00:00:00Z",
		allowed_cidrs: "x",
	};
	expect((await act(path, wrong)).text).toContain('id="allowed_cidrs-wrong"');
	expect((await act(path, { ...wrong, allowed_cidrs: "" })).text).toContain('id="expires_at-wrong"');
	const expires_at = timestamp(Date.now() + 365 * DAY_MS);
	const added = await act(path, { label: "office", scopes: ["codes"], allowed_cidrs: "", expires_at });
	const [key = ""] = /gw_dev_\w+/.exec(added.text)!;
	const office = new Partner(partner.id, key);
	expect([(await office.bulk()).status, (await office.get("/api/partner/v1/keys")).status]).toEqual([
		201, 403,
	]);
	const keys = async () => (await ops("GET", `/partners/${partner.id}`)).body.data.keys;
	const { id } = (await keys()).at(-1);
	expect((await act(`${path}/${id}/rotate`)).text).toMatch(/gw_dev_\w+/);
	// The old key ends with its overlap, long before the end that it was made with.
	const { revoked_at } = (await keys()).find((key: { id: string }) => key.id === id);
	const { text } = await browser.open(`/ops/console/partners/${partner.id}`);
	expect([revoked_at < expires_at, text.includes(`datetime="${revoked_at}"`)]).toEqual([true, true]);
	expect((await keys()).map(({ label }: { label: string }) => label).sort()).toEqual([
		"first key",
		"office",
		"office",
	]);
	await act(`${path}/${id}/revoke`);
	expect((await office.bulk()).status).toBe(401);
	expect((await act(`/partners/${partner.id}/secret`)).text).toMatch(/whsec_/);
	expect(await lastAudit(partner)).toMatch(/^ops:token webhook_secret_rotated /);
});

test("a holder by RUT: what was found, once the search is in the audit; no address has the RUT", async () => {
	const { pCode, serial, partner } = await emitted();
	const { text, to } = await act("/holders", { dni: "11.111.111-1", reason: "ticket 4711" });
	expect(to).toBe("/holders/found");
	for (const found of [pCode, serial, `/ops/console/partners/${partner.id}`]) expect(text).toContain(found);
	expect(text.match(/(href|action)="[^"]*1111111/)).toBe(null);
	expect(text).not.toMatch(/JUANA|juana@/);
	const [row] = await selectOfNobody("SELECT * FROM audit_events WHERE action = 'holder_searched'");
	expect(row).toMatchObject({ actor: "ops:token", outcome: `ticket 4711 | ${pCode}` });
	const wrong = await act("/holders", { dni: "11111111-2", reason: "" });
	expect([wrong.status, wrong.text.match(/id="(dni|reason)-wrong"/g)?.length]).toEqual([400, 2]);
	expect(await selectOfNobody("SELECT 1 FROM audit_events WHERE action = 'holder_searched'")).toHaveLength(1);
});

test("a code is blocked, unblocked, replaced and cancelled; for good only when that is understood", async () => {
	const partner = await Partner.create();
	const code = await partner.code();
	const change = (verb: string, more = {}) => act(`/codes/${code}`, { verb, reason: "ticket", ...more });
	expect((await change("block")).to).toBe(`/codes/${code}?done=1`);
	expect(await partner.status(code)).toBe("LOCKED");
	await change("unblock");
	expect(await partner.status(code)).toBe("ACTIVE");
	for (const [verb, field] of [
		["cancel", "understood"],
		["replace", "understood"],
		["nothing", "verb"],
	] as const)
		expect((await change(verb)).text).toContain(`id="${field}-wrong"`);
	expect((await act(`/codes/${code}`, { verb: "block", reason: "" })).text).toContain('id="reason-wrong"');
	const { text } = await change("replace", { understood: "1" });
	const [, replacement = ""] = /El código nuevo es ([0-9A-Z-]{19})/.exec(text)!;
	expect([await partner.status(code), await partner.status(replacement)]).toEqual(["CANCELLED", "ACTIVE"]);
	expect((await change("block")).to).toBe(`/codes/${code}?problem=cancelled`);
	const offered = async (of: string) =>
		Array.from(
			(await browser.open(`/ops/console/codes/${of}`)).text.matchAll(/name="verb" value="(\w+)"/g),
			([, verb]) => verb,
		);
	expect(await offered(replacement)).toEqual(["block", "unblock", "replace", "cancel"]);
	expect(await offered((await emitted()).pCode)).toEqual(["unblock", "replace", "cancel"]);
	expect((await browser.open(`/ops/console/codes/${code}?problem=cancelled`)).text).toContain("fue anulado");
	expect((await auditOf(code)).slice(0, 2)).toEqual(["block ticket", "unblock ticket"]);
});

test("requests of holders stand on the overview, and are urgent five days before their time is over", async () => {
	const partner = await Partner.create();
	const code = await partner.code();
	const ask = (at: number) =>
		select(
			"INSERT INTO holder_requests (id, partner_id, code, kind, detail_sealed, asked_at) VALUES (?, ?, ?, 'correct', '', ?)",
			...[crypto.randomUUID(), partner.id, code, at],
		);
	const attention = async () => {
		const { text } = await browser.open("/ops/console/overview");
		return textOf(text)
			.match(/(Atención|Urgente) (\d+) solicitudes de titulares sin respuesta/)
			?.slice(1);
	};
	expect(await attention()).toBeUndefined();
	await ask(Date.now() - 24 * DAY_MS);
	expect(await attention()).toEqual(["Atención", "1"]);
	await ask(Date.now() - 26 * DAY_MS);
	expect(await attention()).toEqual(["Urgente", "2"]);
	// An answer that is to be corrected stays in the form of its own request alone.
	const [{ id }] = (await select("SELECT id FROM holder_requests")) as [{ id: string }];
	const refused = await act(`/holders/requests/${id}`, { outcome: "", answer: "Se corrigió el nombre." });
	expect([refused.status, refused.text.split("Se corrigió el nombre.").length - 1]).toEqual([400, 1]);
});

test("at a first start the jobs never ran: the overview says why, and a button runs them all", async () => {
	const shown = async () => textOf((await browser.open("/ops/console/overview")).text);
	const before = await shown();
	expect(before).toContain(`${JOBS.length} tareas nunca ejecutadas aquí: cron no se ejecuta en local`);
	expect(before).toContain("0 tareas sin ejecutarse hace más de dos horas");
	expect(before).toMatch(/— la auditoría aún no se ha verificado — las tablas aún no se han conciliado/);
	expect(before).not.toMatch(/\s\?/);
	const { id } = await Partner.create();
	// An e-mail of no holder, which a job erases and says so in the audit.
	const columns = "(partner_id, email_index, rut_index, created_at)";
	await execute(`INSERT INTO holder_emails ${columns} VALUES (?, 'e', 'gone', 1)`, id);
	expect((await act("/jobs")).to).toBe("/jobs?done=1");
	const ran = await selectOfNobody("SELECT job FROM upkeep_jobs");
	expect(ran).toHaveLength(JOBS.length);
	const byJobs = "SELECT entity, actor FROM audit_events WHERE entity GLOB 'upkeep:*'";
	expect(await select(byJobs)).toEqual([{ entity: "upkeep:forget-emails", actor: "ops:token" }]);
	const after = await shown();
	expect(after).not.toMatch(/nunca ejecutadas|aún no/);
	expect(after).toMatch(/0 problemas .* 0 contradicciones/);
});

test("a database is closed to new partners and opened again", async () => {
	const shown = async () => textOf((await browser.open("/ops/console/databases")).text);
	expect(await shown()).toMatch(/DB Abierta .* DB_2 Abierta/);
	expect((await act("/databases/2", { state: "closed" })).to).toBe("/databases?done=1");
	expect(await shown()).toMatch(/DB Abierta .* DB_2 Cerrada/);
	expect((await act("/databases/2", { state: "open" })).to).toBe("/databases?done=1");
	expect((await act("/databases/9", { state: "open" })).status).toBe(404);
	expect(await shown()).toMatch(/DB Abierta .* DB_2 Abierta/);
});

test("a job runs; the audit is verified and D1 reconciled page by page to the end", async () => {
	await (await Partner.create()).bulk(3);
	expect((await act("/jobs/watch-authority")).to).toBe("/jobs?done=1");
	expect((await act("/jobs/nothing")).status).toBe(404);
	// A row that nobody can have appended, on two pages of the walk; it has three faults.
	const columns = "entity, version, partner_id, at, actor, action, outcome, request_id, previous_hash, hash";
	const forged = `INSERT INTO audit_events (${columns}) VALUES ('code:forged', 1, '', 1, 'a', 'b', 'c', 'd', '', '')`;
	for (const forge of [execute, executeOfNobody]) await forge(forged);
	for (const [walk, found] of [
		["verify", 2 * 3],
		["reconcile", 0],
	] as const) {
		let page = await act(`/audit/${walk}`, { checked: "0", found: "0", cursor: "" });
		let pages = 1;
		for (; !page.text.includes("Se revisó todo: "); pages++) {
			const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)![1]!;
			const fields = { checked: field("checked"), found: field("found"), cursor: field("cursor") };
			page = await act(`/audit/${walk}`, fields);
		}
		const said = /hallazgos: \d+/.exec(page.text)![0];
		expect([walk, pages > 2, said]).toEqual([walk, true, `hallazgos: ${found}`]);
	}
});

test("the partners whose only proof is single sign-on are listed and counted", async () => {
	const full = { require_cedula_serie: 0 } as const;
	await Partner.create({ name: "Alone", ...full });
	await Partner.create({ name: "By serial", ...full, require_sso: 0 });
	await Partner.create({ name: "By both", ...full, require_serial_with_sso: 1 });
	await Partner.create({ name: "Reduced" });
	const { text } = await browser.open("/ops/console/partners?only=sso_alone");
	const listed = ["Alone", "By serial", "By both", "Reduced"].filter((name) => text.includes(name));
	expect(listed).toEqual(["Alone"]);
	expect((await browser.open("/ops/console/overview")).text).toContain(
		'href="/ops/console/partners?only=sso_alone"><b>1</b>',
	);
});
