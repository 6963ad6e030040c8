import { beforeEach, expect, test } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { LIST_STATUSES } from "../../../src/domain/status-tables.ts";
import { STATUS_FIGURES } from "../../../src/texts/console-words.ts";
import { setTime, yearOfNext } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { linkOf, signIn, textOf, tripsOf } from "../../support/console.ts";
import { execute } from "../../support/db.ts";
import { emitted } from "../../support/pki.ts";
import { holdQueue } from "../../support/receiver.ts";
import { freshService, JUANA, loadHolder, ops, Partner } from "../../support/service.ts";

const YEAR = yearOfNext("03-10");

const PATH = "/console/overview";

beforeEach(freshService);
beforeEach(() => setTime(Date.UTC(YEAR, 2, 10, 12)));

/** The numbers of the figures, by what they count. */
function figuresOf(page: string): Record<string, string> {
	const figures = page.matchAll(/<b>([^<]*)(?:<small>[^<]*<\/small>)?<\/b> ([^<]*)/g);
	return Object.fromEntries([...figures].map(([, value, label]) => [label!, value!]));
}

test("every figure is the length of the list that it links to", { tags: ["console-overview"] }, async () => {
	holdQueue("all");
	const partner = await Partner.create({ mode: "B2B" });
	await (await Partner.create()).bulk(9);
	await partner.bulk(3);
	setTime(Date.now() + 12 * DAY_MS);
	await partner.bulk(500);
	await emitted(await Partner.create({ mode: "B2B" }), loadHolder(9));
	await emitted(partner);
	await emitted(partner, loadHolder(1));
	await partner.desk("POST", `/pcodes/${await partner.code()}/cancel`, { reason: "returned" });
	const locked = await partner.code();
	for (let i = 0; i < 3; i++)
		await partner.request({ pCode: locked, ...loadHolder(2), serialNumber: "999999999" });
	await partner.request({ pCode: await partner.code("FV00"), ...loadHolder(3) });

	setTime(Date.now() + 1_000);
	const browser = await signIn(partner);
	expect(await tripsOf(browser, PATH)).toBe(2);
	const page = browser.text;
	const figures = figuresOf(page);
	for (const status of LIST_STATUSES) {
		const name = STATUS_FIGURES[status].es;
		const { total } = (await partner.list(`?status=${status}`)).body.data.pagination;
		expect([status, figures[name]]).toEqual([status, String(total)]);
		expect(linkOf(page, name)).toBe(`/console/codes?status=${status}`);
	}
	expect(figures).toMatchObject({ Emitidos: "3", Anulados: "1", Bloqueados: "1" });

	const ending = "códigos sin utilizar cuyo plazo termina dentro de 3 días";
	expect(figures[ending]).toBe("3");
	expect(textOf((await browser.open(linkOf(page, ending))).text)).toContain("Códigos con estos filtros: 3.");
	const certificates = "certificados vigentes que vencen dentro de 30 días";
	expect(figures[certificates]).toBe("1");
	const { text } = await browser.open(linkOf(page, certificates));
	expect(text.match(/<tr>/g)).toHaveLength(2);
	for (const [state, name] of [
		["pending", "Pendientes"],
		["delivered", "Entregados"],
		["dead", "Fallidos"],
	] as const) {
		const { deliveries } = (await partner.desk("GET", `/deliveries?state=${state}`)).body.data;
		const { text } = await browser.open(linkOf(page, name));
		expect([name, figures[name], text.match(/<tr>/g)?.length ?? 1]).toEqual([
			...[name, String(deliveries.length), deliveries.length + 1],
		]);
	}
	expect(Number(figures.Pendientes)).toBeGreaterThan(0);
});

