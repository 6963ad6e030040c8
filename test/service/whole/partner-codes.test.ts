import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withoutOwnScript } from "../../support/browser.ts";
import { setTime, yearOfNext } from "../../support/clock.ts";
import { activeCode } from "../../support/codes.ts";
import { act, linkOf, signIn, textOf, tripsOf } from "../../support/console.ts";
import { interceptDb } from "../../support/failing-db.ts";
import { auditOf, select } from "../../support/look-inside.ts";
import { withinOneMinute } from "../../support/one-minute.ts";
import { emitted, untilCrlIsBuilt } from "../../support/pki.ts";
import { freshService, JUANA, ops, Partner } from "../../support/service.ts";

beforeAll(freshService);

const HOSTILE = `"><img src=x onerror=alert(1)>`;

describe("the list of codes", () => {
	test("has the API's filters and pages, in three trips at most", { tags: ["console-codes"] }, async () => {
		const partner = await Partner.create();
		await (await Partner.create()).bulk(2);
		await partner.bulk(120);
		const pCode = await partner.code("FV02");
		await partner.request({ pCode, ...JUANA, referenceId: HOSTILE });
		const browser = await signIn(partner);
		for (const query of [
			"",
			"?status=sin_utilizar&page=3",
			"?status=&external_reference_id=&page=2",
			"?limit=500",
		])
			expect(await tripsOf(browser, `/console/codes${query}`), query).toBeLessThanOrEqual(3);
		const { text } = await browser.open("/console/codes?status=sin_utilizar&page=2");
		expect(textOf(text)).toMatch(/Códigos con estos filtros: 120\..*Página 2 de 3/);
		expect(linkOf(text, "Siguiente")).toBe("/console/codes?status=sin_utilizar&page=3");
		// A page after the last leads to the last.
		for (const [status, asked, last] of [
			["sin_utilizar", 999, 3],
			["anulado", 2, 1],
		] as const) {
			const { headers } = await browser.open(`/console/codes?status=${status}&page=${asked}`);
			expect(headers.get("location")).toBe(`/console/codes?status=${status}&page=${last}`);
		}
		const found = await browser.open(`/console/codes?external_reference_id=${encodeURIComponent(HOSTILE)}`);
		expect(linkOf(found.text, pCode)).toBe(`/console/codes/${pCode}`);
		expect(textOf(found.text)).toContain(HOSTILE);
		expect(withoutOwnScript(found.text)).not.toContain("<img");
	});

	test("by product, either way, in pages of the size asked for, under an address that can be shared", {
		tags: ["console-codes"],
	}, async () => {
		const partner = await Partner.create();
		for (const [n, product] of [
			[2, "FV02"],
			[70, "FV01"],
			[3, "FV02"],
		] as const)
			await partner.bulk(n, product);
		const newestFirst = (await partner.list("?limit=100")).body.data.pcodes as {
			pcode: string;
			category: number;
		}[];
		const codesIn = (text: string) =>
			Array.from(text.matchAll(/<code[^>]*>([\w-]{19})<\/code>/g), ([, code]) => code);
		const browser = await signIn(partner);
		const query = "?product_code=FV02&sort=oldest&limit=2";
		for (const [page, from, to] of [
			[1, 0, 2],
			[2, 2, 4],
			[3, 4, 5],
		] as const) {
			expect(await tripsOf(browser, `/console/codes${query}&page=${page}`)).toBeLessThanOrEqual(3);
			const ofProduct = newestFirst.filter(({ category }) => category === 2).toReversed();
			expect(codesIn(browser.text)).toEqual(ofProduct.slice(from, to).map(({ pcode }) => pcode));
			expect(textOf(browser.text)).toMatch(/Códigos con estos filtros: 5\..*Página \d de 3/);
		}
		// The jump keeps the filters, and the file has the selection without order and pages.
		const jump = browser.text.match(/<form[^>]*>(?:(?!<\/form>).)*name="page".*?<\/form>/s)![0];
		for (const field of [
			'name="product_code" value="FV02"',
			'name="sort" value="oldest"',
			'name="limit" value="2"',
		])
			expect(jump).toContain(field);
		const file = linkOf(browser.text, "Descargar como CSV");
		expect(file).toBe("/console/codes?product_code=FV02&format=csv");
		expect((await browser.open(file)).text.match(/;FV02;/g)).toHaveLength(5);
		await browser.open("/console/codes?sort=oldest&status=sin_utilizar&limit=100");
		expect(codesIn(browser.text)).toEqual(newestFirst.map(({ pcode }) => pcode).reverse());
	});

	test("a date field is a day of Chile, also where the clocks change", {
		tags: ["console-codes"],
	}, async () => {
		const partner = await Partner.create();
		const year = yearOfNext("04-02");
		const sunday = 2 + ((7 - new Date(Date.UTC(year, 3, 2)).getUTCDay()) % 7);
		const [day, next] = [`${year}-04-0${sunday}`, `${year}-04-0${sunday + 1}`];
		// The Sunday on which Chile's clocks have just gone back, with codes just before, at its beginning, at its end and just after.
		for (const [time, quantity] of [
			[`${day}T03:59:59.999Z`, 1],
			[`${day}T04:00:00.000Z`, 2],
			[`${next}T03:59:59.999Z`, 4],
			[`${next}T04:00:00.000Z`, 1],
		] as const) {
			setTime(Date.parse(time));
			await partner.bulk(quantity);
		}
		const browser = await signIn(partner);
		const to = day.split("-").reverse().join("-");
		const filtered = await browser.open(`/console/codes?created_from=${day}&created_to=${to}`);
		expect(textOf(filtered.text)).toContain("filtros: 6.");
		// A moment, as the overview links to, is shown as its day.
		const { text } = await browser.open(`/console/codes?created_to=${next}T02:00:00Z`);
		for (const page of [filtered.text, text]) expect(page).toContain(`type="date" value="${day}"`);
	});

	test("a filter that is not understood is named by its label, and none is applied", async () => {
		const partner = await Partner.create();
		await partner.bulk(2);
		const browser = await signIn(partner);
		const { text } = await browser.open(
			`/console/codes?status=nope&created_from=${encodeURIComponent(HOSTILE)}`,
		);
		expect(textOf(text)).toContain(
			"Estado: Elija uno de la lista. Creado desde: Revise la fecha: use DD-MM-AAAA.",
		);
		expect(textOf(text)).toContain("Códigos con estos filtros: 2.");
		expect(withoutOwnScript(text)).not.toContain("<img");
		const reversed = await browser.open("/console/codes?created_from=2027-01-01&created_to=2026-01-01");
		expect(textOf(reversed.text)).toContain("Creado desde: La fecha inicial no puede ser");
	});

	test("the file is the API's, as Excel in Chile opens it", async () => {
		const partner = await Partner.create();
		await partner.bulk(3);
		await partner.bulk(2);
		const browser = await signIn(partner);
		const { text } = await browser.open("/console/codes?status=sin_utilizar");
		const file = await browser.open(linkOf(text, "Descargar como CSV"));
		expect(file.headers.get("content-type")).toContain("text/csv");
		const api = await partner.get("/api/partner/v1/pcodes?status=sin_utilizar", { accept: "text/csv" });
		const cells = (text: string, separator: string) =>
			text.split("\r\n").map((line) => line.split(separator));
		const inChile = (time: string) => {
			const form = { timeZone: "America/Santiago", dateStyle: "short", timeStyle: "medium" } as const;
			const [day, clock] = new Intl.DateTimeFormat("sv", form).format(Date.parse(time)).split(" ");
			return `${day!.split("-").toReversed().join("-")} ${clock}`;
		};
		expect(cells(file.text, ";")).toEqual(
			cells(api.text, ",").map((row) =>
				row.map((cell) => {
					if (cell === "category") return "product";
					if (cell === "1") return "FV01";
					return /^\d{4}-.*Z$/.test(cell) ? inChile(cell) : cell;
				}),
			),
		);
		expect(file.text).toMatch(/^pcode;partnerName;product;status;.*\r\n/);
	});
});

