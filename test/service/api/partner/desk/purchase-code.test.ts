import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { alone } from "../../../../support/alone.ts";
import { passTime, setTime, yearOfNext } from "../../../../support/clock.ts";
import { activeCode } from "../../../../support/codes.ts";
import { auditOf } from "../../../../support/look-inside.ts";
import { emitted, listed, untilCrlIsBuilt } from "../../../../support/pki.ts";
import { type Answer, freshService, JUANA, ops, Partner } from "../../../../support/service.ts";

const YEAR = yearOfNext("03-10");

const NOON = Date.UTC(YEAR, 2, 10, 12);

beforeEach(freshService);
beforeEach(() => setTime(NOON));
afterEach(untilCrlIsBuilt);

function show(partner: Partner, pCode: string): Promise<Answer> {
	return partner.get(`/api/partner/v1/pcodes/${pCode}`);
}

function cancel(partner: Partner, pCode: string, body: unknown = { reason: "returned" }): Promise<Answer> {
	return partner.desk("POST", `/pcodes/${pCode}/cancel`, body);
}

async function keyOf(partner: Partner, label: string): Promise<string> {
	const { keys } = (await ops("GET", `/partners/${partner.id}`)).body.data;
	return keys.find((key: { label: string }) => key.label === label).id;
}

describe("GET /pcodes/{p_code}", () => {
	test("facts, both statuses and who did what", { tags: ["code-detail"] }, async () => {
		const partner = await Partner.create();
		const { batchId, pcodes } = (await partner.bulk(1, "FV02")).body.data;
		passTime(MINUTE_MS);
		await partner.request({ pCode: pcodes[0], ...JUANA, serialNumber: "999999999" });
		passTime(MINUTE_MS);
		await partner.request({ pCode: pcodes[0], ...JUANA });
		passTime(MINUTE_MS);
		await ops("POST", `/pcodes/${pcodes[0]}/block`, { reason: "a complaint" });
		const { status, body } = await show(partner, pcodes[0].toLowerCase());
		expect(status).toBe(200);
		const at = (minutes: number) => new Date(NOON + minutes * MINUTE_MS).toISOString();
		const key_id = await keyOf(partner, "first key");
		expect(body.data.pcode).toEqual({
			p_code: pcodes[0],
			product: "FV02",
			category: 2,
			batch_id: batchId,
			external_reference_id: JUANA.referenceId,
			status: "LOCKED",
			list_status: "bloqueado",
			processing: 0,
			created_at: at(0),
			updated_at: at(3),
			expires_at: at(14 * 24 * 60),
			validated_at: at(2),
			issued_at: null,
			cancelled_at: null,
			blocked_at: at(3),
			validation_locked_until: null,
			validation_blocked_at: null,
			claim_locked_until: null,
			onboarding_until: null,
			validation_failures: 0,
			validation_locks: 0,
			claim_failures: 0,
			claim_locks: 0,
			certificate: null,
			delivery: null,
			timeline: [
				{ at: at(0), actor: "partner", key_id, action: "created", outcome: null },
				{ at: at(1), actor: "partner", key_id, action: "validation_failed", outcome: "id_card_mismatch" },
				{ at: at(2), actor: "partner", key_id, action: "validated", outcome: "ok" },
				{ at: at(3), actor: "ops", key_id: null, action: "block", outcome: "a complaint" },
			],
		});
	});

	test("an issued code shows its certificate, and nothing of its holder", {
		tags: ["code-detail-certificate"],
	}, async () => {
		const { partner, pCode, serial } = await emitted();
		const { body, text } = await show(partner, pCode);
		expect(body.data.pcode).toMatchObject({
			status: "EMITTED",
			certificate: { serialNumber: serial, p_code: pCode, validity: "valid", revoked_at: null },
		});
		await ops("POST", `/certificates/${serial}/revoke`, { reason: "keyCompromise" });
		const revoked = (await show(partner, pCode)).body.data.pcode;
		expect([revoked.status, revoked.certificate.validity, revoked.certificate.revocation_reason]).toEqual([
			"EMITTED",
			"revoked",
			"keyCompromise",
		]);
		expect(text).not.toMatch(/JUANA|P.REZ|11111111|juana@/);
		expect(text).not.toMatch(alone(JUANA.pin));
	});

	test("a replacement was created by ops; a job is the service", async () => {
		const { partner, pCode } = await activeCode();
		const { p_code } = (await ops("POST", `/pcodes/${pCode}/replace`, { reason: "lapsed" })).body.data;
		expect((await show(partner, p_code)).body.data.pcode.timeline).toEqual([
			{ at: expect.any(String), actor: "ops", key_id: null, action: "created", outcome: null },
		]);
	});
});

describe("POST /pcodes/{p_code}/cancel", () => {
	test("voids an unused code, with its audit row", { tags: ["own-cancel"] }, async () => {
		const { partner, pCode } = await activeCode();
		const { status, body } = await cancel(partner, pCode);
		expect([status, body.data]).toEqual([
			200,
			{ p_code: pCode, status: "CANCELLED", cancelled_at: new Date(NOON).toISOString(), serialNumber: null },
		]);
		expect(await partner.status(pCode)).toBe("CANCELLED");
		expect(await auditOf(pCode)).toEqual(["cancel returned"]);
		const { timeline } = (await show(partner, pCode)).body.data.pcode;
		expect(timeline.at(-1)).toMatchObject({
			actor: "partner",
			key_id: await keyOf(partner, "everything"),
			action: "cancel",
		});
		expect((await partner.request({ pCode, ...JUANA })).status).toBe(423);
	});

	test("revokes the certificate of an issued code; repeated it answers the same and changes nothing", {
		tags: ["own-cancel-revokes", "own-cancel-repeated"],
	}, async () => {
		const { partner, pCode, serial } = await emitted();
		const first = await cancel(partner, pCode);
		expect([first.status, first.body.data.serialNumber]).toEqual([200, serial]);
		expect((await listed(serial)).reason).toBe(5);
		passTime(MINUTE_MS);
		const second = await cancel(partner, pCode, { reason: "another" });
		expect([second.status, second.text]).toEqual([200, first.text]);
		expect((await auditOf(pCode)).filter((entry) => entry.startsWith("cancel"))).toEqual(["cancel returned"]);
	});
});
