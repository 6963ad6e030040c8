import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { openHolder } from "../../../../src/db/holders.ts";
import { platformOf } from "../../../../src/platform.ts";
import { failingAt, tripsDuring } from "../../../support/failing-db.ts";
import { dumpRegister, select, selectOfNobody } from "../../../support/look-inside.ts";
import { emitted } from "../../../support/pki.ts";
import { freshService, JUANA, loadHolder, ops, Partner, PEDRO } from "../../../support/service.ts";

beforeAll(freshService);

const search = (dni: string, reason = "ticket 4711") => ops("POST", "/holders/search", { dni, reason });

test("finds a RUT's codes at every partner, issued or not, and nobody else's", {
	tags: ["holder-across-partners"],
}, async () => {
	const { partner, pCode, serial } = await emitted();
	const other = await Partner.create({ name: "Notaría Ñuñoa" });
	const [waiting, pedros] = [await other.code(), await other.code()];
	await other.request({ ...JUANA, pCode: waiting });
	await other.request({ ...PEDRO, pCode: pedros });
	const { status, body, text } = await search(JUANA.dni);
	expect(status).toBe(200);
	const found = { p_code: pCode, partner_id: partner.id, status: "EMITTED", certificate_serial: serial };
	expect(body.data).toEqual({
		codes: [
			expect.objectContaining({ p_code: waiting, partner_name: "Notaría Ñuñoa", status: "VALIDATED" }),
			expect.objectContaining({ ...found, revoked_at: null }),
		],
		more: false,
		silent: [],
	});
	expect(text).not.toMatch(/JUANA|juana@/i);
	await ops("POST", `/certificates/${serial}/revoke`, { reason: "superseded" });
	expect((await search("11.111.111-1")).body.data.codes[1]).toMatchObject({
		revocation_reason: "superseded",
	});
});

test("each search is in its searcher's chain with reason and codes found, never with the RUT", {
	tags: ["holder-looked-up"],
}, async () => {
	await search("5126663-3", "a call from the holder");
	const { body } = await ops("GET", "/audit/holder_search:token");
	expect(body.data.faults).toEqual([]);
	const last = body.data.events.at(-1);
	expect(last).toMatchObject({ actor: "ops:token", action: "holder_searched", partner_id: "" });
	expect(last.outcome).toBe("a call from the holder | ");
	expect(body.data.events.at(-2).outcome).toMatch(/^ticket 4711 \| (\S{19} ?)+$/);
	expect(await dumpRegister()).not.toMatch(/5126663|5\.126\.663/);
});

test("searches of one person at the same moment are all recorded", async () => {
	const searches = "SELECT 1 FROM audit_events WHERE action = 'holder_searched'";
	const before = await selectOfNobody(searches);
	await Promise.all(Array.from({ length: 5 }, () => search(PEDRO.dni)));
	expect(await selectOfNobody(searches)).toHaveLength(before.length + 5);
});

test("nothing is answered that could not be recorded, and three trips suffice, one after the other", {
	tags: ["holder-looked-up"],
}, async () => {
	const [, trips] = await tripsDuring(() => search(PEDRO.dni));
	// Both databases are asked side by side; the one without partners is asked once.
	expect(trips).toHaveLength(5);
	const { status, text } = await failingAt(5, "is lost", () => search(PEDRO.dni));
	expect([status, text.includes("p_code")]).toEqual([503, false]);
});

test("shows what is kept of a RUT, masked, and erases what need not be; both are in the audit with their reason", {
	tags: ["holder-looked-up"],
}, async () => {
	const holder = loadHolder(4711);
	const { pCode } = await emitted(undefined, holder);
	const partner = await Partner.create();
	const waiting = await partner.code();
	await partner.request({ ...holder, pCode: waiting });
	const asked = { dni: holder.dni, reason: "ticket 4712" };
	const { body, text } = await ops("POST", "/holders/data", asked);
	expect(body.data.codes).toMatchObject([
		{ p_code: waiting, rut: holder.dni, kept_for: "claim" },
		{ p_code: pCode, rut: holder.dni, kept_for: "register" },
	]);
	const [row] = await select("SELECT * FROM holders WHERE code = ?", waiting);
	const { fullName } = await openHolder((await platformOf(env)).sealer, waiting, {
		...{ rutSealed: row!.rut_sealed, fullNameSealed: row!.full_name_sealed, emailSealed: row!.email_sealed },
		...{ phoneSealed: null, partnerCopySealed: null, renews: null, language: null },
	});
	for (const hidden of [holder.email, fullName, fullName.split(" ")[0]!]) expect(text).not.toContain(hidden);
	const { codes } = (await ops("POST", "/holders/erase", asked)).body.data;
	expect(codes).toEqual([
		{ p_code: waiting, partner_id: partner.id, outcome: "erased" },
		{ p_code: pCode, partner_id: expect.any(String), outcome: "kept" },
	]);
	expect((await ops("POST", "/holders/data", asked)).body.data.codes).toMatchObject([{ p_code: pCode }]);
	const { events } = (await ops("GET", "/audit/holder_search:token")).body.data;
	const outcome = `ticket 4712 | ${waiting} ${pCode}`;
	expect(events.slice(-3)).toMatchObject([
		{ action: "holder_shown", outcome },
		{ action: "holder_erasure_asked", outcome },
		{ action: "holder_shown", outcome: `ticket 4712 | ${pCode}` },
	]);
});
