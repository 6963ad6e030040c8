import { HOUR_MS, MINUTE_MS } from "../../../../src/domain/durations.ts";
import { claimed } from "../../../support/codes.ts";
import "reflect-metadata";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { noteFound } from "../../../../src/db/holder-visits.ts";
import { readableTime } from "../../../../src/texts/dates.ts";
import { HOOK } from "../../../support/b2b.ts";
import { Browser, PAGE_POLICY, withoutCsrf, withoutOwnScript } from "../../../support/browser.ts";
import { passTime, setTime, until } from "../../../support/clock.ts";
import { openRegister } from "../../../support/db.ts";
import { failingFrom, interceptDb } from "../../../support/failing-db.ts";
import { codeFrom, enterRevocar } from "../../../support/holder-requests.ts";
import {
	auditOf,
	dumpRegister,
	holderMessagesOf,
	select,
	selectOfNobody,
} from "../../../support/look-inside.ts";
import { askByPost, listed, untilCrlIsBuilt } from "../../../support/pki.ts";
import { deliverMessages, useReceiver } from "../../../support/receiver.ts";
import { JUANA, ops, Partner, PEDRO, type Settings } from "../../../support/service.ts";
import { untilCallsEnd } from "../../../support/whose-work.ts";

const { receiver, queue, sent } = useReceiver();
afterEach(untilCrlIsBuilt);

/** Certificate's status by OCSP, without the reason. */
const statusByOcsp = async (serial: string) => (await askByPost([{ serial }])).statuses[0]!.split(" ")[0];

/** A certificate of JUANA at a partner of its own. */
const issue = async (settings: Settings = {}, holder?: typeof JUANA) =>
	claimed(await Partner.create(settings), "FV01", holder);

const HOLDER = { rut: JUANA.dni, email: JUANA.email };

/** Asks for a code, in a browser of its own. */
async function ask(address?: string, fields = HOLDER) {
	const browser = new Browser(address);
	await browser.open("/revocar");
	const { status, headers } = await browser.submit(fields);
	return { browser, status, headers };
}

/** Signs in and goes on to the list of certificates. */
async function signIn(browser: Browser, holder = JUANA) {
	await enterRevocar(sent, holder, browser);
	expect(browser.path).toBe("/revocar/certificado");
}

test('"my laptop was stolen": from RUT and e-mail to OCSP revoked, without calling anybody', {
	tags: ["holder-revokes"],
}, async () => {
	const { pCode, serial } = await issue({ webhook_url: HOOK, webhook_events: ["*"] });
	expect(await statusByOcsp(serial)).toBe("good");
	await until(() => queue.length === 2);
	queue.length = 0;
	const browser = new Browser();
	await signIn(browser, { ...JUANA, dni: "11.111.1111", email: "Juana@Example.cl" });
	expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
		["Juana@Example.cl", "Partner under test: código para revocar su certificado o ver sus datos"],
	]);
	expect(browser.text).toContain(serial);
	await browser.open(`/revocar/certificado?listo=${serial}`);
	expect(browser.text).not.toContain("quedó revocado");
	for (const [fields, says] of [
		[{ serial, why: "lost" }, "Marque la casilla"],
		[{ serial, why: "toString", understood: "1" }, "Elija un motivo"],
	] as const) {
		await browser.submit(fields);
		expect([browser.status, browser.text]).toEqual([400, expect.stringContaining(says)]);
	}
	await browser.submit({ serial, why: "lost", understood: "1" });
	expect([browser.status, browser.text]).toEqual([
		200,
		expect.stringMatching(
			/El certificado quedó revocado.*en menos de un minuto.*Para tener otro, contacte a Partner under test\./s,
		),
	]);
	expect((await listed(serial)).reason).toBe(1);
	passTime(MINUTE_MS);
	expect(await statusByOcsp(serial)).toBe("revoked");
	const { certificate } = (await ops("GET", `/certificates/${serial}`)).body.data;
	expect(certificate.revocation_reason).toBe("keyCompromise");

	expect((await auditOf(pCode)).at(-1)).toBe(`revoke ${serial} keyCompromise`);
	const [{ actor }] = (await select(
		"SELECT actor FROM audit_events ORDER BY at DESC, version DESC LIMIT 1",
	)) as [{ actor: string }];
	expect(actor).toMatch(/^holder:rv_[0-9a-f]{32}$/);
	const messages = await holderMessagesOf(pCode);
	await deliverMessages(messages.at(-1)!.id);
	expect(sent.at(-1)!.subject).toBe("Partner under test: se revocó su certificado digital");
	expect(sent.at(-1)!.text).toContain("Por: usted, con un código enviado a este correo");
	await until(() => queue.length === 1);
	await deliverMessages(queue[0]!.id);
	expect(receiver.bodies).toEqual([
		{
			type: "certificate.revoked",
			timestamp: expect.any(String),
			data: {
				p_code: pCode,
				referenceId: JUANA.referenceId,
				serialNumber: serial,
				reason: "keyCompromise",
				revoked_at: certificate.revoked_at,
				revoked_by: "holder",
			},
		},
	]);
	await browser.send("/revocar/fin", { csrf: browser.csrf });
	await browser.open("/revocar/certificado");
	expect(browser.status).toBe(303);
});

