import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { HOUR_MS } from "../../../src/domain/durations.ts";
import { PurchaseCodeObject } from "../../../src/objects/purchase-code.ts";
import { execute } from "../../support/db.ts";
import { dyingAt, interceptDb } from "../../support/failing-db.ts";
import { codeObject } from "../../support/look-inside.ts";
import { d1Error } from "./db-faults.ts";
import { PICTURE } from "./expect-all-holds.ts";
import { claimForgetting, forgetting, type SeededFaults } from "./seed-faults.ts";
import { typed } from "./widget-steps.ts";

/** Against invariants 1 to 4: what is stored, and what was answered about it. */
export const SEEDED_IN_DB: SeededFaults = {
	"the certificate is not entered": [
		claimForgetting(/^insert into "certificates"/),
		/^2: \w+ was signed and is not entered/,
	],
	"the change has no audit row": [
		claimForgetting(/^insert into "audit_events"/),
		/^3: claim answered 200, and no audit row says emitted/,
	],
	"the code does not change": [
		claimForgetting(/^update "purchase_codes" set "version"/),
		/left, and it does not read EMITTED/,
	],
	"acknowledged codes are missing": [
		async ({ fixture, partner }) => {
			const order = () => fixture.call("bulk", () => partner.bulk(2), { partner });
			await forgetting(/INSERT INTO purchase_codes/, order);
		},
		/^3: \S+ of the acknowledged \w+ is missing/,
	],
	"a wrong card is a free guess": [
		async ({ fixture, partner }) => {
			const pCode = await fixture.code(partner);
			const guess = () => fixture.request(pCode, { serialNumber: "999999999" });
			await forgetting(/^insert into "audit_events"|^update "purchase_codes" set "version"/, guess);
		},
		/^3: request answered 406, and no audit row says validation_failed/,
	],
	"a second certificate leaves": [
		async ({ fixture, partner, pCode }) => {
			await fixture.claim(pCode);
			await execute("UPDATE purchase_codes SET issued_at = NULL WHERE code = ?", pCode);
			// The object would mend the row from its memory.
			await runInDurableObject(codeObject(partner, pCode), (_, { storage }) => {
				for (const [key] of storage.kv.list({ prefix: "certificate:" })) storage.kv.delete(key);
			});
			await fixture.request(pCode);
			await fixture.claim(pCode);
		},
		/^1: \S+: 2 certificates have left/,
	],
	"a code stays in process": [
		({ pCode }) =>
			execute("UPDATE purchase_codes SET processing_until = ? WHERE code = ?", Date.now() + HOUR_MS, pCode),
		/^4: \S+ reads processing for \d+ ms more/,
	],
	"an object keeps what was typed in no session": [
		async ({ fixture, partner }) => {
			const pCode = await typed(fixture, partner);
			await execute("DELETE FROM onboarding_sessions WHERE code = ?", pCode);
			await execute("UPDATE purchase_codes SET onboarding_until = NULL WHERE code = ?", pCode);
		},
		/^4: the object of \S+ keeps os_\w+, which is no session of it/,
	],
	"an answer stays a draft": [
		({ partner, pCode }) =>
			runInDurableObject(codeObject(partner, pCode), (_, { storage }) => {
				storage.kv.put("answer:x", {
					fingerprint: "",
					sealed: new Uint8Array(),
					draftOf: "run",
					expiresAt: Date.now() + HOUR_MS,
				});
			}),
		/^4: \S+ has a answer:x that no run ends/,
	],
	"a picture is gone": [
		async ({ fixture, partner }) => {
			await fixture.request(await fixture.code(partner), { dniFront: PICTURE });
			await env.EVIDENCE.delete((await env.EVIDENCE.list()).objects.map(({ key }) => key));
		},
		/^3: the picture \S+ of \S+ is gone/,
	],
	"a serial that was signed for nothing is not revoked": [
		async ({ fixture, pCode }) => {
			const commits = { failed: false };
			await interceptDb(
				(_, deliver, sql) => {
					if (commits.failed || !sql.includes('insert into "certificates"')) return deliver();
					commits.failed = true;
					return Promise.reject(d1Error());
				},
				() => fixture.claim(pCode),
			);
			await execute("UPDATE certificates SET revoked_at = NULL WHERE code = ?", pCode);
		},
		/^2: \w+ is good, and \S+ does not name it/,
	],
	"an alarm recovers nothing": [
		async ({ fixture, partner, pCode }) => {
			fixture.inDoubt = true;
			await partner.list();
			await dyingAt(2, "is lost", () => fixture.claim(pCode));
			vi.spyOn(PurchaseCodeObject.prototype, "alarm").mockResolvedValue();
		},
		/^4: \S+: the lease outlives its alarm/,
	],
};
