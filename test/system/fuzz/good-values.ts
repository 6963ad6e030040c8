import { checkDigit } from "../../../src/domain/rut.ts";
import { findIdentity, type SandboxIdentity } from "../../../src/sandbox/identities.ts";
import type { Operation } from "../../support/operations.ts";
import { type Code, HOLDERS, type Member, one, PINS, type Random, signsOn, type World } from "./world.ts";

/** Subject of a call, chosen once so that its fields belong together. */
export interface Subject {
	world: World;
	operation: Operation;
	member: Member;
	code: Code;
	identity: SandboxIdentity;
	random: Random;
}

const GOOD = ["11111111-1", "22222222-2", "12345678-5", "10000013-K", "5126663-3"];
const REFUSED = ["10000001-6", "10000002-4", "10000003-2"];
const FAILING = ["10000005-9", "10000007-5"];

/** Words that a body has to contain for the documented 503: these RUTs, or this credential. */
export const UNAVAILABLE_WORDS = [...FAILING.map((rut) => rut.split("-")[0]!), "sso-down"];

/** Mostly valid identities of the load range, so that one RUT's validations seldom meet. */
export function pickIdentity(random: Random): SandboxIdentity {
	const share = random();
	if (share < 0.2) return findIdentity(one(random, GOOD))!;
	if (share < 0.25) return findIdentity(one(random, REFUSED))!;
	if (share < 0.265) return findIdentity(one(random, FAILING))!;
	const number = 20_000_000 + Math.floor(random() * 1_000_000);
	return findIdentity(`${number}-${checkDigit(String(number))}`)!;
}

const PICTURES = [
	"89504e470d0a1a0a0000000d49484452",
	"ffd8ffe000104a46494600",
	"255044462d312e370a2525454f46",
].map((hex) => Buffer.from(hex, "hex").toString("base64"));
const [PNG, JPEG, PDF] = PICTURES;

type Value = (subject: Subject) => unknown;

const picture: Value = ({ random }) =>
	one(random, [
		...[PNG, `data:image/png;base64,${PNG}`, `data:image/jpeg;base64,${JPEG}`],
		`data:application/pdf;base64,${PDF}`,
	]);

const purchaseCode: Value = ({ code, random }) => {
	const text = code.code;
	return random() < 0.9 ? text : one(random, [text.toLowerCase(), text.replaceAll("-", ""), ` ${text}`]);
};

const oneOf =
	(...values: unknown[]): Value =>
	({ random }) =>
		one(random, values);

