import { beforeAll, expect, test } from "vitest";
import { SYSTEMS } from "../../../../src/texts/install-systems.ts";
import { tripsDuring } from "../../../support/failing-db.ts";
import { call, freshService } from "../../../support/service.ts";

/* `/instalar`, what a holder does with the file. */

beforeAll(freshService);

const UNKNOWN = "curl/8.5";

test.each([
	["windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/148.0.0.0 Safari/537.36"],
	[
		"macos",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15",
	],
	["iphone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"],
	["iphone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) FxiOS/148.0 Mobile/15E148"],
	["android", "Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36"],
	["android", "Mozilla/5.0 (Android 16; Mobile; rv:148.0) Gecko/148.0 Firefox/148.0"],
	["firefox", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:148.0) Gecko/20100101 Firefox/148.0"],
	["windows", UNKNOWN],
])(
	"the steps of the visitor's own system come first and are open, all others follow: %s",
	{ tags: ["install-page"] },
	async (own, userAgent) => {
		const [{ status, text }, trips] = await tripsDuring(() =>
			call("GET", "/instalar", { headers: { "user-agent": userAgent } }),
		);
		expect([status, trips]).toEqual([200, []]);
		const shown = [...text.matchAll(/<details id="(\w+)"( open="")?>/g)].map(([, id, open]) => [id, !!open]);
		const others = Object.keys(SYSTEMS).filter((system) => system !== own);
		expect(shown).toEqual([[own, true], ...others.map((system) => [system, false])]);
	},
);

test.each([
	["es", undefined, "No podemos prometerlo aquí", "/revocar?lang=es"],
	["en", undefined, "We cannot promise it here", "/revocar?lang=en"],
	["es", "en", "We cannot promise it here", "/revocar?lang=en"],
])(
	"the page in the browser's language, or the chosen one, promises no more than the law does: %s, %s",
	{ tags: ["install-page"] },
	async (preferred, chosen, promise, revocation) => {
		const path = chosen ? `/instalar?lang=${chosen}` : "/instalar";
		const { text, headers } = await call("GET", path, { headers: { "accept-language": preferred } });
		expect(text).toContain(promise);
		expect(text).toContain(`href="${revocation}"`);
		expect(text).toContain("19.799");
		expect(headers.get("content-security-policy")).toContain("default-src 'none'");
		expect(headers.get("set-cookie")).toBeNull();
	},
);
