import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, expect, test, vi } from "vitest";
import { failingFrom } from "../support/failing-register.ts";
import { codeObject, HOUR } from "../support/look-inside.ts";
import type { Partner } from "../support/service.ts";
import { endWorlds, PICTURE } from "./expect-all-holds.ts";
import { carryOn, checkInvariants } from "./invariants.ts";
import { World } from "./world.ts";

/* The checker itself: a service that is made to break a promise, and the line that must tell of it. */

afterAll(endWorlds);

interface Stage {
	world: World;
	partner: Partner;
	/** Validated, never claimed. */
	pCode: string;
}

/** From now on D1 leaves out of each batch what matches, and says that it did it. */
function forgetStatements(pattern: RegExp): void {
	type Batch = (this: unknown, statements: { statement: string }[]) => Promise<unknown[]>;
	const prototype = Object.getPrototypeOf(env.DB) as { batch: Batch };
	const original = prototype.batch;
	vi.spyOn(prototype, "batch").mockImplementation(async function (this: unknown, statements) {
		const kept = statements.filter(({ statement }) => !pattern.test(statement));
		const results = kept.length > 0 ? await original.call(this, kept) : [];
		const nothing = { results: [], success: true, meta: { changes: 1 } };
		return statements.map((statement) =>
			kept.includes(statement) ? results[kept.indexOf(statement)] : nothing,
		);
	});
}

function remember(): void {
	vi.mocked(Object.getPrototypeOf(env.DB).batch).mockRestore();
}

/** A claim while D1 forgets. */
function claimForgetting(pattern: RegExp) {
	return async ({ world, pCode }: Stage) => {
		forgetStatements(pattern);
		await world.claim(pCode);
		remember();
	};
}

const run = (sql: string, ...values: unknown[]) =>
	env.DB.prepare(sql)
		.bind(...values)
		.run();

const CRIMES: Record<string, [crime: (stage: Stage) => Promise<unknown>, told: RegExp]> = {
	"the certificate is not entered": [
		claimForgetting(/^insert into "certificates"/),
		/^2: \w+ was signed and is in no register/,
	],
	"the certificate is not entered, told by the register": [
		claimForgetting(/^insert into "certificates"/),
		/^reconcile: certificate_missing/,
	],
	"the change has no audit row": [
		claimForgetting(/^insert into "audit_events"/),
		/^3: claim told 200, and no audit row says emitted/,
	],
	"the change has no audit row, told by the chain": [
		claimForgetting(/^insert into "audit_events"/),
		/^audit: code:\S+ truncated/,
	],
	"the code does not change": [
		claimForgetting(/^update "purchase_codes" set "version"/),
		/left, and does not read EMITTED/,
	],
	"the answer comes without its commit": [
		claimForgetting(/^(insert|update)/),
		/^3: claim told 200, and the certificate \w+ is not in the register/,
	],
	"codes that were told are not there": [
		async ({ world, partner }) => {
			forgetStatements(/INSERT INTO purchase_codes/);
			await world.call("bulk", () => partner.bulk(2), { partner });
			remember();
		},
		/^3: bulk told 201, and 2 codes are not there/,
	],
	"a wrong card is a free guess": [
		async ({ world, partner }) => {
			const pCode = await world.code(partner);
			forgetStatements(/^insert into "audit_events"|^update "purchase_codes" set "version"/);
			await world.request(pCode, { serialNumber: "999999999" });
			remember();
		},
		/^3: request told 406, and no audit row says validation_failed/,
	],
	"a second certificate leaves": [
		async ({ world, pCode }) => {
			await world.claim(pCode);
			await run("UPDATE purchase_codes SET issued_at = NULL WHERE code = ?", pCode);
			await world.request(pCode);
			await world.claim(pCode);
		},
		/^1: \S+: 2 certificates have left/,
	],
	"a code stays in process": [
		({ pCode }) =>
			run("UPDATE purchase_codes SET processing_until = ? WHERE code = ?", Date.now() + HOUR, pCode),
		/^4: \S+ reads processing for \d+ ms more/,
	],
	"an answer stays a draft": [
		({ partner, pCode }) =>
			runInDurableObject(codeObject(partner, pCode), (_, { storage }) => {
				storage.kv.put("answer:x", {
					fingerprint: "",
					sealed: new Uint8Array(),
					draftOf: "run",
					expiresAt: Date.now() + HOUR,
				});
			}),
		/^4: \S+ has a answer:x that no run ends/,
	],
	"a picture is gone": [
		async ({ world, partner }) => {
			await world.request(await world.code(partner), { dniFront: PICTURE });
			await env.EVIDENCE.delete((await env.EVIDENCE.list()).objects.map(({ key }) => key));
		},
		/^3: the picture \S+ is gone/,
	],
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
};

test.each(Object.keys(CRIMES))("%s: the check says so", async (name) => {
	const world = await World.create();
	const partner = await world.partner();
	const pCode = await world.validated(partner);
	expect(await checkInvariants(world)).toEqual([]);
	const [crime, told] = CRIMES[name]!;
	await crime({ world, partner, pCode });
	expect(await checkInvariants(world)).toContainEqual(expect.stringMatching(told));
});

test("a code that cannot be claimed any more: carrying on says so", async () => {
	const world = await World.create();
	const pCode = await world.validated(await world.partner());
	await run("UPDATE holders SET rut_index = ? WHERE code = ?", "A".repeat(43), pCode);
	expect(await carryOn(world)).toEqual([
		expect.stringMatching(/^4: \S+ cannot be carried on: VALIDATED 406/),
	]);
});