/** Good values by the names that the document gives its fields and parameters. */
const VALUES: Record<string, Value> = {
	pCode: purchaseCode,
	p_code: purchaseCode,
	referenceId: ({ member, random }) => `ref-${member.marker}-${Math.floor(random() * 40)}`,
	dni: ({ identity: { rut }, random }) => (random() < 0.9 ? rut : rut.toLowerCase().replace(/^0+/, "")),
	email: ({ identity, member, random }) => {
		// Now and then another holder's, which then is in use.
		const [number] = (random() < 0.95 ? identity.rut : "11111111-1").split("-");
		return `h${number}.${member.marker}@${HOLDERS}`;
	},
	pin: ({ code, random }) => (random() < 0.9 && code.pin ? code.pin : one(random, PINS)),
	serialNumber: ({ identity, random }) => (random() < 0.95 ? identity.cardSerial : "999999999"),
	names: ({ identity, random }) => (random() < 0.95 ? identity.person.names.toLowerCase() : "Otro Nombre"),
	fLastname: ({ identity }) => identity.person.fatherSurname,
	mLastname: ({ identity }) => identity.person.motherSurname ?? "X",
	phone: () => "+56912345678",
	ssoCredential: ({ identity, random }) =>
		random() < 0.9 ? `sso-${identity.rut}` : one(random, ["sso-down", "sso-22222222-2", "rubbish"]),
	dniFront: picture,
	dniBack: picture,
	partnerCopy: ({ member }) => `copy.${member.marker}@${HOLDERS}`,
	fechaVencimiento: ({ identity, random }) => {
		const expiry = identity.person.cardExpiry;
		const [year, month, day] = expiry.split("-");
		return one(random, [expiry, `${day}-${month}-${year}`, `${day}/${month}/${year}`, "2030-01-01"]);
	},
	productCode: ({ member, random }) =>
		one(random, random() < 0.9 || !member.settings.allowed_products ? ["FV00", "FV01"] : ["FV02", "FV03"]),
	quantity: ({ random }) => (random() < 0.02 ? 500 : 1 + Math.floor(random() * 3)),
	page: oneOf(1, 2, 3),
	limit: oneOf(1, 2, 50, 500),
	created_from: oneOf("2026-01-01", "2026-11-21T10:00:00Z", "2020-02-29T00:00:00.5-03:00"),
	created_to: oneOf("2199-12-31", "2030-01-01 00:00:00"),
	external_reference_id: ({ member }) => `ref-${member.marker}-0`,
	batch_id: ({ member }) => member.batch,
	id: ({ operation, world, random }) =>
		operation.path.includes("/deliveries/") ? one(random, world.deliveries) : one(random, world.victims).id,
	partner_id: ({ member }) => member.partner.id,
	serial: ({ code, world, random }) => code.serial ?? one(random, world.serials),
	entity: ({ code, member, world, random }) =>
		one(random, [
			...[`code:${code.code}`, `evidence:${code.code}`, `partner:${member.partner.id}`],
			...[`batch:${member.batch}`, `delivery:${world.deliveries[0]}`],
		]),
	restored_to: oneOf("2026-01-31T09:30:00Z"),
	job: oneOf("reseal-rows", "digest-audit", "verify-audit", "reconcile", "forget-emails", "erase-holders"),
	verb: oneOf("block", "unblock", "block", "unblock", "cancel"),
	side: oneOf("front", "back"),
	validation: () => "2026",
	cursor: () => null,
	name: ({ random }) => `Victim ${Math.floor(random() * 1000)}`,
	label: () => "another key",
	reason: ({ operation }) => (operation.path.includes("/certificates/") ? undefined : "fuzz"),
	webhook_url: oneOf("https://partner.example/hook", null),
	delivery_email: oneOf("victim@partner.example", null),
	allowed_products: oneOf(["FV01"], ["FV00", "FV01"], []),
	webhook_events: oneOf(["certificate.emitted"], []),
	type: oneOf("pcode.validated", "ping"),
	// A clock that goes days ahead would end the codes that the other calls need.
	advance: oneOf("PT1S", "PT5S"),
	wait_seconds: oneOf(0, 1),
	"idempotency-key": ({ random }) => `key-${Math.floor(random() * (random() < 0.5 ? 3 : 1e9))}`,
};

/** A value for a field or parameter of this name; undefined where only its schema knows. */
export function goodValue(name: string, subject: Subject): unknown {
	return VALUES[name]?.(subject);
}

/** Fields of the full flow, which the reduced one refuses. */
const FULL_FLOW = ["names", "fLastname", "phone"];
const OPTIONAL_SENT = 0.3;

/** Whether an optional field is sent: what the partner's flow asks for mostly is, what it refuses mostly not. */
export function isWanted(name: string, { operation, member, random }: Subject): boolean {
	if (!operation.path.endsWith("/certificate_request")) return random() < OPTIONAL_SENT;
	const { require_cedula_serie, validate_vencimiento } = member.settings;
	const full = require_cedula_serie === 0;
	if (FULL_FLOW.includes(name)) return random() < (full ? 0.95 : 0.03);
	if (name === "serialNumber") return random() < (signsOn(member.settings) ? 0.1 : 0.95);
	if (name === "ssoCredential") return random() < (signsOn(member.settings) ? 0.9 : 0.15);
	if (name === "fechaVencimiento") return random() < (validate_vencimiento ? 0.9 : 0.1);
	return random() < 0.1;
}
