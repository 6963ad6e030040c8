import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../../../../src/domain/durations.ts";
import { alone } from "../../../../support/alone.ts";
import { setTime, yearOfNext } from "../../../../support/clock.ts";
import { execute } from "../../../../support/db.ts";
import { everyPage } from "../../../../support/every-page.ts";
import { auditOf, codeRow } from "../../../../support/look-inside.ts";
import { emitted, listed, untilCrlIsBuilt } from "../../../../support/pki.ts";
import {
	type Answer,
	freshService,
	JUANA,
	loadHolder,
	ops,
	Partner,
	PEDRO,
} from "../../../../support/service.ts";

const YEAR = yearOfNext("03-10");

const NOON = Date.UTC(YEAR, 2, 10, 12);
const UNKNOWN = "7A".repeat(16);

beforeEach(freshService);
beforeEach(() => setTime(NOON));
afterEach(untilCrlIsBuilt);

function list(partner: Partner, query = ""): Promise<Answer> {
	return partner.get(`/api/partner/v1/certificates${query}`);
}

function search(partner: Partner, body: unknown): Promise<Answer> {
	return partner.post("/api/partner/v1/certificates/search", body);
}

function revoke(partner: Partner, serial: string, reason: unknown = "keyCompromise"): Promise<Answer> {
	return partner.desk("POST", `/certificates/${serial}/revoke`, { reason });
}

function serialsOf({ status, text, body }: Answer): string[] {
	if (status !== 200) throw new Error(text);
	return body.data.certificates.map(({ serialNumber }: { serialNumber: string }) => serialNumber);
}

type Emitted = Awaited<ReturnType<typeof emitted>>;

/** A valid, an expired and a revoked certificate, and one that was revoked and whose time is over. */
async function oneOfEach() {
	const partner = await Partner.create({ mode: "B2B" });
	const code = async (product: "FV00" | "FV01", n: number) => {
		const pCode = await partner.code(product);
		await partner.request({ pCode, ...loadHolder(n) });
		return String((await codeRow(pCode)).certificate_serial);
	};
	const [expired, over] = [await code("FV00", 1), await code("FV00", 2)];
	const [revoked, valid] = [await code("FV01", 3), await code("FV01", 4)];
	for (const serial of [over, revoked]) expect((await revoke(partner, serial)).status).toBe(200);
	setTime(NOON + 31 * DAY_MS);
	return { partner, expired, over, revoked, valid };
}

describe("GET /certificates", () => {
	test("a certificate's fields for its partner, without its holder", {
		tags: ["certificates-item"],
	}, async () => {
		const { partner, pCode, serial } = await emitted();
		const { status, body, text } = await list(partner);
		const at = (time: number) => new Date(time).toISOString();
		expect([status, body.data]).toEqual([
			200,
			{
				certificates: [
					{
						serialNumber: serial,
						p_code: pCode,
						product: "FV01",
						external_reference_id: JUANA.referenceId,
						validity: "valid",
						issued_at: at(NOON),
						validFrom: at(NOON - 5 * 60_000),
						validTo: `${YEAR + 1}-03-10T12:00:00.000Z`,
						revoked_at: null,
						revocation_reason: null,
					},
				],
				next: null,
			},
		]);
		expect(text).not.toMatch(/JUANA|P.REZ|11111111|juana@/);
		expect(text).not.toMatch(alone(JUANA.pin));
		expect(serialsOf(await list(await Partner.create()))).toEqual([]);
	});

	test("filters by present validity and by the end", { tags: ["certificates-filters"] }, async () => {
		const { partner, expired, over, revoked, valid } = await oneOfEach();
		const ended = [expired, over].sort();
		const running = [revoked, valid].sort();
		for (const [query, expected] of [
			["", [...ended, ...running]],
			["?validity=valid", [valid]],
			["?validity=expired", [expired]],
			["?validity=revoked", [over, revoked]],
			[`?expiring_before=${YEAR}-05-01`, ended],
			[`?expiring_before=${YEAR}-04-09T12:00:00Z`, []],
			[`?expiring_before=${YEAR}-04-09T12:00:00.001Z`, ended],
			[`?validity=valid&expiring_before=${YEAR + 1}-03-10T12:00:00Z`, []],
			[`?validity=valid&expiring_before=${YEAR + 1}-03-10T12:00:00.001Z`, [valid]],
			[`?validity=expired&expiring_before=${YEAR + 3}-01-01`, [expired]],
			[`?validity=revoked&expiring_before=${YEAR}-05-01`, [over]],
		] as const)
			expect([query, serialsOf(await list(partner, query))]).toEqual([query, expected]);
		const shown = (await list(partner)).body.data.certificates;
		const validities = shown.map(({ validity }: { validity: string }) => validity);
		expect(validities.sort()).toEqual(["expired", "revoked", "revoked", "valid"]);
		const { certificate_not_after } = await codeRow(shown[0].p_code);
		for (const [time, still, ended] of [
			[certificate_not_after - 1, [valid, expired].sort(), []],
			[certificate_not_after, [valid], [expired]],
		] as const) {
			setTime(time);
			expect(serialsOf(await list(partner, "?validity=valid")).sort()).toEqual(still);
			expect(serialsOf(await list(partner, "?validity=expired"))).toEqual(ended);
		}
	});

	test.for(["", "validity=expired&", "validity=revoked&"])(
		"page after page without a gap or a repetition, also of equal ends: ?%slimit=2",
		{ tags: ["certificates-pages"] },
		async (filter) => {
			const partner = await Partner.create();
			const rows = Array.from({ length: 10 }, (_, i) => ({
				serial: `${i}`.padStart(32, "A"),
				notAfter: NOON - 1000 + Math.floor(i / 3),
				revoked: filter.includes("revoked") || (filter === "" && i % 2) ? NOON : null,
			}));
			await plant(partner, rows);
			const pages = await everyPage(async (from) => {
				const answer = await list(partner, `?${filter}${new URLSearchParams({ limit: "2", ...from })}`);
				return { serials: serialsOf(answer), next: answer.body.data.next as string | null };
			});
			const seen = pages.map(({ serials }) => serials);
			expect(seen).toHaveLength(5);
			expect(seen.flat()).toEqual(rows.map(({ serial }) => serial));
		},
	);
});

