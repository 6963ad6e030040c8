import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { failingAt, failingFrom } from "../../support/failing-register.ts";
import { codeObject, HOUR } from "../../support/look-inside.ts";
import { type Crimes, leaveOutPartner, run } from "./break-promises.ts";
import { WEBHOOK } from "./use-cases.ts";

/** Against invariants 5 and 6, and against what a caller may be told. */
export const CRIMES_SEEN_OUTSIDE: Crimes = {
	"the PIN is in the log": [
		async () => console.log('{"event":"request","pin":"1357"}'),
		/^5: a PIN \(.*\) lies in log/,
	],
	"the key is in the register": [
		({ partner }) => run("UPDATE partners SET name = ? WHERE id = ?", `key ${partner.key}`, partner.id),
		/^5: gw_dev_\w+ lies in D1/,
	],
	"the holder is in an object": [
		({ world, partner, pCode }) =>
			runInDurableObject(codeObject(partner, pCode), (_, { storage }) => {
				const sealed = new TextEncoder().encode(world.codes.get(pCode)!.holder.email);
				storage.kv.put("answer:y", { fingerprint: "", sealed, draftOf: null, expiresAt: Date.now() + HOUR });
			}),
		/^5: holder-0@example\.cl lies in objects/,
	],
	"a query does not say whose": [
		({ world, partner, pCode }) =>
			world.call(
				"status",
				async () => {
					await env.DB.prepare("SELECT code FROM purchase_codes WHERE code = ?").bind(pCode).run();
					return partner.get(`/api/partners/v1/status?p_code=${pCode}`);
				},
				{ partner },
			),
		/^6: without partner_id: SELECT code FROM purchase_codes/,
	],
	"a query is about somebody else": [
		async ({ world, partner }) => {
			const other = await world.partner();
			await world.call(
				"list",
				async () => {
					await run("UPDATE batches SET product = product WHERE partner_id = ?", other.id);
					return partner.list();
				},
				{ partner },
			);
		},
		/^6: another partner's id is bound: UPDATE batches/,
	],
	"a 503 has changed something": [
		async ({ world, partner }) => {
			await partner.list();
			await world.call("bulk", () => failingFrom(1, "arrives", () => partner.bulk(2)), { partner });
		},
		/^answer: bulk 503, and yet created 2 FV01/,
	],
	"an answer is a bug's": [
		({ world, pCode }) => {
			vi.spyOn(crypto.subtle, "generateKey").mockRejectedValueOnce(new Error("no entropy"));
			return world.claim(pCode);
		},
		/^answer: claim {2}500: .*INTERNAL_ERROR/,
	],
	"a delivery is marked without saying whose": [
		async ({ world }) => {
			const b2b = await world.partner({ mode: "B2B", ...WEBHOOK });
			const pCode = await world.code(b2b);
			leaveOutPartner("outbox");
			await world.request(pCode);
			await world.deliverAll();
		},
		/^6: (does not say whose row|without partner_id): update "outbox"/,
	],
	"a certificate is revoked without saying whose": [
		async ({ world, pCode }) => {
			await world.claim(pCode);
			leaveOutPartner("certificates");
			await world.ops("POST", `/pcodes/${pCode}/cancel`, { reason: "x" }, pCode);
		},
		/^6: does not say whose row: update "certificates"/,
	],
	"a 503 does not say when to come again": [
		({ world, pCode }) =>
			world.call("claim", async () => {
				const answer = await failingAt(1, "is lost", () => world.claim(pCode));
				const headers = new Headers(answer.headers);
				headers.delete("Retry-After");
				return { ...answer, headers };
			}),
		/^answer: claim 503 without Retry-After/,
	],
	"an answer takes its time": [
		({ world, partner }) => {
			const started = performance.now();
			vi.spyOn(performance, "now").mockReturnValueOnce(started - 21_000);
			return world.call("list", () => partner.list(), { partner });
		},
		/^answer: list took 21\d{3} ms/,
	],
};
