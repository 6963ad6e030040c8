import type { Operation } from "./described.ts";
import { type Person, pickPerson } from "./people.ts";
import { type Code, HOLDERS, type Member, PINS, type World } from "./world.ts";

/** What a call is about, chosen once so that its fields belong together. */
export interface Subject {
	world: World;
	operation: Operation;
	member: Member;
	code: Code | undefined;
	person: Person;
	random: () => number;
}

type Value = (subject: Subject) => unknown;

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const JPEG = Buffer.from("ffd8ffe000104a46494600", "hex");
const PDF = Buffer.from("%PDF-1.7\n%%EOF");

const picture: Value = ({ random }) =>
	one(random, [
		PNG.toString("base64"),
		`data:image/png;base64,${PNG.toString("base64")}`,
		`data:image/jpeg;base64,${JPEG.toString("base64")}`,
		`data:application/pdf;base64,${PDF.toString("base64")}`,
	]);

const purchaseCode: Value = ({ code, random }) => {
	const text = code?.code ?? "7K3M-9QXT-2B4C-H8WD";
	return random() < 0.9 ? text : one(random, [text.toLowerCase(), text.replaceAll("-", ""), ` ${text}`]);
};

/** Good values by the names that the document gives its fields and parameters. */
const VALUES: Record<string, Value> = {
	pCode: purchaseCode,
	p_code: purchaseCode,
	referenceId: ({ member, random }) => `ref-${member.marker}-${Math.floor(random() * 40)}`,
	dni: ({ person, random }) => (random() < 0.9 ? person.rut : person.rut.toLowerCase().replace(/^0+/, "")),
	email: ({ person, member, random }) => {
		// Now and then that of somebody else, which then is in use.
		const [number] = (random() < 0.95 ? person.rut : "11111111-1").split("-");
		return `h${number}.${member.marker}@${HOLDERS}`;
	},
	pin: ({ code, random }) => (random() < 0.9 && code?.pin ? code.pin : one(random, PINS)),
	serialNumber: ({ person, random }) => (random() < 0.95 ? person.serial : "999999999"),
	names: ({ person, random }) => (random() < 0.95 ? person.names.toLowerCase() : "Otro Nombre"),
	fLastname: ({ person }) => person.fatherSurname,
	mLastname: ({ person }) => person.motherSurname ?? "X",
	phone: () => "+56912345678",
	ssoCredential: ({ person, random }) =>
		random() < 0.9 ? `sso-${person.rut}` : one(random, ["sso-down", "sso-22222222-2", "rubbish"]),
	dniFront: picture,
	dniBack: picture,
	partnerCopy: ({ member }) => `copy.${member.marker}@${HOLDERS}`,
	fechaVencimiento: ({ person: { expiry }, random }) => {
		const [year, month, day] = expiry.split("-");
		return one(random, [expiry, `${day}-${month}-${year}`, `${day}/${month}/${year}`, "2030-01-01"]);
	},
	productCode: ({ member, random }) =>
		random() < 0.9
			? one(random, member.settings.allowed_products ?? ["FV00", "FV01"])
			: one(random, ["FV02", "FV03"]),
	quantity: ({ random }) => (random() < 0.02 ? 500 : 1 + Math.floor(random() * 3)),
	page: ({ random }) => 1 + Math.floor(random() * 3),
	limit: ({ random }) => one(random, [1, 2, 50, 500]),
	created_from: ({ random }) =>
		one(random, ["2026-01-01", "2026-11-21T10:00:00Z", "2020-02-29T00:00:00.5-03:00"]),
	created_to: ({ random }) => one(random, ["2199-12-31", "2030-01-01 00:00:00"]),
	external_reference_id: ({ member, random }) => one(random, member.references) ?? `ref-${member.marker}-0`,
	batch_id: ({ member, random }) => one(random, member.batches),
	id: ({ operation, world, random }) =>
		operation.path.includes("/deliveries/") ? one(random, world.deliveries) : one(random, world.victims),
	keyId: ({ world, random }) => one(random, world.victimKeys)?.[1],
	partner_id: ({ member }) => member.id,
	serial: ({ code, world, random }) => code?.serial ?? one(random, world.serials),
	entity: ({ code, member, world, random }) =>
		one(random, [
			`code:${code?.code}`,
			`partner:${member.id}`,
			`batch:${member.batches[0]}`,
			`evidence:${code?.code}`,
			`delivery:${world.deliveries[0]}`,
		]),
	job: ({ random }) =>
		one(random, ["reseal-rows", "verify-audit", "reconcile", "forget-emails", "erase-holders"]),
	verb: ({ random }) => one(random, ["block", "unblock", "block", "unblock", "cancel"]),
	side: ({ random }) => one(random, ["front", "back"]),
	validation: () => "2026",
	cursor: ({ world, random }) => one(random, world.cursors) ?? null,
	name: ({ random }) => `Victim ${Math.floor(random() * 1000)}`,
	label: () => "another key",
	reason: ({ operation }) => (operation.path.includes("/certificates/") ? undefined : "fuzz"),
	webhook_url: ({ random }) => one(random, ["https://partner.example/hook", null]),
	delivery_email: ({ random }) => one(random, ["victim@partner.example", null]),
	allowed_products: ({ random }) => one(random, [["FV01"], ["FV00", "FV01"], []]),
	webhook_events: ({ random }) => one(random, [["certificate.emitted"], []]),
	"idempotency-key": ({ random }) => `key-${Math.floor(random() * (random() < 0.5 ? 3 : 1e9))}`,
};

/** A value for a field or parameter of this name; undefined where only its schema knows. */
export function valueByName(name: string, subject: Subject): unknown {
	return VALUES[name]?.(subject);
}

export function chooseSubject(
	world: World,
	operation: Operation,
	member: Member,
	random: () => number,
): Subject {
	const states = statesFor(operation.path);
	const code = world.pickCode(member, one(random, states)!, random);
	const person = code?.person && random() < 0.8 ? code.person : pickPerson(random);
	return { world, operation, member, code, person, random };
}

/** The states of a code that lead deep into an operation, and now and then any other. */
function statesFor(path: string): Code["state"][] {
	const rare: Code["state"][] = ["emitted", "cancelled", "blocked", "locked", "expired"];
	if (path.endsWith("/certificate_request"))
		return [...Array(8).fill("fresh"), "validated", "validated", ...rare];
	if (path.endsWith("/certificate_claim")) return [...Array(6).fill("validated"), "fresh", ...rare];
	if (path.includes("/certificates/")) return ["emitted"];
	if (path.includes("/evidence/")) return ["validated", "emitted"];
	return ["fresh", "validated", ...rare];
}

export function one<Item>(random: () => number, items: readonly Item[]): Item {
	return items[Math.floor(random() * items.length)] as Item;
}