test("certificates a day, refusals by reason and the webhook's state, in both languages", async () => {
	const { partner, pCode } = await activeCode();
	const other = await Partner.create();
	for (const one of [partner, other])
		await one.request({
			pCode: one === partner ? pCode : await one.code(),
			...JUANA,
			serialNumber: "999999999",
		});
	await partner.request({ pCode, ...JUANA });
	await partner.claim(pCode, { pin: "0000" });
	await partner.claim(pCode, { pin: "0001" });
	await partner.claim(pCode);
	const browser = await signIn(partner);
	await browser.open(PATH);
	const text = textOf(browser.text);
	expect(text).toContain(
		"Últimos 30 días por la hora de Chile, hoy incluido: 1 en total, 1 en el día con más.",
	);
	expect(text).toContain(`10-03-${YEAR} 1 `);
	expect(browser.text).toContain("<span>2</span><span>1</span><span>0</span>");
	expect(text.match(/\d\d-0[23]-\d{4} \d /g)).toHaveLength(30);
	expect(text).toContain(
		"Retiro con RUT o PIN incorrecto 2 La cédula no corresponde, está vencida o bloqueada 1",
	);
	expect(text).toContain("No hay webhook");

	await partner.change({ webhook_url: "https://partner.example/hook" });
	const off = "UPDATE partners SET webhook_off_at = ?, webhook_off_by = 'endpoint' WHERE id = ?";
	await execute(off, Date.now(), partner.id);
	await browser.open(`${PATH}?lang=en`);
	const english = textOf(browser.text);
	expect(english).toContain("your server answered 410");
	expect(english).toContain("Claim with a wrong RUT or PIN 2");
	expect(browser.text).toContain('<html lang="en">');
});

test("figures without a counter stop at a thousand, and say so", async () => {
	const partner = await Partner.create();
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)";
	const many = (insert: string) => execute(`${numbers} ${insert}`, partner.id, Date.now());
	await many(`INSERT INTO outbox (id, partner_id, code, event, channel, created_at, dead_at, last_attempt_at, last_outcome)
		SELECT 'dead-' || i, ?1, '', 'certificate.emitted', 'webhook', ?2 - i, ?2, ?2 - i, 'http 503' FROM n`);
	await many(`INSERT INTO audit_events (entity, version, partner_id, at, actor, action, outcome, request_id, previous_hash, hash)
		SELECT 'code:' || i, 1, ?1, ?2 - i, 'x', 'claim_failed', 'credentials_mismatch', 'x', '', '' FROM n`);
	const browser = await signIn(partner);
	await browser.open(PATH);
	const text = textOf(browser.text);
	expect(text).toContain("más de 1.000 Fallidos");
	expect(text).toContain("Se cuentan los 1.000 más recientes.");
	expect(text).toContain("Retiro con RUT o PIN incorrecto 1.000 ");
	expect(text).toContain(
		`De los últimos 50 webhooks llegaron 0. El intento más reciente fue el 10 de marzo de ${YEAR}`,
	);
});

test("codes go by the partner's own clock, refusals by the audit's, which is real", async () => {
	const partner = await Partner.create();
	await partner.bulk(3);
	const pCode = await partner.code();
	await partner.request({ pCode, ...JUANA, serialNumber: "999999999" });
	const browser = await signIn(partner);
	expect((await browser.open(PATH)).text).not.toContain("Reloj del sandbox");
	for (const [advance, unused, ending, expired] of [
		["P12D", "4", "4", "0"],
		["P3D", "0", "0", "4"],
	] as const) {
		expect((await partner.desk("POST", "/sandbox/clock", { advance })).status).toBe(200);
		await browser.open(PATH);
		const figures = figuresOf(browser.text);
		expect([advance, figures["Sin utilizar"], figures["Expirados sin usar"]]).toEqual([
			advance,
			unused,
			expired,
		]);
		expect(figures["códigos sin utilizar cuyo plazo termina dentro de 3 días"]).toBe(ending);
		expect(textOf(browser.text)).toContain("La cédula no corresponde, está vencida o bloqueada 1");
	}
	expect(textOf(browser.text)).toContain("Reloj del sandbox: 15 días adelantado.");
});