test("certificates of every partner are found, none of another e-mail, and nothing of the holder is stored for it", {
	tags: ["holder-across-partners"],
}, async () => {
	const [first, second] = [await issue(), await issue()];
	const other = await issue({}, { ...JUANA, email: "other@example.cl" });
	const pedro = await issue({}, PEDRO);
	const browser = new Browser();
	await signIn(browser);
	expect(browser.text).toContain(first.serial);
	expect(browser.text).toContain(second.serial);
	expect(browser.text).not.toContain(other.serial);
	expect(browser.text).not.toContain(pedro.serial);
	expect(browser.text).not.toMatch(/<input[^>]+name="serial"[^>]+checked/);
	expect(sent.at(-1)!.html).not.toContain("Vendido por");
	const dump = await dumpRegister();
	for (const secret of [JUANA.dni, JUANA.email, "11111111", (await codeFrom(sent)).replaceAll(" ", "")])
		expect(dump).not.toContain(secret);

	await browser.submit({ serial: other.serial, why: "lost", understood: "1" });
	expect([browser.status, browser.text]).toEqual([400, expect.stringContaining("Elija un certificado.")]);
	expect(await statusByOcsp(other.serial)).toBe("good");
});

describe("who has no certificate in force learns nothing, and may guess nothing", () => {
	test("unknown RUT, another e-mail, of another holder: the answer of a match, byte by byte, and no e-mail", {
		tags: ["holder-same-answer"],
	}, async () => {
		await issue();
		const answers: unknown[] = [];
		for (const fields of [
			HOLDER,
			{ rut: "12345678-5", email: JUANA.email },
			{ rut: JUANA.dni, email: "eva@example.cl" },
			{ rut: PEDRO.dni, email: JUANA.email },
		]) {
			const { browser, status, headers } = await ask(undefined, fields);
			expect(status).toBe(303);
			const { text } = await browser.submit({ code: "000000000000" });
			answers.push([Object.keys(Object.fromEntries(headers)), withoutCsrf(text)]);
		}
		expect(answers.slice(1)).toEqual(answers.slice(1).map(() => answers[0]));
		await untilCallsEnd();
		expect(sent).toHaveLength(1);
	});

	test("five wrong codes end the visit: the right one comes too late", {
		tags: ["holder-limits"],
	}, async () => {
		await issue();
		const { browser } = await ask();
		const code = await codeFrom(sent);
		for (let left = 4; left > 0; left--) {
			await browser.submit({ code: "000000000000" });
			expect(browser.text).toContain(`Intentos que quedan: ${left}.`);
		}
		await browser.submit({ code: "000000000000" });
		expect(browser.status).toBe(410);
		await browser.open("/revocar/codigo");
		await browser.submit({ code });
		expect(browser.status).toBe(410);
		// Who asks again has five tries again.
		await browser.open("/revocar");
		await browser.submit(HOLDER);
		await browser.submit({ code: "000000000000" });
		expect(browser.text).toContain("Intentos que quedan: 4.");
	});

	test("a visit waits fifteen minutes for its code, its proof holds half an hour, and another browser has neither", async () => {
		const { serial } = await issue();
		const { browser } = await ask();
		const thief = new Browser();
		const code = await codeFrom(sent);
		await thief.open("/revocar/codigo");
		await thief.submit({ code });
		expect(thief.status).toBe(410);
		passTime(15 * MINUTE_MS);
		await browser.submit({ code });
		expect(browser.status).toBe(410);
		sent.length = 0;
		await signIn(browser);
		passTime(30 * MINUTE_MS);
		await browser.submit({ serial, why: "lost", understood: "1" });
		expect(browser.status).toBe(410);
		expect(await statusByOcsp(serial)).toBe("good");
	});

	test("with an expired certificate there is nothing to revoke; once its holder is erased no code is sent", async () => {
		const { serial } = await issue();
		passTime(366 * 24 * HOUR_MS);
		const list = new Browser();
		await signIn(list);
		expect([list.text.includes(serial), list.text.includes('href="/revocar/datos"')]).toEqual([false, true]);
		await env.DB_2.prepare("DELETE FROM holders").run();
		await env.DB.prepare("DELETE FROM holder_visits").run();
		sent.length = 0;
		const { browser } = await ask();
		expect(browser.path).toBe("/revocar/codigo");
		await untilCallsEnd();
		expect(sent).toEqual([]);
		// A result for an earlier question of the browser must not become this one's.
		const [visit] = await selectOfNobody("SELECT token_hash FROM holder_visits");
		await noteFound(openRegister(env.DB), { tokenHash: visit!.token_hash, id: "rv_before" }, []);
		expect(await selectOfNobody("SELECT found FROM holder_visits")).toEqual([{ found: null }]);
	});
});