describe("an order of codes", () => {
	beforeEach(freshService);
	const order = (quantity: string, product = "FV01"): [string, string][] => [
		["order", crypto.randomUUID()],
		["product", product],
		["quantity", quantity],
	];

	test("of 1,200 makes three batches; it goes on where it broke off, and sent again makes nothing", {
		tags: ["console-order"],
	}, async () => {
		const partner = await Partner.create();
		const browser = await signIn(partner);
		const fields = order("1200");
		let inserts = 0;
		const stopped = await interceptDb(
			(_, deliver, sql) => {
				const second = /INSERT INTO batches/.test(sql) && ++inserts === 2;
				return second ? Promise.reject(new Error("D1_ERROR: Network connection lost.")) : deliver();
			},
			() => act(browser, "/console/codes/orders", fields),
		);
		expect(stopped.status, stopped.text).toBe(303);
		const path = stopped.headers.get("location")!;
		await browser.open(path);
		expect(textOf(browser.text)).toContain("500 de 1.200 códigos creados.");
		expect(browser.text).toContain(`<progress value="500" max="1200"`);
		await act(browser, "/console/codes/orders", fields);
		await browser.open(path);
		expect(textOf(browser.text)).toContain("1.200 de 1.200 códigos creados.");
		const again = await act(browser, "/console/codes/orders", fields);
		expect(again.headers.get("location")).toBe(path);
		const batches = await select(
			"SELECT last_seq - first_seq + 1 AS n FROM batches WHERE partner_id = ?",
			partner.id,
		);
		expect(batches.map(({ n }) => n)).toEqual([500, 500, 200]);
		expect(await tripsOf(browser, path)).toBe(2);
		expect(textOf(browser.text)).toContain("Producto FV01: 1 año Lotes 3 ");
		const other = await signIn(await Partner.create());
		expect((await other.open(path)).status).toBe(404);
	});

	test("of up to 500 is headed by its batch and shows each of its codes, no other partner's; its file bears its name", async () => {
		const partner = await Partner.create();
		await partner.bulk(2);
		const browser = await signIn(partner);
		const made = await act(browser, "/console/codes/orders", order("500", "FV00"));
		expect(await tripsOf(browser, made.headers.get("location")!)).toBe(2);
		const [, shown = ""] = /<pre class="secret codes" id="codes">([^<]*)</.exec(browser.text) ?? [];
		const [{ id }] = (await select("SELECT id FROM batches WHERE last_seq > 2")) as [{ id: string }];
		expect(textOf(browser.text)).toContain(`Producto FV00: 30 días Lote ${id} `);
		const file = linkOf(browser.text, "CSV");
		const { pcodes } = (await partner.list("?limit=500")).body.data;
		expect(shown.split("\n")).toEqual(pcodes.map(({ pcode }: { pcode: string }) => pcode));
		const larger = await act(browser, "/console/codes/orders", order("501"));
		expect((await browser.open(larger.headers.get("location")!)).text).not.toContain('id="codes"');
		const { headers } = await browser.open(file);
		expect(headers.get("content-disposition")).toBe(`attachment; filename="pcodes-${id}.csv"`);
	});

	test("of none, too many or a half, of an unknown product or one not enabled, by a key without `codes`: refused, and makes nothing", async () => {
		const partner = await Partner.create({ allowed_products: ["FV01"] });
		const browser = await signIn(partner);
		for (const [quantity, product, status] of [
			["0", "FV01", 400],
			["5001", "FV00", 400],
			["1.5", "FV01", 400],
			["2", "FV09", 400],
			["2", "FV03", 403],
		] as const) {
			const answer = await act(browser, "/console/codes/orders", order(quantity, product));
			expect([answer.status, answer.headers.get("content-type")]).toEqual([
				status,
				"text/html; charset=UTF-8",
			]);
			if (product === "FV01" || product === "FV00") {
				expect(textOf(answer.text)).toContain("Cuántos: Escriba un número entero de 1 a 5.000.");
				expect(answer.text).toContain(`<option value="${product}" selected="">`);
			}
			expect(answer.text).not.toContain("quantity debe");
			expect(await select("SELECT * FROM batches")).toEqual([]);
		}
		const wanted = { label: "ajustes", scopes: ["manage"] };
		const { body } = await ops("POST", `/partners/${partner.id}/keys`, wanted);
		const other = await signIn(partner, body.data.api_key);
		expect((await act(other, "/console/codes/orders", order("1"))).status).toBe(403);
		expect(await select("SELECT * FROM batches")).toEqual([]);
	});

	test("counts among the batches of a minute", async () => {
		const answer = await withinOneMinute(async () => {
			const partner = await Partner.create();
			for (let i = 0; i < 30; i++) await partner.bulk(1);
			return act(await signIn(partner), "/console/codes/orders", order("1"));
		});
		expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "60"]);
	});
});