test("the first steps tick themselves off by what the partner did, and go once all are done", {
	tags: ["console-first-steps"],
}, async () => {
	const partner = await Partner.create({ webhook_url: "https://partner.example/hook" });
	const browser = await signIn(partner);
	const done = async () => {
		await browser.open(PATH);
		const steps = [
			...browser.text.matchAll(/<span class="badge (?:good|quiet)">([^<]*)<.*?<span>([^<]*)</gs),
		];
		return steps.flatMap(([, word, says]) => (word === "Listo" ? [says] : []));
	};
	const did: unknown[] = [];
	expect(await done()).toEqual(did);
	expect(browser.text).toContain('<details class="card" open');
	expect(textOf(browser.text)).toContain("Para empezar: 0 de 6 pasos listos");
	for (const guide of ["first-pfx", "sandbox", "certificate", "webhooks", "going-live", "widget"])
		expect(browser.text).toContain(`href="/docs/es/${guide}.html"`);

	const pCode = await partner.code();
	did.push("Cree su primer código de compra");
	expect(await done()).toEqual(did);
	await partner.request({ pCode, ...JUANA });
	did.push("Valide a un titular");
	expect(await done()).toEqual(did);
	await partner.claim(pCode);
	did.push("Emita su primer certificado");
	expect(await done()).toEqual(did);
	expect(browser.text).not.toContain('<details class="card" open');
	const arrived = "UPDATE outbox SET delivered_at = ?1, last_attempt_at = ?1, last_outcome = 'delivered'";
	await execute(arrived, Date.now());
	did.push("Reciba un webhook");
	expect(await done()).toEqual(did);
	await ops("POST", `/partners/${partner.id}/keys`, { label: "from ops", scopes: ["read"] });
	expect(await done()).toEqual(did);
	await partner.desk("POST", "/keys", { label: "own", scopes: ["redeem"] });
	did.push("Cree una API key propia para producción");
	expect(await done()).toEqual(did);
	await partner.desk("PUT", "/widget", { origins: ["https://shop.example"], accent: null });
	await browser.open(PATH);
	expect(browser.text).not.toContain("Para empezar");
});

test("what needs attention comes first, the most urgent above, each with its next step", {
	tags: ["console-attention"],
}, async () => {
	const partner = await Partner.create({ mode: "B2B", webhook_url: "https://partner.example/hook" });
	expect(textOf((await (await signIn(partner)).open(PATH)).text)).toContain("Nada requiere su atención.");

	await partner.bulk(4);
	setTime(Date.now() + 12 * DAY_MS);
	const expires_at = new Date(Date.now() + 3 * DAY_MS).toISOString();
	const { body } = await ops("POST", `/partners/${partner.id}/keys`, {
		...{ label: "caja", scopes: ["read"], expires_at },
	});
	await execute(
		"UPDATE partners SET delivery_email_pending = 'a@b.example', delivery_email_pending_until = ? WHERE id = ?",
		...[Date.now() + DAY_MS, partner.id],
	);
	await execute(
		`INSERT INTO outbox (id, partner_id, code, event, channel, created_at, dead_at, delivered_at, last_attempt_at, last_outcome)
			VALUES ('d', ?1, '', 'certificate.emitted', 'webhook', ?2, ?2, NULL, ?2, 'http 503'),
				('e', ?1, '', 'certificate.emitted', 'email', ?2, NULL, ?2 + 1, ?2 + 1, 'delivered')`,
		...[partner.id, Date.now() - 1],
	);
	const browser = await signIn(partner);
	const items = async () => {
		await browser.open(PATH);
		const card = browser.text.split("Requiere su atención")[1]!.split("</section>")[0]!;
		return [...card.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = ""]) => [
			textOf(`</head>${item}`).trim().split(" ").slice(0, 4).join(" "),
			/href="([^"?]+)/.exec(item)![1],
		]);
	};
	const rest = [
		["Atención Envíos de los", "/console/deliveries"],
		["Atención Códigos sin utilizar", "/console/codes"],
		["Atención La API key", `/console/keys/${body.data.key.id}`],
		["Aviso El correo de", "/console/webhook"],
	];
	expect(await items()).toEqual([["Urgente El último webhook", "/console/webhook"], ...rest]);
	expect(textOf(browser.text)).toContain("les quedan menos de 3 días");
	const off = "UPDATE partners SET webhook_off_at = ?, webhook_off_by = 'ops' WHERE id = ?";
	await execute(off, Date.now(), partner.id);
	expect(await items()).toEqual([
		["Urgente Ningún certificado puede", "/console/webhook"],
		["Urgente El webhook está", "/console/webhook"],
		...rest,
	]);
});

test("the week's figures say how they changed against the week before", async () => {
	const partner = await Partner.create();
	await partner.bulk(5);
	setTime(Date.now() + 7 * DAY_MS);
	await partner.bulk(2);
	await partner.request({ pCode: await partner.code(), ...JUANA });
	const browser = await signIn(partner);
	const { text } = await browser.open(PATH);
	for (const said of ["3 −2 códigos creados", "1 +1 códigos validados", "0 0 certificados emitidos"])
		expect(textOf(text)).toContain(said);
});
