import { beforeAll, expect, test } from "vitest";
import { insertDeliveries, markDelivered } from "../../../src/db/outbox.ts";
import { batch } from "../../../src/db/query.ts";
import { openRegister, REGISTER } from "../../support/db.ts";
import { freshService, Partner } from "../../support/service.ts";

beforeAll(freshService);

async function size(): Promise<number> {
	return (await REGISTER.prepare("SELECT 1").all()).meta.size_after;
}

/** Characters of which SQLite keeps almost a page beside the row, and the rest elsewhere. */
const LONG = 8_000;

test("a delivered message leaves no empty page: SQLite keeps that of a row that an UPDATE makes shorter", async () => {
	const { id: partnerId } = await Partner.create();
	const db = openRegister();
	const now = Date.now();
	const before = await size();
	const MESSAGES = 100;
	for (let i = 0; i < MESSAGES; i++) {
		const id = crypto.randomUUID();
		const channel = "webhook" as const;
		const row = { id, partnerId, code: "", event: "certificate.emitted" as const, channel, createdAt: now };
		await batch(db, { row: insertDeliveries(db, [{ ...row, payloadSealed: "x".repeat(LONG) }]) });
		await batch(db, {
			delivered: markDelivered({ id, partnerId, channel, attempts: 1, leasedUntil: now }, now),
		});
	}
	expect((await size()) - before).toBeLessThan(MESSAGES * 2_000);
});
