import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { DAY_MS } from "../../../src/domain/durations.ts";
import { platformOf } from "../../../src/platform.ts";
import { Browser } from "../../support/browser.ts";
import { REGISTER } from "../../support/db.ts";
import { select } from "../../support/look-inside.ts";
import type { Answer } from "../../support/service.ts";
import { untilCallsEnd } from "../../support/whose-work.ts";
import type { Fixture } from "./fixture.ts";
import type { UseCase } from "./use-cases.ts";

/* A holder's forms at /revocar, and the link of `/correo`. A target is the code of a certificate, by which its browser is looked up. */

const browsers = new Map<string, Browser>();
const addresses = { used: 0 };

/** A holder of an issued certificate before the first form. */
const atStart: UseCase["ready"] = async (fixture, partner) => {
	const pCode = await fixture.emitted(partner);
	const number = addresses.used++;
	const browser = new Browser(`10.0.${number >> 8}.${number & 255}`);
	await browser.open("/revocar");
	browsers.set(pCode, browser);
	return pCode;
};

/** One that has been sent its code. */
const atCode: UseCase["ready"] = async (fixture, partner) => {
	const pCode = await atStart(fixture, partner);
	const sent = fixture.emails.length;
	await ask(fixture, pCode);
	await vi.waitUntil(() => fixture.emails.length > sent);
	return pCode;
};

const atList: UseCase["ready"] = async (fixture, partner) => {
	const pCode = await atCode(fixture, partner);
	await enter(fixture, pCode);
	return pCode;
};

function send(fixture: Fixture, pCode: string, step: string, fields: Record<string, string>) {
	const browser = browsers.get(pCode)!;
	const path = `/revocar${step}`;
	const act = () => browser.send(path, { csrf: browser.csrf, ...fields });
	const what = fields.serial ? `POST /certificates/${fields.serial}/revoke` : `POST ${path}`;
	return fixture.call("holder", act, { pCode, what });
}

function ask(fixture: Fixture, pCode: string): Promise<Answer> {
	const { dni: rut, email } = fixture.codes.get(pCode)!.holder;
	return send(fixture, pCode, "", { rut, email });
}

/** The code that came last. */
function enter(fixture: Fixture, pCode: string): Promise<Answer> {
	const { email } = fixture.codes.get(pCode)!.holder;
	const text = fixture.emails.findLast(
		({ to, subject }) => to === email && /código para revocar/i.test(subject),
	)!.text;
	return send(fixture, pCode, "/codigo", { code: /\b\d{4} \d{4} \d{4}\b/.exec(text)![0] });
}

function revoke(fixture: Fixture, pCode: string): Promise<Answer> {
	const { serial } = fixture.left.find((one) => one.pCode === pCode)!;
	return send(fixture, pCode, "/certificado", { serial: serial!, why: "lost", understood: "1" });
}

/** Finishes from the beginning, until the certificate reads revoked. */
async function finish(fixture: Fixture, pCode: string): Promise<string[]> {
	const isRevoked = async () => {
		const rows = await select("SELECT revoked_at FROM certificates WHERE code = ?", pCode);
		return rows.every(({ revoked_at }) => revoked_at !== null);
	};
	if (await isRevoked()) return [];
	await browsers.get(pCode)!.open("/revocar");
	await ask(fixture, pCode);
	await untilCallsEnd();
	await enter(fixture, pCode);
	const { status } = await revoke(fixture, pCode);
	return (await isRevoked()) ? [] : [`after: ${pCode} is not revoked: ${status}`];
}

/** Token of a link, as its e-mail has it, of a partner whose delivery e-mail waits. Locally an address would count at once. */
const linked: UseCase["ready"] = async (fixture) => {
	const { id } = await fixture.partner();
	const { index, clock } = await platformOf(env);
	const [address, until] = [`entrega-${crypto.randomUUID()}@partner.example`, clock() + DAY_MS];
	await REGISTER.prepare(
		"UPDATE partners SET delivery_email_pending = ?, delivery_email_pending_until = ? WHERE id = ?",
	)
		.bind(address, until, id)
		.run();
	const said = [id, "key_1", String(until)];
	return [...said, await index.of("delivery-email", ...said, address)].join(".");
};

/** @param verb - as `console` a call that succeeds has to be in the audit; once it is in force it changes nothing more */
const confirm = (fixture: Fixture, token: string, verb: "console" | "holder") => {
	const partner = fixture.partners.find(({ id }) => token.startsWith(`${id}.`))!;
	const number = addresses.used++;
	const path = `/correo/${token}`;
	const send = () => new Browser(`10.1.${number >> 8}.${number & 255}`).send(path, {});
	return fixture.call(verb, send, { partner, what: `POST ${path}` });
};

/** Presses the button again, until the address of the link is in force. */
async function confirmed(fixture: Fixture, token: string): Promise<string[]> {
	const { status } = await confirm(fixture, token, "holder");
	const [row] = await select("SELECT * FROM partners WHERE id = ?", token.split(".")[0]);
	const { delivery_email: address, delivery_email_pending: pending } = row!;
	return status === 303 && address?.startsWith("entrega-") && pending === null
		? []
		: [`after: the link answers ${status}, ${pending} waits and ${address} is in force`];
}

const atPage = (
	ready: UseCase["ready"],
	inObject: boolean,
	act: (fixture: Fixture, pCode: string) => Promise<Answer>,
): UseCase => ({
	success: 303,
	inObject,
	ready,
	act: (fixture, _, pCode) => act(fixture, pCode),
	after: (fixture, _, pCode) => finish(fixture, pCode),
});

export const HOLDER_CALLS: Record<string, UseCase> = {
	"holder asks for a code": atPage(atStart, false, ask),
	"holder enters the code": atPage(atCode, false, enter),
	"holder revokes": atPage(atList, true, revoke),
	"owner confirms a delivery e-mail": {
		success: 303,
		ready: linked,
		act: (fixture, _, token) => confirm(fixture, token, "console"),
		after: (fixture, _, token) => confirmed(fixture, token),
	},
};
