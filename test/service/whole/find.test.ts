import { beforeEach, describe, expect, test } from "vitest";
import { act, linkOf, signIn, textOf } from "../../support/console.ts";
import { execute } from "../../support/db.ts";
import { dumpRegister, select } from "../../support/look-inside.ts";
import { actOps, signInOps } from "../../support/ops-console.ts";
import { emitted } from "../../support/pki.ts";
import { holdQueue } from "../../support/receiver.ts";
import { freshService, JUANA, Partner } from "../../support/service.ts";

/* The search that stands on every page of both consoles. */

beforeEach(freshService);
beforeEach(() => void holdQueue());

/** Gives a partner's codes a reference, all of them or the newest. */
async function refer({ id }: Partner, reference: string, newest = 1_000): Promise<void> {
	await execute(
		`UPDATE purchase_codes SET external_reference_id = ?1
			WHERE partner_id = ?2 AND seq > (SELECT max(seq) - ?3 FROM purchase_codes WHERE partner_id = ?2)`,
		...[reference, id, newest],
	);
}

describe("a partner finds", () => {
	/** Texts that name a thing of the partner's each, and where they lead. */
	async function waysTo(partner: Partner) {
		const { pCode, serial } = await emitted(partner, JUANA);
		await partner.bulk(3, "FV02");
		const [code] = (await partner.bulk(1)).body.data.pcodes as [string];
		await refer(partner, `pedido ñ 'ab"%_${partner.id}`, 1);
		const [batch] = await select("SELECT batch_id AS id FROM purchase_codes WHERE code = ?", code);
		const symbols = code.replaceAll("-", "");
		const certificate = `/console/certificates/${serial}`;
		return [
			[code, `/console/codes/${code}`],
			[symbols.toLowerCase(), `/console/codes/${code}`],
			[`  ${symbols.replaceAll("0", "o").replaceAll("1", "l")} `, `/console/codes/${code}`],
			[code.slice(0, 7).toLowerCase(), `/console/codes/${code}`],
			[code.slice(0, 4), `/console/codes/${code}`],
			[`pedido ñ 'ab"%_${partner.id}`, `/console/codes/${code}`],
			[`${batch!.id}`.toUpperCase(), `/console/codes?batch_id=${batch!.id}`],
			[pCode, `/console/codes/${pCode}`],
			[serial.toLowerCase().replaceAll(/(..)(?=.)/g, "$1:"), certificate],
			["11.111.111-1", certificate],
			["111111111", certificate],
		] as const;
	}

	test("a thing by every text that names it, and nothing of another partner's", {
		tags: ["console-find"],
	}, async () => {
		const [partner, other] = [await Partner.create({ mode: "B2B" }), await Partner.create({ mode: "B2B" })];
		const [browser, stranger] = [await signIn(partner), await signIn(other)];
		for (const [text, arrived] of await waysTo(partner)) {
			const { headers } = await act(browser, "/console/find", [["q", text]]);
			expect([text, headers.get("location")]).toEqual([text, arrived]);
			const foreign = await act(stranger, "/console/find", [["q", text]]);
			expect([text, foreign.headers.get("location")]).toEqual([text, "/console/find"]);
			expect(textOf(stranger.led)).toContain(`No se encontró nada con “${text.trim()}”.`);
		}
		// What is of both leads each to its own.
		await waysTo(other);
		const { headers } = await act(stranger, "/console/find", [["q", "11.111.111-1"]]);
		const [own] = await select("SELECT serial FROM certificates WHERE partner_id = ?", other.id);
		expect(headers.get("location")).toBe(`/console/certificates/${own!.serial}`);
	});

	test("several things: ten of a kind, and the way to the whole list", {
		tags: ["console-find"],
	}, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		for (let i = 0; i < 2; i++) await emitted(partner, JUANA);
		await partner.bulk(11);
		await refer(partner, "campana");
		const browser = await signIn(partner);
		const found = await act(browser, "/console/find", [["q", "campana"]]);
		expect(found.headers.get("location")).toBe("/console/find");
		expect(browser.led.match(/<th scope="row">/g)).toHaveLength(10);
		expect(textOf(browser.led)).toMatch(
			/Códigos con esta referencia .* Se muestran 10; hay más\. Ver la lista/,
		);
		const { text } = await browser.open(linkOf(browser.led, "Ver la lista completa"));
		expect(textOf(text)).toContain("Códigos con estos filtros: 13.");
		await act(browser, "/console/find", [["q", JUANA.dni]]);
		expect(browser.led.match(/<th scope="row">/g)).toHaveLength(2);
		const addresses = [...browser.led.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, address]) => address!);
		for (const text of [...addresses, browser.setCookie, await dumpRegister()])
			expect(text).not.toMatch(/11\.?111\.?111/);
		expect(textOf(browser.led)).toContain("Certificados de este RUT");
		// Four symbols at least, and never a pattern.
		const { headers } = await act(browser, "/console/find", [["q", "7K3"]]);
		expect(headers.get("location")).toBe("/console/find");
	});

	test("nothing by what names nothing, which is shown as text", {
		tags: ["console-find", "console-hostile"],
	}, async () => {
		const partner = await Partner.create();
		await partner.bulk(2);
		const browser = await signIn(partner);
		const img = `"><img src=x onerror=alert(1)>`;
		for (const text of ["' OR 1=1 --", "bt_%", "____", "a".repeat(4_000), img, "11111111-2", "\u0000", ""]) {
			const { status, headers } = await act(browser, "/console/find", [["q", text]]);
			expect([text, status, headers.get("location")]).toEqual([text, 303, "/console/find"]);
			expect(textOf(browser.led)).toMatch(text === "" ? /¿Qué busca\?/ : /No se encontró nada con/);
			expect(browser.led).not.toMatch(/<img src=x|<th scope="row">/);
		}
	});
});

