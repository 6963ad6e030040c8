import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/bindings.ts";
import { DAY_MS, HOUR_MS } from "../../../src/domain/durations.ts";
import { platformOf } from "../../../src/platform.ts";
import { CivilRegistrySandbox } from "../../../src/sandbox/civil-registry-sandbox.ts";
import type { ConfigError } from "../../../src/settings/config-error.ts";
import { createAuthoritySettings } from "../../support/authority-settings.ts";
import { setTime } from "../../support/clock.ts";
import { certificatesOf, codeRow } from "../../support/look-inside.ts";
import { authority, CRL, fetchPki } from "../../support/pki.ts";
import { call, callWith, freshService, JUANA, Partner } from "../../support/service.ts";

/* Nothing outlives the authority, and nothing is sold that could not be issued under it. */

const END = authority.notAfter.getTime();

/** The last second in which a three-year certificate can be issued. */
function lastMoment(): number {
	const date = new Date(END);
	return date.setUTCFullYear(date.getUTCFullYear() - 3);
}

/** The code's 14-day window, and a month for its claim. */
const MARGIN = 44 * DAY_MS;

let partner: Partner;
beforeEach(async () => {
	await freshService();
	partner = await Partner.create();
});

function expectUnavailable({ status, body, headers }: Awaited<ReturnType<typeof call>>): void {
	expect([status, body?.error, headers.get("retry-after")]).toEqual([503, "SERVICE_UNAVAILABLE", "30"]);
}

test("a code is sold only if its certificate can still be issued 44 days later", async () => {
	setTime(lastMoment() - MARGIN - HOUR_MS);
	expect((await partner.bulk(1, "FV03")).status).toBe(201);
	const earlier = { "idempotency-key": "order-1" };
	const sold = await partner.bulk(1, "FV03", earlier);
	setTime(lastMoment() - MARGIN + HOUR_MS);
	expectUnavailable(await partner.bulk(1, "FV03"));
	expectUnavailable(await partner.bulk(1, "FV03", { "idempotency-key": "order-2" }));
	expect((await partner.bulk(1, "FV02")).status).toBe(201);
	// Earlier sales are answered again; earlier refusals can be asked for again.
	expect((await partner.bulk(1, "FV03", earlier)).text).toBe(sold.text);
	expect((await partner.bulk(1, "FV02", { "idempotency-key": "order-2" })).status).toBe(201);
});

test("a certificate that would outlive its authority is refused before an attempt is spent or noted", async () => {
	setTime(lastMoment() - MARGIN - HOUR_MS);
	const validated = await partner.code("FV03");
	await partner.request({ pCode: validated, ...JUANA });
	setTime(lastMoment() + HOUR_MS);
	const registry = vi.spyOn(CivilRegistrySandbox.prototype, "fetch");
	const before = await codeRow(validated);
	expectUnavailable(await partner.claim(validated));
	expectUnavailable(await partner.claim(validated, { pin: "0000" }));
	expectUnavailable(await partner.request({ pCode: validated, ...JUANA }));
	expectUnavailable(await partner.request({ pCode: validated, ...JUANA, dni: "22222222-2" }));
	expect(registry).not.toHaveBeenCalled();
	expect(await certificatesOf(validated)).toEqual([]);
	expect(await codeRow(validated)).toEqual(before);
	expect(await partner.status(validated)).toBe("VALIDATED");
});

test("after the authority's end nothing is issued or sold; reads and /pki go on, and /readyz fails", async () => {
	setTime(END - 31 * DAY_MS - MARGIN);
	const [issued, validated] = [await partner.code("FV00"), await partner.code("FV00")];
	for (const pCode of [issued, validated]) await partner.request({ pCode, ...JUANA });
	expect((await partner.claim(issued)).status).toBe(200);
	setTime(END + HOUR_MS);
	expectUnavailable(await partner.bulk(1, "FV00"));
	expectUnavailable(await partner.claim(validated));
	expect((await partner.claim(issued)).body.error).toBe("ALREADY_ISSUED");
	expect((await partner.list()).body.data.pagination.total).toBe(2);
	expect(await partner.status(issued)).toBe("EXPIRED");
	for (const path of [`/${authority.keyId}/cer`, "/root.cer", CRL])
		expect((await fetchPki(path)).response.status).toBe(200);
	const ready = await call("GET", "/readyz");
	expect([ready.status, ready.body.message]).toEqual([503, expect.stringContaining("ISSUING_CERTIFICATE")]);
});

async function withAuthority(commonNamePrefix: string, validFrom: Date, environment = "local") {
	return {
		...env,
		...(await createAuthoritySettings(commonNamePrefix, { from: validFrom })),
		ENVIRONMENT: environment,
		PUBLIC_URL: "https://dev.certificates.example",
		SINGLE_SIGN_ON_BROWSER_URL: "https://dev.certificates.example/sandbox",
		CPS_URL: "https://dev.certificates.example/cps/",
		TERMS_URL: "https://dev.certificates.example/docs/terms/",
		PRIVACY_URL: "https://dev.certificates.example/docs/privacy/",
		ALLOW_LOOPBACK_WEBHOOKS: "",
		EMAIL_RECIPIENTS: environment === "dev" ? "" : env.EMAIL_RECIPIENTS,
		OPS_TOKEN: environment === "local" ? env.OPS_TOKEN : undefined,
	} as unknown as Bindings;
}

test("before the authority's start nothing is sold, and /readyz fails", async () => {
	const early = await withAuthority("TEST Early", new Date(Date.now() + DAY_MS));
	expect((await callWith(early, "GET", "/readyz")).status).toBe(503);
	const bulk = {
		headers: { "x-gw": partner.key, "content-type": "application/json" },
		body: JSON.stringify({ productCode: "FV00", quantity: 1 }),
	};
	expect((await callWith(early, "POST", "/api/partner/v1/pcode/bulk", bulk)).status).toBe(503);
});

test.for(["local", "dev"])(
	"%s refuses to start with an authority that no TEST names",
	async (environment) => {
		const error = await platformOf(await withAuthority("Real", new Date(), environment)).catch(
			(reason: ConfigError) => reason,
		);
		expect(error).toMatchObject({ setting: "ISSUING_CERTIFICATE", message: expect.stringContaining("TEST") });
		const test = await platformOf(await withAuthority("TEST Sandbox", new Date(), environment));
		expect(test.settings.environment).toBe(environment);
	},
);
