import { type BenchPartner, createCodes, createPartner } from "../../../bench/bench-partner.ts";
import { type BenchService, startService } from "../../../bench/start-service.ts";
import { checkDigit } from "../../../src/domain/rut.ts";

export type Row = Record<string, string | number | null>;

/** Rows that a code has of its own, and how each finds it. */
const OF_A_CODE = {
	purchase_codes: "code = ?",
	audit_events: "entity = 'code:' || ?",
	holders: "code = ?",
	certificates: "code = ?",
} as const;

/** What the register of a real service holds of codes that went from their batch to their certificate, a code each. */
export type Life = Record<keyof typeof OF_A_CODE, Row[]>;

export async function sampleLives(codes: number): Promise<Life[]> {
	const service = await startService();
	try {
		const lives: Life[] = [];
		for (let n = 0; n < codes; n++) lives.push(await live(service, await createPartner(service), n));
		return lives;
	} finally {
		await service.stop();
	}
}

/** A code of a partner in reduced flow, B2C: validated once, claimed once. */
async function live(service: BenchService, partner: BenchPartner, n: number): Promise<Life> {
	const { client, db } = service;
	const [code = ""] = await createCodes(service, partner, 1);
	const number = 20_000_000 + n;
	const dni = `${number}-${checkDigit(String(number))}`;
	const post = (call: string, body: object) =>
		client.expect(200, { method: "POST", path: `/api/partners/v1/${call}`, headers: partner.headers, body });
	await post("certificate_request", {
		pCode: code,
		referenceId: `order-${100_000_000 + n}`,
		dni,
		email: `some.holder.${n}@example.cl`,
		pin: "1357",
		serialNumber: String(number).padStart(9, "0"),
	});
	await post("certificate_claim", { p_code: code, dni, pin: "1357" });
	const life: Partial<Life> = {};
	for (const [table, where] of Object.entries(OF_A_CODE))
		life[table as keyof Life] = (
			await db.prepare(`SELECT * FROM ${table} WHERE ${where}`).bind(code).all<Row>()
		).results;
	return life as Life;
}