describe("a mailbox is not flooded, and nobody is kept from revoking", () => {
	test("a code comes three times in six hours, whoever asks, and works for its holder all the same, once", {
		tags: ["holder-limits"],
	}, async () => {
		await issue();
		setTime(new Date().setUTCHours(12, 5, 0, 0));
		for (let i = 0; i < 12; i++) expect((await ask(`192.0.2.${i}`)).status).toBe(303);
		await untilCallsEnd();
		expect(sent).toHaveLength(3);
		expect(sent[0]!.text).toContain(readableTime(new Date().setUTCHours(18, 0, 0, 0), "es"));
		const codes = new Set(sent.map(({ text }) => /\b(\d{4} \d{4} \d{4})\b/.exec(text)![1]!));
		expect(codes.size).toBe(1);
		const [code] = [...codes] as [string];

		passTime(5 * HOUR_MS);
		const [late, own] = [
			await ask("192.0.2.100"),
			await ask("192.0.2.101", { ...HOLDER, email: "Juana@Example.cl" }),
		];
		await untilCallsEnd();
		await own.browser.submit({ code });
		expect(own.browser.path).toBe("/revocar/certificado");
		await late.browser.submit({ code });
		expect([late.browser.status, sent.length]).toEqual([410, 3]);

		const next = await ask("192.0.2.101");
		await until(() => sent.length === 4);
		const other = await codeFrom(sent);
		expect(other).not.toBe(code);
		await next.browser.submit({ code });
		expect(next.browser.text).toContain("Intentos que quedan: 4.");
		await next.browser.submit({ code: other });
		expect(next.browser.path).toBe("/revocar/certificado");

		passTime(HOUR_MS);
		await ask("192.0.2.101");
		await until(() => sent.length === 5);
		expect([code, other]).not.toContain(await codeFrom(sent));
	});

	test("twenty an hour for an address, matching or not, and no other address", {
		tags: ["holder-limits"],
	}, async () => {
		setTime(new Date().setUTCHours(12, 5, 0, 0));
		const browser = new Browser("192.0.2.1");
		await browser.open("/revocar");
		const { csrf } = browser;
		for (let i = 0; i < 20; i++) {
			const email = `a${i}@example.cl`;
			expect((await browser.send("/revocar", { ...HOLDER, email, csrf })).status).toBe(303);
		}
		const { status, headers } = await ask("192.0.2.1");
		expect([status, headers.get("retry-after")]).toEqual([429, String(55 * 60)]);
		expect((await ask("192.0.2.2")).status).toBe(303);
	});
});

