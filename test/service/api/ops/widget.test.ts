import { beforeEach, expect, test } from "vitest";
import { select } from "../../../support/look-inside.ts";
import { createProd, TOKEN } from "../../../support/prod.ts";
import { invalid, refusal } from "../../../support/refusal.ts";
import { call, callWith, freshService, ops, Partner } from "../../../support/service.ts";
import { frame, session, sessionOf } from "../../../support/widget.ts";

beforeEach(freshService);

const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(100, 7)]).toString("base64");
const LOOKS = { origins: ["https://Shop.example"], accent: "#0B5CAD", logo: PNG };

const set = (partner: Partner, body: object) => ops("PUT", `/partners/${partner.id}/widget`, body);

test("ops' settings are shown, kept and served; the logo stays until it is replaced or removed", async () => {
	const partner = await Partner.create();
	const first = await set(partner, LOOKS);
	expect([first.status, first.body.data.widget]).toEqual([
		200,
		{ origins: ["https://shop.example"], accent: "#0b5cad", logo: expect.any(String) },
	]);
	const { logo } = first.body.data.widget;
	expect((await ops("GET", `/partners/${partner.id}/widget`)).text).toBe(first.text);
	const served = await call("GET", logo);
	expect([served.status, served.headers.get("content-type"), served.headers.get("cache-control")]).toEqual([
		200,
		"image/png",
		"public, max-age=31536000, immutable",
	]);

	const made = await sessionOf(partner, await partner.code());
	expect((await frame(made, "POST", "/open")).body.data.partner).toEqual({
		name: "Partner under test",
		accent: "#0b5cad",
		logo,
	});

	const { origins, accent } = LOOKS;
	expect((await set(partner, { origins, accent: null })).body.data.widget).toMatchObject({
		accent: null,
		logo,
	});
	expect((await set(partner, { origins: [], accent, logo: null })).body.data.widget).toMatchObject({
		origins: [],
		logo: null,
	});
	expect((await call("GET", logo)).status).toBe(404);
	expect(await select("SELECT hash FROM widget_logos")).toEqual([]);
	const [row] = await select("SELECT origins FROM onboarding_sessions WHERE id = ?", made.session);
	expect(row).toEqual({ origins: '["https://shop.example"]' });
});

test("a page on the partner's own machine may embed the widget, but not in prod", async () => {
	const body = { origins: ["http://localhost:3000"], accent: null };
	const { id } = await Partner.create();
	expect((await ops("PUT", `/partners/${id}/widget`, body)).status).toBe(200);
	const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
	const asked = { headers, body: JSON.stringify(body) };
	const answer = await callWith(await createProd(), "PUT", `/ops/v1/partners/${id}/widget`, asked);
	expect(refusal(answer)).toEqual(invalid("origins INVALID_VALUE"));
});

test("400 names each wrong value, and nothing changes", async () => {
	const partner = await Partner.create();
	const large = Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(32_769 - 108)]).toString("base64");
	for (const [field, value] of [
		["origins", ["https://shop.example/buy"]],
		["origins", ["http://shop.example"]],
		["origins", ["https://a.example", "https://A.example"]],
		["origins", Array.from({ length: 21 }, (_, i) => `https://a${i}.example`)],
		["accent", "#ffcc00"],
		["logo", btoa("<svg onload='alert(1)'/>")],
		["logo", `data:image/webp;base64,${PNG}`],
		["logo", large],
	] as const) {
		const { status, body } = await set(partner, { ...LOOKS, [field]: value });
		expect([value, status, body.details[0].field.split(".")[0]]).toEqual([value, 400, field]);
	}
	const wrong = { origins: ["https://shop.example/buy"], accent: "#ffcc00", logo: "no picture" };
	const { details } = (await set(partner, wrong)).body;
	expect(details.map(({ field }: { field: string }) => field)).toEqual(["origins", "accent", "logo"]);
	expect((await ops("GET", `/partners/${partner.id}/widget`)).body.data.widget.origins).toEqual([]);
});

test("another partner's logo is not served under one's own path", async () => {
	const { partner } = await session();
	const other = await Partner.create();
	const { logo } = (await set(other, LOOKS)).body.data.widget;
	expect((await call("GET", logo.replace(other.id, partner.id))).status).toBe(404);
});