describe("ops find", () => {
	test("a partner by id and the beginning of its name, a code, a serial, and no holder", async () => {
		const partner = await Partner.create({ mode: "B2B", name: "Notaría Ñuñoa" });
		await Partner.create({ name: "Notaría Providencia" });
		const { pCode, serial } = await emitted(partner, JUANA);
		const browser = await signInOps();
		for (const [text, arrived] of [
			[partner.id, `/partners/${partner.id}`],
			["notaría ñuñoa".replace("ñ", "Ñ"), `/partners/${partner.id}`],
			[pCode.toLowerCase(), `/codes/${pCode}`],
			[pCode.slice(0, 6), `/codes/${pCode}`],
			[serial.toLowerCase(), `/certificates/${serial}`],
			["NOTARÍA".replace("Í", "í"), "/find"],
			["11.111.111-1", "/find"],
			["' OR 1=1 --", "/find"],
			["", "/find"],
		] as const) {
			const { headers } = await actOps(browser, "/find", [["q", text]]);
			expect([text, headers.get("location")]).toEqual([text, `/ops/console${arrived}`]);
		}
		await actOps(browser, "/find", [["q", "NOTAR"]]);
		for (const name of ["Notaría Ñuñoa", "Notaría Providencia"]) expect(textOf(browser.led)).toContain(name);
		const within =
			(await actOps(browser, "/find", [["q", "nunoa"]])) && linkOf(browser.led, "dentro de los nombres");
		const { text } = await browser.open(within);
		expect([text.includes("Notaría Ñuñoa"), text.includes("Providencia")]).toEqual([true, false]);
		for (const rut of ["11.111.111-1", "11.111.111-2"]) {
			await actOps(browser, "/find", [["q", rut]]);
			expect(linkOf(browser.led, "Ir a los titulares")).toBe("/ops/console/holders");
			expect(browser.led).not.toContain(serial);
			expect(browser.led).not.toMatch(/(href|action)="[^"]*11\.?111/);
		}
		for (let i = 0; i < 11; i++) await Partner.create({ name: `Banco ${i}`, database: 1 + (i % 2) });
		await actOps(browser, "/find", [["q", "banco"]]);
		expect(textOf(browser.led)).toContain("Se muestran 10; hay más.");
	});
});
