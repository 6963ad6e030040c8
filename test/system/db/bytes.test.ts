import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../src/domain/durations.ts";
import { passTime, stopClock } from "../../support/clock.ts";
import { freshService, loadHolder, Partner } from "../../support/service.ts";

/* D1 is 10 GB at most (docs/decisions/0009-growing-past-one-database.md): what one more certificate adds to it. */

beforeAll(freshService);

const CERTIFICATES = 100;
const EMISSIONS_A_MINUTE = 10;

/** Bytes of the database's pages. */
async function databaseSize(): Promise<number> {
	const { meta } = await env.DB_2.prepare("SELECT 1").run();
	return meta.size_after;
}

test("a certificate takes at most 4.6 kB of D1, its request, audit, holder, the message to it and its partner's index included", {
	timeout: 120_000,
}, async () => {
	const partner = await Partner.create({ key_algorithm: "rsa-2048", database: 2 });
	await partner.bulk(1);
	const key = await crypto.subtle.generateKey(
		{
			name: "RSASSA-PKCS1-v1_5",
			modulusLength: 2048,
			publicExponent: new Uint8Array([1, 0, 1]),
			hash: "SHA-256",
		},
		true,
		["sign", "verify"],
	);
	vi.spyOn(crypto.subtle, "generateKey").mockResolvedValue(key as never);
	const codes: string[] = (await partner.bulk(CERTIFICATES)).body.data.pcodes;
	stopClock();
	const before = await databaseSize();
	for (const [n, pCode] of codes.entries()) {
		if (n % EMISSIONS_A_MINUTE === 0) passTime(MINUTE_MS);
		const holder = loadHolder(n);
		expect((await partner.request({ pCode, ...holder })).status).toBe(200);
		expect((await partner.claim(pCode, { dni: holder.dni, pin: holder.pin })).status).toBe(200);
	}
	const bytes = ((await databaseSize()) - before) / CERTIFICATES;
	expect(bytes).toBeLessThanOrEqual(4_600);
	expect(bytes).toBeGreaterThan(1_000);
});