describe("a code", () => {
	test("its facts, certificate and history, and what to do next", { tags: ["console-code"] }, async () => {
		const { partner, pCode } = await activeCode();
		const browser = await signIn(partner);
		const path = `/console/codes/${pCode}`;
		expect(await tripsOf(browser, path)).toBe(2);
		expect(textOf(browser.text)).toMatch(/Valide al titular .* Intentos antes de un bloqueo: 3\./);
		await partner.request({ pCode, ...JUANA, serialNumber: "999999999" });
		await partner.request({ pCode, ...JUANA });
		await browser.open(path);
		expect(textOf(browser.text)).toMatch(/Retire el certificado .* VALIDATED .* validado/);
		await partner.claim(pCode);
		expect(await tripsOf(browser, `${path}?lang=en`)).toBe(2);
		const text = textOf(browser.text);
		expect(text).toMatch(/the certificate is issued and valid until .* EMITTED/);
		expect(text).toMatch(/Created .* You \(key_\w+\) .* Validation failed The card .* Certificate issued/);
		for (const personal of [JUANA.dni, JUANA.email, "PÉREZ"]) expect(browser.text).not.toContain(personal);
	});

	test("is cancelled with a reason by who is sure of it", async () => {
		const { partner, pCode } = await activeCode();
		const browser = await signIn(partner);
		const path = `/console/codes/${pCode}`;
		await browser.open(path);
		for (const fields of [
			[["reason", "returned"]],
			[["cancel", "sure"]],
			[
				["reason", "x".repeat(129)],
				["cancel", "sure"],
			],
		] as [string, string][][]) {
			const { status, text } = await act(browser, `${path}/cancel`, fields);
			expect([status, textOf(text)]).toEqual([400, expect.stringContaining("No cambió nada")]);
		}
		expect(await partner.status(pCode)).toBe("ACTIVE");
		expect(textOf((await browser.open(`${path}?done=cancel`)).text)).not.toContain("quedó anulado");
		const done = await act(browser, `${path}/cancel`, [
			["reason", HOSTILE],
			["cancel", "sure"],
		]);
		expect(done.headers.get("location")).toBe(`${path}?done=cancel`);
		expect(await auditOf(pCode)).toEqual([`cancel ${HOSTILE}`]);
		const { text } = await browser.open(`${path}?done=cancel`);
		expect(textOf(text)).toMatch(/El código quedó anulado\. .*el código está anulado/);
		expect(textOf(text)).toContain(HOSTILE);
		expect(withoutOwnScript(text)).not.toContain("<img");
	});

	test("its certificate is revoked and the code stays", async () => {
		const { partner, pCode, serial } = await emitted();
		const browser = await signIn(partner);
		const path = `/console/codes/${pCode}`;
		await browser.open(path);
		const its = `/console/certificates/${serial}`;
		expect(browser.text).toContain(`action="${its}/revoke"`);
		expect(linkOf(browser.text, serial)).toBe(its);
		await browser.open(its);
		expect(textOf(browser.text)).toMatch(new RegExp(`Vigente Código ${pCode} .*certificate\\.emitted`));
		await browser.open(linkOf(browser.text, "Comprobante"));
		expect(textOf(browser.text)).toMatch(new RegExp(`JUANA.*${serial}`));
		expect(browser.text).not.toContain(JUANA.dni);
		await browser.open(its);
		const fields: [string, string][] = [["revocation", "superseded"]];
		expect((await act(browser, `${its}/revoke`, fields)).status).toBe(400);
		const done = await act(browser, `${its}/revoke`, [...fields, ["revoke", "sure"]]);
		expect(done.headers.get("location")).toBe(`${its}?done=revoke`);
		const { text } = await browser.open(`${its}?done=revoke`);
		expect(textOf(text)).toMatch(/El certificado quedó revocado\. .*Reemplazado por otro certificado/);
		expect(text).not.toContain('/revoke"');
		expect(textOf((await browser.open(path)).text)).toContain("EMITTED");
		await untilCrlIsBuilt();
	});
});
