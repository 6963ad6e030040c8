import { DAY_MS } from "../../../src/domain/durations.ts";
import { findIdentity, type SandboxIdentity } from "../../../src/sandbox/identities.ts";
import { type Code, Fixtures, HOLDERS, type Member, PINS, type Settings, signsOn } from "./fixtures.ts";
import type { WireClient } from "./wire-client.ts";
import { type Asked, ask } from "./wire-client.ts";

/** Settings of the partners, by turns: both modes, both flows, and each that turns a call into another. */
const SETTINGS: Settings[] = [
	{},
	{ mode: "B2B" },
	{ require_cedula_serie: 0 },
	{ validate_vencimiento: 1 },
	{ require_cedula_serie: 0, require_sso: 0 },
	{ mode: "B2B", require_cedula_serie: 0, pfx_profile: "legacy" },
	{ allowed_products: ["FV00", "FV01"], key_algorithm: "rsa-2048" },
];
const CODES_EACH = 12;
const WINDOW_MS = 15 * DAY_MS;

/** Partners with codes in every state, reached by calls; only the expired ones are made so in the database. */
export async function createFixtures(
	{ client, opsToken, db, hook }: { client: WireClient; opsToken: string; db: D1Database; hook: string },
	partners: number,
	random: () => number,
): Promise<Fixtures> {
	const fixtures = new Fixtures(opsToken);
	const call: Call = (credentials, method, path, body) => ask(client, { credentials, method, path, body });
	const asOps: AsOps = (method, path, body) =>
		call(`Authorization: Bearer ${opsToken}`, method, `/ops/v1${path}`, body);
	for (let i = 0; i < partners; i++) {
		const member = await createMember(asOps, SETTINGS[i % SETTINGS.length]!, hook, random);
		fixtures.members.push(member);
		await createCodes({ fixtures, member, call, asOps, db, locks: i % 3 === 0 });
	}
	for (let i = 0; i < 5; i++) {
		const { body } = await asOps("POST", "/partners", { name: `Victim ${i}` });
		fixtures.victims.push(body.data.partner.id);
		const added = await asOps("POST", `/partners/${body.data.partner.id}/keys`, { label: "second" });
		fixtures.victimKeys.push([body.data.partner.id, added.body.data.key.id]);
		if (i === 0) fixtures.deadKeys.push(body.data.api_key);
	}
	await asOps("PATCH", `/partners/${fixtures.victims[0]}`, { suspended: true });
	return fixtures;
}

type Call = (credentials: string, method: string, path: string, body?: unknown) => Promise<Asked>;
type AsOps = (method: string, path: string, body?: unknown) => Promise<Asked>;

async function createMember(
	asOps: AsOps,
	settings: Settings,
	hook: string,
	random: () => number,
): Promise<Member> {
	const letters = Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join("");
	const marker = `mk${letters}zz`;
	const delivery = settings.mode === "B2B" ? { webhook_url: `${hook}/${marker}` } : {};
	const asked = { name: `Partner ${marker}`, key_algorithm: "ec-p256", ...settings, ...delivery };
	const { status, body } = await asOps("POST", "/partners", asked);
	if (status !== 201) throw new Error(`ops refused a partner: ${status} ${JSON.stringify(body)}`);
	const { partner, api_key } = body.data;
	return { marker, id: partner.id, key: api_key, settings, codes: [], batches: [], references: [] };
}

interface Stage {
	fixtures: Fixtures;
	member: Member;
	call: Call;
	asOps: AsOps;
	db: D1Database;
	/** Spends the attempts of one code, too. */
	locks: boolean;
}

async function createCodes({ fixtures, member, call, asOps, db, locks }: Stage): Promise<void> {
	const credentials = `x-gw: ${member.key}`;
	const redeem = "/api/partners/v1/certificate_";
	const product = member.settings.allowed_products?.[0] ?? "FV01";
	const bulk = { productCode: product, quantity: CODES_EACH };
	const { body } = await call(credentials, "POST", "/api/partner/v1/pcode/bulk", bulk);
	const [cancelled, blocked, validated, claimed, locked, expired] = fixtures.addBatch(
		member,
		body.data.batchId,
		body.data.pcodes,
	) as [Code, Code, Code, Code, Code, Code];
	await asOps("POST", `/pcodes/${cancelled.code}/cancel`, { reason: "fuzz" });
	await asOps("POST", `/pcodes/${blocked.code}/block`, { reason: "fuzz" });
	cancelled.state = "cancelled";
	blocked.state = "blocked";

	const identities = [findIdentity("11111111-1")!, findIdentity("22222222-2")!] as const;
	for (const [i, code] of [validated, claimed].entries()) {
		const pin = PINS[i]!;
		const asked = await call(credentials, "POST", `${redeem}request`, request(code, identities[i]!, pin));
		if (asked.status !== 200) throw new Error(`not validated: ${asked.status} ${JSON.stringify(asked.body)}`);
		const { status, certificate } = asked.body.data;
		Object.assign(code, {
			state: status === "EMITTED" ? "emitted" : "validated",
			identity: identities[i],
			pin,
		});
		if (certificate) noteSerial(fixtures, code, certificate.serialNumber);
	}
	if (claimed.state === "validated") {
		const claim = { p_code: claimed.code, dni: identities[1].rut, pin: PINS[1] };
		const asked = await call(credentials, "POST", `${redeem}claim`, claim);
		claimed.state = "emitted";
		noteSerial(fixtures, claimed, asked.body.data.serialNumber);
	}
	for (let i = 0; locks && i < 3; i++) {
		const wrong = { ...request(locked, findIdentity("10000001-6")!, PINS[2]) };
		await call(credentials, "POST", `${redeem}request`, wrong);
		locked.state = "locked";
	}
	const createdAt = Date.now() - WINDOW_MS;
	await db
		.prepare("UPDATE purchase_codes SET created_at = ? WHERE code = ?")
		.bind(createdAt, expired.code)
		.run();
	expired.state = "expired";
}

function noteSerial(fixtures: Fixtures, code: Code, serial: string): void {
	code.serial = serial;
	fixtures.serials.push(serial);
}

/** Request for an identity under these settings. */
function request(
	{ code, owner }: Code,
	{ rut, cardSerial, person }: SandboxIdentity,
	pin: string,
): Record<string, unknown> {
	const full = owner.settings.require_cedula_serie === 0;
	const [year, month, day] = person.cardExpiry.split("-");
	return {
		pCode: code,
		referenceId: `ref-${owner.marker}-0`,
		dni: rut,
		email: `h${rut.split("-")[0]}.${owner.marker}@${HOLDERS}`,
		pin,
		dniFront: "data:image/png;base64,iVBORw0KGgo=",
		...(full && { names: person.names, fLastname: person.fatherSurname, phone: "+56912345678" }),
		...(signsOn(owner.settings) ? { ssoCredential: `sso-${rut}` } : { serialNumber: cardSerial }),
		...(owner.settings.validate_vencimiento && { fechaVencimiento: `${day}/${month}/${year}` }),
	};
}
