import { beforeEach, expect, test } from "vitest";
import { failingFrom } from "../../support/failing-db.ts";
import { call, freshService, ops, Partner } from "../../support/service.ts";
import { endSession, sessionOf } from "../../support/widget.ts";

const SHOPS = ["https://shop.example", "https://other.example"];
let partner: Partner;

beforeEach(async () => {
	await freshService();
	partner = await Partner.create({ name: `Tienda </script><b>"Andes"` });
	await ops("PUT", `/partners/${partner.id}/widget`, { origins: SHOPS, accent: "#0b7a53" });
});

const newSession = async () => sessionOf(partner, await partner.code());

test("the frame's page may be shown by the registered origins alone, and its policy closes everything else", async () => {
	const { session, token } = await newSession();
	const { status, headers, text } = await call("GET", `/widget/frame/${session}`);
	expect(status).toBe(200);
	const policy = headers.get("content-security-policy")!;
	expect(policy.replaceAll(/'sha256-[^']+'/g, "HASH").split("; ")).toEqual([
		"default-src 'none'",
		"script-src HASH",
		"style-src HASH",
		"img-src 'self' data:",
		"connect-src 'self'",
		"frame-src blob:",
		`frame-ancestors ${SHOPS.join(" ")}`,
		"form-action 'none'",
		"base-uri 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	]);
	expect(headers.get("referrer-policy")).toBe("no-referrer");
	expect(headers.get("cache-control")).toBe("no-store");
	const unwanted = /^(x-frame-options|cross-origin-(resource|opener)-policy|set-cookie)$/;
	expect([...headers.keys()].filter((name) => unwanted.test(name))).toEqual([]);
	expect(text).not.toContain(token);
	expect(text).not.toContain("</script><b>");
	expect(text.match(/<\/script>/g)?.length).toBe(2);
});

test("a partner without origins embeds nowhere, and the hosted page is never embedded", async () => {
	const { session } = await newSession();
	const hosted = await call("GET", `/onboarding/${session}`, { headers: { "accept-language": "en-GB" } });
	// The session's language is Spanish, whatever the browser's.
	expect(/<html lang="(\w+)"/.exec(hosted.text)?.[1]).toBe("es");
	expect(hosted.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
	await ops("PUT", `/partners/${partner.id}/widget`, { origins: [], accent: null });
	const later = await newSession();
	const frame = await call("GET", `/widget/frame/${later.session}`);
	expect(frame.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("an unknown session is a page that says so, 404, in the language of the browser, Spanish by default", async () => {
	for (const id of ["os_00000000000000000000000000000000", "none", "%3Cscript%3E"]) {
		const { status, headers, text } = await call("GET", `/widget/frame/${id}`);
		expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
		expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
		expect(text).toContain('"session":null');
		expect(text).toContain('<html lang="es">');
	}
	const english = await call("GET", "/onboarding/none", { headers: { "accept-language": "en-GB" } });
	expect(english.text).toContain('<html lang="en">');
});

test("an outage shows a page with its reason, which any page may embed and which asks for no token", async () => {
	const { session } = await newSession();
	for (const [path, ancestors] of [
		[`/widget/frame/${session}`, "*"],
		[`/onboarding/${session}`, "'none'"],
	]) {
		const { status, headers, text } = await failingFrom(1, "is lost", () => call("GET", path!));
		expect([status, headers.get("content-type")]).toEqual([503, "text/html; charset=UTF-8"]);
		expect(headers.get("content-security-policy")).toContain(`frame-ancestors ${ancestors};`);
		expect(headers.has("retry-after")).toBe(true);
		expect(text).toContain('"session":null,"refusal":"SERVICE_UNAVAILABLE"');
	}
});

test("an ended session's page says why; a suspended partner's is unknown", async () => {
	const made = await newSession();
	const path = `/onboarding/${made.session}`;
	expect((await call("GET", path)).text).toContain('"endReason":null');
	await endSession(made);
	expect((await call("GET", path)).text).toContain('"endReason":"cancelled"');
	await partner.change({ suspended: true });
	expect((await call("GET", path)).status).toBe(404);
});
