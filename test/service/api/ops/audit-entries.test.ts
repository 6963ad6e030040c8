import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { alone } from "../../../support/alone.ts";
import { activeCode } from "../../../support/codes.ts";
import type { Row } from "../../../support/look-inside.ts";
import { EVERY_SETTING, freshService, JUANA, ops } from "../../../support/service.ts";
import { rowsOfCode } from "../../../support/tables.ts";

/** The chain of an entity, in which the service itself finds no fault. */
async function chainOf(entity: string) {
	const { events, faults } = (await ops("GET", `/audit/${entity}`)).body.data;
	expect(faults).toEqual([]);
	return events as Row[];
}

beforeAll(freshService);

describe("audit", () => {
	test("one row per change of a partner, telling who, what and which fields, never their values", async () => {
		const created = await ops("POST", "/partners", { ...EVERY_SETTING, name: "Audited" });
		const { id } = created.body.data.partner;
		const entity = `partner:${id}`;
		await ops("PATCH", `/partners/${id}`, { name: "Secret name", webhook_url: "https://secret.example/" });
		await ops("PATCH", `/partners/${id}`, { suspended: true });
		await ops("PATCH", `/partners/${id}`, { suspended: false });
		const added = (await ops("POST", `/partners/${id}/keys`, { label: "second" })).body.data;
		await ops("POST", `/partners/${id}/keys/${added.key.id}/rotate`, { label: "third", overlap_hours: 1 });
		await ops("DELETE", `/partners/${id}/keys/${added.key.id}`);
		await ops("POST", `/partners/${id}/webhook-secret`, {});
		await ops("PUT", `/partners/${id}/widget`, { origins: [], accent: null });
		const rows = await chainOf(entity);
		expect(rows.map(({ version, actor, action }) => [version, actor, action])).toEqual([
			[1, "ops:token", "created"],
			[2, "ops:token", "changed"],
			[3, "ops:token", "suspended"],
			[4, "ops:token", "resumed"],
			[5, "ops:token", "key_added"],
			[6, "ops:token", "key_rotated"],
			[7, "ops:token", "key_revoked"],
			[8, "ops:token", "webhook_secret_rotated"],
			[9, "ops:token", "widget_changed"],
		]);
		expect(rows[1]!.outcome).toBe("name webhook_url");
		const answered = JSON.stringify(rows);
		for (const secret of [
			created.body.data.api_key,
			added.api_key,
			"Secret name",
			"secret.example",
			env.OPS_TOKEN!,
		])
			expect(answered).not.toContain(secret);
	});

	test("one row per change of a code, chained over all its versions, without personal data or secrets", {
		tags: ["audit-no-secrets"],
	}, async () => {
		const { partner, pCode: code } = await activeCode();
		await partner.request({ pCode: code, ...JUANA, serialNumber: "999999999" });
		await partner.request({ pCode: code, ...JUANA }, { "x-request-id": "the-validation" });
		await partner.claim(code, { pin: "9999" });
		await ops("POST", `/pcodes/${code}/block`, { reason: "reported lost" });
		await ops("POST", `/pcodes/${code}/unblock`, { reason: "found again" });
		await partner.claim(code);
		await ops("POST", `/pcodes/${code}/cancel`, { reason: "holder's wish" });

		const rows = await chainOf(`code:${code}`);
		const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
		const byKey = `partner:${keys[0].id}`;
		expect(rows.map(({ version, actor, action, outcome }) => [version, actor, action, outcome])).toEqual([
			[1, byKey, "validation_failed", "id_card_mismatch"],
			[2, byKey, "validated", "ok"],
			[3, byKey, "claim_failed", "credentials_mismatch"],
			[4, "ops:token", "block", "reported lost"],
			[5, "ops:token", "unblock", "found again"],
			[6, byKey, "emitted", "ok"],
			[7, "ops:token", "cancel", "holder's wish"],
		]);
		expect(rows[1]!.request_id).toBe("the-validation");
		expect((await rowsOfCode("purchase_codes", code))[0]!.version).toBe(7);
		const answered = JSON.stringify(rows);
		for (const secret of [
			partner.key,
			"11111111",
			"JUANA",
			"juana@example.cl",
			"4821",
			"9999",
			"111111111",
			"999999999",
		])
			expect(answered).not.toMatch(alone(secret));
	});
});
