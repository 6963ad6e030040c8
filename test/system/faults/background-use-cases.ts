import { env } from "cloudflare:workers";
import { findPlace } from "../../../src/db/directory.ts";
import { endDueSessions } from "../../../src/jobs/end-onboarding-sessions.ts";
import { runJobs } from "../../../src/jobs/run.ts";
import { keepCrlFresh } from "../../../src/pki/publish-crl.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime } from "../../support/clock.ts";
import { REGISTER } from "../../support/db.ts";
import { select } from "../../support/look-inside.ts";
import { move, moveToEnd } from "../../support/move.ts";
import { encodeRequest } from "../../support/ocsp-client.ts";
import { deliverMessages, knowPartners, runCron } from "../../support/receiver.ts";
import { type Answer, call, type Partner, type Settings } from "../../support/service.ts";
import type { Fixture } from "./fixture.ts";
import { emitted, expectStatus, freshCode, type UseCase, WEBHOOK } from "./use-cases.ts";
import { typed } from "./widget-steps.ts";

const reason = { reason: "Reported" };
/** When the last of a delivery's first attempts is due. */
const ENDED = 9_000_000;

/** A B2B certificate of which nothing has arrived yet, its attempts due. @returns the code and the deliveries' ids. */
export async function undelivered(fixture: Fixture, partner: Partner): Promise<string> {
	const { answer } = fixture.receiver;
	fixture.receiver.answer = () => new Response(null, { status: 503 });
	const pCode = await fixture.code(partner);
	await fixture.request(pCode);
	fixture.receiver.answer = answer;
	passTime(10 * 60_000);
	const rows = await select("SELECT id FROM outbox WHERE code = ?", pCode);
	const ids = rows.map(({ id }) => id as string);
	await knowPartners(ids);
	return [pCode, ...ids].join(" ");
}

async function deliverOwed(_: Fixture, __: Partner, target: string): Promise<undefined> {
	await deliverMessages(...target.split(" ").slice(1));
}

export async function allDelivered(fixture: Fixture, _: Partner, target: string): Promise<string[]> {
	const [pCode] = target.split(" ");
	for (let round = 0; round < 4; round++) await fixture.deliverAll();
	passTime(ENDED);
	await fixture.deliverAll();
	const rows = await select("SELECT channel, last_outcome FROM outbox WHERE code = ?", pCode);
	return rows
		.filter(({ last_outcome }) => last_outcome !== "delivered")
		.map(({ channel, last_outcome }) => `after: ${channel} of ${pCode}: ${last_outcome}`);
}

/** A code whose validation, and no other, was 90 days ago. */
async function unclaimed(fixture: Fixture, partner: Partner): Promise<string> {
	const pCode = await fixture.validated(partner);
	const earlier = "UPDATE purchase_codes SET validated_at = validated_at - 90 * 86400000 WHERE code = ?";
	await REGISTER.prepare(earlier).bind(pCode).run();
	return pCode;
}

function lapse(fixture: Fixture): Promise<Answer> {
	return fixture.ops("POST", "/upkeep/lapse-validations", {});
}

/** About the certificate that left last: the answer about an earlier one is in the cache. */
async function ocsp(fixture: Fixture): Promise<Answer> {
	const responder = (await platformOf(env)).authorities[0]!.responder!;
	const body = encodeRequest(responder, [{ serial: fixture.left.at(-1)!.serial }]) as Uint8Array<ArrayBuffer>;
	const headers = { "content-type": "application/ocsp-request" };
	return fixture.call("pki", () => call("POST", "/pki/ocsp", { headers, body }));
}

const placeOf = async ({ id: partnerId }: Partner) =>
	findPlace((await platformOf(env)).directory, { partnerId });

const owed = (settings: Settings, act: UseCase["act"]): UseCase => ({
	settings,
	success: null,
	ready: undelivered,
	act,
	after: allDelivered,
});

export const BACKGROUND: Record<string, UseCase> = {
	"webhook delivery": owed({ mode: "B2B", webhook_url: WEBHOOK.webhook_url }, deliverOwed),
	"e-mail delivery": owed({ mode: "B2B", ...WEBHOOK, webhook_events: [] }, deliverOwed),
	"cron of the minute": owed({ mode: "B2B", ...WEBHOOK }, () => runCron() as Promise<undefined>),
	"end of a session": {
		settings: { webhook_url: WEBHOOK.webhook_url, webhook_events: ["onboarding.expired"] },
		success: null,
		inObject: true,
		ready: async (fixture, partner) => {
			const pCode = await typed(fixture, partner);
			passTime(30 * 60_000);
			return pCode;
		},
		// The cron logs what D1 refuses, and comes again.
		act: async () => void (await endDueSessions(await platformOf(env)).catch(() => undefined)),
		after: async (_, __, pCode) => {
			await endDueSessions(await platformOf(env));
			const rows = await select("SELECT end_reason FROM onboarding_sessions WHERE code = ?", pCode);
			const events = await select("SELECT 1 FROM outbox WHERE code = ?", pCode);
			const went = [...rows.map(({ end_reason }) => end_reason), events.length].join(" ");
			return went === "expired 1" ? [] : [`after: the session of ${pCode}: ${went}`];
		},
	},
	"hourly upkeep": {
		success: null,
		ready: emitted,
		act: async () => void (await runJobs(await platformOf(env))),
	},
	"lapse of a validation": {
		success: 200,
		inObject: true,
		ready: unclaimed,
		act: lapse,
		after: async (fixture, _, pCode) => [
			...(await expectStatus(lapse(fixture), 200, "the job again")),
			...(await expectStatus(fixture.claim(pCode), 423, "a claim")),
			...(await expectStatus(fixture.request(pCode), 423, "a request")),
		],
	},
	"a partner's move": {
		success: null,
		/** Its target is the state that the move begins in: the call itself is to read no place, which a fault could hit. */
		ready: async (fixture, partner) => {
			await freshCode(fixture, partner);
			return (await placeOf(partner))!.state;
		},
		act: async (_, partner, state) => {
			await move(partner, state === "moved" ? "back" : { to: 1 }).catch(() => undefined);
		},
		goesOn: (partner) => moveToEnd(partner, "on"),
		after: async (_, partner) => {
			const { state } = (await placeOf(partner))!;
			return ["open", "moved"].includes(state) ? [] : [`after: the move does not end: ${state}`];
		},
	},
	CRL: {
		success: null,
		ready: async (fixture, partner) => {
			const pCode = await fixture.emitted(partner);
			await fixture.ops("POST", `/pcodes/${pCode}/cancel`, reason, pCode);
			await env.PKI.delete((await env.PKI.list()).objects.map(({ key }) => key));
			return pCode;
		},
		act: async () => void (await keepCrlFresh(await platformOf(env))),
	},
	OCSP: { success: 200, ready: emitted, act: ocsp },
};
