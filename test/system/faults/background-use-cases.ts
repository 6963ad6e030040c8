import { env } from "cloudflare:workers";
import { runJobs } from "../../../src/jobs/run.ts";
import { platformOf } from "../../../src/platform.ts";
import { passTime, select } from "../../support/look-inside.ts";
import { encodeRequest } from "../../support/ocsp-client.ts";
import { deliverMessages, runCron } from "../../support/receiver.ts";
import { type Answer, call, type Partner } from "../../support/service.ts";
import { type UseCase, WEBHOOK } from "./use-cases.ts";
import type { World } from "./world.ts";

const reason = { reason: "Reported" };
/** When the last of a delivery's first attempts is due. */
const ENDED = 9_000_000;

/** A B2B certificate of which nothing has arrived yet, its attempts due. @returns the code and the deliveries' ids. */
async function undelivered(world: World, partner: Partner): Promise<string> {
	const { answer } = world.receiver;
	world.receiver.answer = () => new Response(null, { status: 503 });
	const pCode = await world.code(partner);
	await world.request(pCode);
	world.receiver.answer = answer;
	passTime(10 * 60_000);
	const rows = await select("SELECT id FROM outbox WHERE code = ?", pCode);
	return [pCode, ...rows.map(({ id }) => id as string)].join(" ");
}

async function deliverOwed(_: World, __: Partner, target: string): Promise<undefined> {
	await deliverMessages(...target.split(" ").slice(1));
}

async function allDelivered(world: World, _: Partner, target: string): Promise<string[]> {
	const [pCode] = target.split(" ");
	for (let round = 0; round < 4; round++) await world.deliverAll();
	passTime(ENDED);
	await world.deliverAll();
	const rows = await select("SELECT channel, last_outcome FROM outbox WHERE code = ?", pCode);
	return rows
		.filter(({ last_outcome }) => last_outcome !== "delivered")
		.map(({ channel, last_outcome }) => `after: ${channel} of ${pCode}: ${last_outcome}`);
}

async function ocsp(world: World): Promise<Answer> {
	const { responder } = await platformOf(env);
	const body = encodeRequest(responder, [{ serial: world.left[0]!.serial }]) as Uint8Array<ArrayBuffer>;
	const headers = { "content-type": "application/ocsp-request" };
	return world.call("pki", () => call("POST", "/pki/ocsp", { headers, body }));
}

export const BACKGROUND: Record<string, UseCase> = {
	"webhook delivery": {
		settings: { mode: "B2B", webhook_url: WEBHOOK.webhook_url },
		success: null,
		asks: false,
		inObject: false,
		ready: undelivered,
		act: deliverOwed,
		after: allDelivered,
	},
	"e-mail delivery": {
		settings: { mode: "B2B", ...WEBHOOK, webhook_events: [] },
		success: null,
		asks: false,
		inObject: false,
		ready: undelivered,
		act: deliverOwed,
		after: allDelivered,
	},
	"cron of the minute": {
		settings: { mode: "B2B", ...WEBHOOK },
		success: null,
		asks: false,
		inObject: false,
		ready: undelivered,
		act: () => runCron() as Promise<undefined>,
		after: allDelivered,
	},
	"hourly upkeep": {
		success: null,
		asks: false,
		inObject: false,
		ready: (world, partner) => world.emitted(partner),
		act: async () => void (await runJobs(await platformOf(env))),
	},
	CRL: {
		success: 200,
		asks: false,
		inObject: false,
		ready: async (world, partner) => {
			const pCode = await world.emitted(partner);
			await world.ops("POST", `/pcodes/${pCode}/cancel`, reason, pCode);
			await env.PKI.delete((await env.PKI.list()).objects.map(({ key }) => key));
			return pCode;
		},
		act: (world) => world.call("pki", () => call("GET", "/pki/issuing.crl")),
	},
	OCSP: {
		success: 200,
		asks: false,
		inObject: false,
		ready: (world, partner) => world.emitted(partner),
		act: ocsp,
	},
};