/** Certificates without a call each: their codes are those of one batch. */
async function plant(
	partner: Partner,
	rows: readonly { serial: string; notAfter: number; revoked: number | null }[],
): Promise<void> {
	const { pcodes } = (await partner.bulk(rows.length)).body.data;
	await execute(
		`INSERT INTO certificates (serial, issuer_key_id, partner_id, code, issued_at, not_before, not_after, revoked_at)
		SELECT value ->> 'serial', 'c0ffee', ?, value ->> 'code', 1, 1, value ->> 'notAfter', value ->> 'revoked' FROM json_each(?)`,
		...[partner.id, JSON.stringify(rows.map((row, i) => ({ ...row, code: pcodes[i] })))],
	);
}

describe("POST /certificates/search", () => {
	test("the certificates of one RUT at this partner, by purchase code, page after page", {
		tags: ["certificates-search"],
	}, async () => {
		const partner = await Partner.create({ mode: "B2B" });
		const [first, second] = [await emitted(partner), await emitted(partner)].sort((a, b) =>
			a.pCode < b.pCode ? -1 : 1,
		) as [Emitted, Emitted];
		await emitted(partner, PEDRO);
		await emitted();
		for (const dni of ["11111111-1", "11.111.111-1"])
			expect(serialsOf(await search(partner, { dni }))).toEqual([first.serial, second.serial]);
		const page = await search(partner, { dni: JUANA.dni, limit: 1 });
		expect(serialsOf(page)).toEqual([first.serial]);
		const rest = await search(partner, { dni: JUANA.dni, limit: 1, cursor: page.body.data.next });
		expect([serialsOf(rest), rest.body.data.next]).toEqual([[second.serial], null]);
		expect(page.text).not.toMatch(/11111111|JUANA/);
		// A RUT that is validated only, or whose certificates are another partner's.
		const other = await Partner.create();
		await other.request({ pCode: await other.code(), ...JUANA });
		for (const { dni } of [JUANA, PEDRO]) expect(serialsOf(await search(other, { dni }))).toEqual([]);
	});
});

describe("POST /certificates/{serial}/revoke", () => {
	test("voids the partner's own certificate; the code stays EMITTED", { tags: ["own-revoke"] }, async () => {
		const { partner, pCode, serial } = await emitted();
		const { status, body } = await revoke(partner, serial.toLowerCase().match(/../g)!.join(":"));
		expect([status, body.data.certificate]).toEqual([
			200,
			expect.objectContaining({
				serialNumber: serial,
				p_code: pCode,
				validity: "revoked",
				revoked_at: new Date(NOON).toISOString(),
				revocation_reason: "keyCompromise",
			}),
		]);
		expect((await list(partner)).body.data.certificates).toEqual([body.data.certificate]);
		expect(await partner.status(pCode)).toBe("EMITTED");
		expect((await auditOf(pCode)).at(-1)).toBe(`revoke ${serial} keyCompromise`);
		expect((await listed(serial)).reason).toBe(1);
	});

	test("repeating is 200, after ops too: the first date and reason stay", {
		tags: ["own-revoke-repeated"],
	}, async () => {
		const { partner, pCode, serial } = await emitted();
		const first = await revoke(partner, serial);
		setTime(NOON + DAY_MS);
		const second = await revoke(partner, serial, "superseded");
		expect([second.status, second.text]).toEqual([200, first.text]);
		expect((await auditOf(pCode)).filter((entry) => entry.startsWith("revoke"))).toHaveLength(1);
		const other = await emitted(partner, PEDRO);
		const cancelled = { reason: "returned", revocation_reason: "superseded" };
		await ops("POST", `/pcodes/${other.pCode}/cancel`, cancelled);
		const { body } = await revoke(partner, other.serial);
		expect(body.data.certificate.revocation_reason).toBe("superseded");
	});

	test("one that was never handed out is answered like one that never was: 404", {
		tags: ["own-revoke-unknown"],
	}, async () => {
		const partner = await Partner.create();
		const reserved = "7B".repeat(16);
		await execute(
			"INSERT INTO certificates (serial, issuer_key_id, partner_id, code, revoked_at) VALUES (?, 'c0ffee', ?, ?, 1)",
			...[reserved, partner.id, await partner.code()],
		);
		const answers = await Promise.all([UNKNOWN, reserved, "short"].map((one) => revoke(partner, one)));
		expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
	});
});
