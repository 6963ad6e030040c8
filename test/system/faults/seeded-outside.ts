import { runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { HOUR_MS } from "../../../src/domain/durations.ts";
import { WaitingKey } from "../../../src/objects/waiting-key.ts";
import { exportKeyPair, generateHolderKeyPair } from "../../../src/x509/holder-key.ts";
import { executeOfNobody, REGISTER } from "../../support/db.ts";
import { failingAt, failingFrom } from "../../support/failing-db.ts";
import { codeObject } from "../../support/look-inside.ts";
import { ops } from "../../support/service.ts";
import { leaveOutPartner, type SeededFaults } from "./seed-faults.ts";
import { WEBHOOK } from "./use-cases.ts";

/** Against invariants 5 and 6, and against what a caller may be answered. */
export const SEEDED_OUTSIDE: SeededFaults = {
	"the PIN is in the log": [
		async () => console.log('{"event":"request","pin":"1357"}'),
		/^5: a PIN \(.*\) lies in log/,
	],
	"the holder is in an object": [
		({ fixture, partner, pCode }) =>
			runInDurableObject(codeObject(partner, pCode), (_, { storage }) => {
				const sealed = new TextEncoder().encode(fixture.codes.get(pCode)!.holder.email);
				storage.kv.put("answer:y", {
					fingerprint: "",
					sealed,
					draftOf: null,
					expiresAt: Date.now() + HOUR_MS,
				});
			}),
		/^5: holder-0@example\.cl lies in objects/,
	],
	"a form's answer is kept open": [
		async () => {
			const { pkcs8 } = await exportKeyPair(await generateHolderKeyPair("ec-p256"));
			const values = "(id, answer_ciphertext, erase_at) VALUES ('a form', ?, 9e15)";
			await executeOfNobody(`INSERT INTO sent_forms ${values}`, pkcs8);
		},
		/^5: a private EC key lies in D1/,
	],
	"a query does not say whose": [
		({ fixture, partner, pCode }) =>
			fixture.call(
				"status",
				async () => {
					await REGISTER.prepare("SELECT code FROM purchase_codes WHERE code = ?").bind(pCode).run();
					return partner.get(`/api/partners/v1/status?p_code=${pCode}`);
				},
				{ partner },
			),
		/^6: without partner_id: SELECT code FROM purchase_codes/,
	],
	"a 503 has changed something": [
		async ({ fixture, partner }) => {
			await partner.list();
			await fixture.call("bulk", () => failingFrom(1, "arrives", () => partner.bulk(2)), { partner });
		},
		/^answer: bulk 503, and yet created 2 FV01/,
	],
	"a 503 of settings is silent about what it has changed": [
		async ({ fixture, partner }) => {
			fixture.inDoubt = true;
			const id = `/partners/${partner.id}`;
			await ops("GET", id);
			await fixture.call("ops", async () => {
				const answer = await failingFrom(3, "arrives", () => ops("PATCH", id, { name: "Another name" }));
				return { ...answer, text: answer.text.replace("may have happened", "may be late") };
			});
		},
		/^answer: ops 503 does not say that it may have happened: changed name/,
	],
	"two certificates have one key": [
		async ({ fixture, partner, pCode }) => {
			const pair = generateHolderKeyPair("ec-p256");
			vi.spyOn(WaitingKey.prototype, "take").mockReturnValue(pair);
			for (const one of [pCode, await fixture.validated(partner)]) await fixture.claim(one);
		},
		/^key: \S+ has that of another certificate/,
	],
	"an answer is a bug's": [
		({ fixture, pCode }) => {
			vi.spyOn(crypto.subtle, "exportKey").mockRejectedValueOnce(new Error("no key"));
			return fixture.claim(pCode);
		},
		/^answer: claim {2}500: .*INTERNAL_ERROR/,
	],
	"a delivery is marked without saying whose": [
		async ({ fixture }) => {
			const b2b = await fixture.partner({ mode: "B2B", ...WEBHOOK });
			const pCode = await fixture.code(b2b);
			leaveOutPartner("outbox");
			await fixture.request(pCode);
			await fixture.deliverAll();
		},
		/^6: (does not say whose row|without partner_id): update "outbox"/,
	],
	"a 503 does not say when to come again": [
		({ fixture, pCode }) =>
			fixture.call("claim", async () => {
				const answer = await failingAt(1, "is lost", () => fixture.claim(pCode));
				const headers = new Headers(answer.headers);
				headers.delete("Retry-After");
				return { ...answer, headers };
			}),
		/^answer: claim 503 without Retry-After/,
	],
};