test("an outage shows a page with a way to try the step again, in the language that was chosen, which stays", async () => {
	const { serial } = await issue();
	const browser = new Browser();
	await browser.open("/revocar", { "accept-language": "fr" });
	expect(browser.text).toContain('<html lang="es">');
	await browser.open("/revocar", { "accept-language": "en-GB,en;q=0.9" });
	expect(browser.text).toContain('<html lang="en">');
	await browser.open("/revocar?lang=en");
	await failingFrom(1, "is lost", () => browser.submit({ rut: JUANA.dni, email: JUANA.email }));
	expect([browser.status, browser.text]).toEqual([
		503,
		expect.stringContaining('<a class="button" href="/revocar?lang=en">Try again</a>'),
	]);
	await browser.open("/revocar?lang=en");
	await browser.submit({ rut: "12345678-5", email: "a@example.cl" });
	const typed = [browser.path, browser.text];
	expect(typed).toEqual(["/revocar/codigo?lang=en", expect.stringContaining("Enter the code")]);
	await signIn(browser);
	await failingFrom(1, "is lost", () => browser.open("/revocar/certificado"));
	expect([browser.status, browser.text]).toEqual([
		503,
		expect.stringContaining('href="/revocar/certificado">Intentar de nuevo</a>'),
	]);
	await browser.open("/revocar/certificado");
	const forget = async (_: number, deliver: () => Promise<unknown>, sql: string) => {
		if (/^select .* from "certificates"/i.test(sql))
			await env.DB_2.prepare("DELETE FROM certificates WHERE serial = ?").bind(serial).run();
		return deliver();
	};
	await interceptDb(forget, () => browser.submit({ serial, why: "lost", understood: "1" }));
	expect([browser.status, browser.text]).toEqual([
		404,
		expect.stringMatching(
			/No encontramos ese certificado en nuestro registro.*Contacte a Partner under test:/s,
		),
	]);
});

test("a form of another site, a stranger's and an old one are refused; what is typed stays text, framed and cached by nobody", async () => {
	const [browser, other] = [new Browser(), new Browser()];
	await browser.open("/revocar");
	await other.open("/revocar");
	const typed = `"><script>alert(1)</script>`;
	const fields = { rut: JUANA.dni, email: JUANA.email };
	for (const csrf of ["", other.csrf, "x".repeat(43)])
		for (const step of ["", "/codigo", "/certificado", "/fin", "/datos/borrar", "/datos/solicitud"]) {
			const { status } = await browser.send(`/revocar${step}`, { ...fields, csrf });
			expect([step, status]).toEqual([step, 403]);
		}
	expect((await new Browser().send("/revocar", { ...fields, csrf: browser.csrf })).status).toBe(403);
	const form = { rut: typed, email: typed, csrf: browser.csrf };
	const { headers, text } = await browser.send("/revocar", form);
	expect(withoutOwnScript(text)).not.toContain("<script");
	expect(text).toContain("&quot;&gt;&lt;script&gt;");
	expect(headers.get("content-security-policy")).toMatch(PAGE_POLICY);
	expect(headers.get("cache-control")).toBe("no-store");
	expect(headers.get("referrer-policy")).toBe("no-referrer");
	expect(browser.setCookie).toMatch(/; HttpOnly; SameSite=Strict$/);
	expect(await selectOfNobody("SELECT 1 FROM holder_visits")).toEqual([]);
});
