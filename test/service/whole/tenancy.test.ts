import { beforeAll, describe, expect, test } from "vitest";
import { select } from "../../support/look-inside.ts";
import { holdQueue, Receiver } from "../../support/receiver.ts";
import { call, freshService, JUANA, Partner, withJson } from "../../support/service.ts";
import { readTablesWithoutKeyUse } from "../../support/tables.ts";
import { sessionOf } from "../../support/widget.ts";
import { PARTNER_ROUTES } from "./partner-routes.ts";

/** Ids of one partner's things, by the route and parameter that name them; and one of the form that nobody has. */
const THINGS: Record<string, { owned: string; unknown: string }> = {};
let stranger: string;

beforeAll(async () => {
	await freshService();
	const receiver = new Receiver();
	receiver.answer = () => new Response(null, { status: 503 });
	holdQueue();
	const owner = await Partner.create({ webhook_url: "https://partner.example/hook" });
	const pCode = await owner.code();
	await owner.request({ pCode, ...JUANA });
	const serial = (await owner.claim(pCode)).body.data.serialNumber;
	const [delivery] = await select("SELECT id FROM outbox WHERE channel = 'webhook'");
	const [key] = await select("SELECT id FROM api_keys WHERE partner_id = ?", owner.id);
	const { session } = await sessionOf(owner, await owner.code());
	Object.assign(THINGS, {
		"onboarding_sessions session_id": {
			owned: session,
			unknown: session.replace(/.{8}$/, "00000000"),
		},
		"keys id": { owned: key!.id, unknown: `key_${"0".repeat(32)}` },
		"deliveries id": { owned: delivery!.id, unknown: crypto.randomUUID() },
		"pcodes p_code": { owned: pCode, unknown: "0000-1111-2222-3333" },
		"certificates serial": { owned: serial, unknown: "0".repeat(32) },
		"listen id": { owned: delivery!.id, unknown: crypto.randomUUID() },
	});
	stranger = await (await Partner.create()).manageKey();
});

/** Routes with an id. An event's type belongs to no partner. */
const BY_ID = PARTNER_ROUTES.filter(({ template }) => /\{(?!type)/.test(template));

describe.for(BY_ID)("$method $template", (route) => {
	test("another partner's id: answered byte for byte like one that never was, and nothing changes", {
		tags: ["desk-tenancy", "code-detail-unknown"],
	}, async () => {
		const { method, template, body } = route;
		const [, thing, parameter] = /\/(\w+)\/\{(\w+)\}/.exec(template)!;
		const { owned, unknown } = THINGS[`${thing} ${parameter}`]!;
		const send = (id: string) =>
			call(method, template.replace(/\{\w+\}/, id), withJson({ "x-gw": stranger }, body));
		const before = await readTablesWithoutKeyUse();
		const [theirs, nobodys] = [await send(owned), await send(unknown)];
		expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
		expect(nobodys.status).toBe(404);
		expect(await readTablesWithoutKeyUse()).toEqual(before);
	});
});
