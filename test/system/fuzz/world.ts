import { DAY_MS } from "../../../src/domain/durations.ts";
import { findIdentity, type SandboxIdentity } from "../../../src/sandbox/identities.ts";
import { REGISTER } from "../../support/db.ts";
import { type Answer, ops, Partner, type Settings } from "../../support/service.ts";

export const CODE_STATES = [
	...(["fresh", "validated", "emitted", "cancelled", "blocked", "locked", "expired"] as const),
];
export type CodeState = (typeof CODE_STATES)[number];

export interface Code {
	code: string;
	owner: Member;
	/** State as far as the answers show: calls run at the same time. */
	state: CodeState;
	/** Whom it was validated for, and with which PIN. */
	identity?: SandboxIdentity;
	pin?: string;
	serial?: string;
}

/** A partner that calls. Everything that is its own holds its marker, so that a leak to another one shows. */
export interface Member {
	marker: string;
	partner: Partner;
	/** Its key of every scope. */
	key: string;
	settings: Settings;
	codes: Code[];
	batch: string;
}

export type Random = () => number;

export function one<Item>(random: Random, items: readonly Item[]): Item {
	return items[Math.floor(random() * items.length)] as Item;
}

/** The full flow signs on by default; every other validation asks for the card's serial. */
export function signsOn({ require_cedula_serie, require_sso = 1 }: Settings): boolean {
	return require_cedula_serie === 0 && require_sso === 1;
}

/** PINs of all holders; no answer may contain one. */
export const PINS = ["7391", "8264", "0957"] as const;
/** Domain of every holder's e-mail: ops answers hold no personal data, so they hold no such address. */
export const HOLDERS = "holders.example";
export const MARKER = /mk[0-9a-z]{4}zz/g;

/** Settings of the partners: both modes, both flows, and each that turns a call into another. */
const SETTINGS: Settings[] = [
	{},
	{ mode: "B2B" },
	{ require_cedula_serie: 0 },
	{ validate_vencimiento: 1 },
	{ require_cedula_serie: 0, require_sso: 0 },
	{ mode: "B2B", require_cedula_serie: 0, pfx_profile: "legacy" },
	{ allowed_products: ["FV00", "FV01"] },
];

/** Known contents of the service: partners with codes in every state, and what ops change as they like. */
export class World {
	readonly members: Member[] = [];
	readonly codes = new Map<string, Code>();
	readonly victims: Partner[] = [];
	readonly serials: string[] = [];
	readonly deliveries: string[] = [];

	static async create(): Promise<World> {
		const world = new World();
		for (const [i, settings] of SETTINGS.entries()) await world.#addMember(`mk${1000 + i}zz`, settings);
		for (let i = 0; i < 3; i++) world.victims.push(await Partner.create({ name: `Victim ${i}` }));
		const { body } = await ops("GET", "/deliveries");
		world.deliveries.push(...body.data.deliveries.map(({ id }: { id: string }) => id));
		return world;
	}

	/** A code of this state if there is one, of any otherwise. */
	pickCode(member: Member, state: CodeState, random: Random): Code {
		const wanted = member.codes.filter((code) => code.state === state);
		return one(random, wanted.length > 0 ? wanted : member.codes);
	}

	/** Takes from an answer what later calls can name. */
	learn(member: Member | null, code: Code | undefined, { body, status }: Answer, pin: unknown): void {
		const { data, error } = body ?? {};
		if (error === "ATTEMPT_LIMIT_REACHED" && code) code.state = "locked";
		if (status >= 300 || member === null || code?.owner !== member || data?.p_code !== code.code) return;
		if (data.titular) {
			const identity = findIdentity(data.titular.rut)!;
			Object.assign(code, { state: "validated", identity, pin: String(pin) });
		}
		const serial = data.certificate?.serialNumber ?? data.serialNumber;
		if (typeof serial !== "string") return;
		Object.assign(code, { state: "emitted", serial });
		this.serials.push(serial);
	}

	/** Reached by calls; only the expired code is made so in the database. */
	async #addMember(marker: string, settings: Settings): Promise<void> {
		const delivery = settings.mode === "B2B" ? { webhook_url: `https://partner.example/${marker}` } : {};
		const partner = await Partner.create({ name: `Partner ${marker}`, ...settings, ...delivery });
		const { data } = (await partner.bulk(12)).body;
		const key = await partner.manageKey();
		const member: Member = { marker, partner, key, settings, codes: [], batch: data.batchId };
		member.codes = data.pcodes.map((code: string): Code => ({ code, owner: member, state: "fresh" }));
		for (const code of member.codes) this.codes.set(code.code, code);
		this.members.push(member);
		const [cancelled, blocked, validated, claimed, locked, expired] = member.codes as [Code, ...Code[]];
		await ops("POST", `/pcodes/${cancelled!.code}/cancel`, { reason: "fuzz" });
		await ops("POST", `/pcodes/${blocked!.code}/block`, { reason: "fuzz" });
		for (const [i, rut] of ["11111111-1", "22222222-2"].entries()) {
			const code = [validated!, claimed!][i]!;
			const answer = await partner.request(requestOf(code, findIdentity(rut)!, PINS[i]!));
			if (answer.status !== 200) throw new Error(`not validated: ${answer.status} ${answer.text}`);
			this.learn(member, code, answer, PINS[i]);
		}
		if (claimed!.state === "validated")
			this.learn(
				member,
				claimed,
				await partner.claim(claimed!.code, { dni: "22222222-2", pin: PINS[1] }),
				PINS[1],
			);
		for (let i = 0; i < 3; i++)
			await partner.request(requestOf(locked!, findIdentity("10000001-6")!, PINS[2]));
		await REGISTER.prepare("UPDATE purchase_codes SET created_at = ? WHERE code = ?")
			.bind(Date.now() - 15 * DAY_MS, expired!.code)
			.run();
		for (const [code, state] of [
			[cancelled, "cancelled"],
			[blocked, "blocked"],
			[locked, "locked"],
			[expired, "expired"],
		] as const)
			code!.state = state;
	}
}

/** Request for an identity under these settings. */
function requestOf({ code, owner }: Code, { rut, cardSerial, person }: SandboxIdentity, pin: string) {
	const { require_cedula_serie, validate_vencimiento } = owner.settings;
	return {
		pCode: code,
		referenceId: `ref-${owner.marker}-0`,
		dni: rut,
		email: `h${rut.split("-")[0]}.${owner.marker}@${HOLDERS}`,
		pin,
		dniFront: "data:image/png;base64,iVBORw0KGgo=",
		...(require_cedula_serie === 0 && {
			names: person.names,
			fLastname: person.fatherSurname,
			phone: "+56912345678",
		}),
		...(signsOn(owner.settings) ? { ssoCredential: `sso-${rut}` } : { serialNumber: cardSerial }),
		...(validate_vencimiento === 1 && { fechaVencimiento: person.cardExpiry }),
	};
}
