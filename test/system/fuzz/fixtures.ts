import type { SandboxIdentity } from "../../../src/sandbox/identities.ts";

export const CODE_STATES = [
	"fresh",
	"validated",
	"emitted",
	"cancelled",
	"blocked",
	"locked",
	"expired",
] as const;
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
	id: string;
	key: string;
	settings: Settings;
	codes: Code[];
	batches: string[];
	references: string[];
}

export interface Settings {
	mode?: "B2C" | "B2B";
	require_cedula_serie?: 0 | 1;
	validate_vencimiento?: 0 | 1;
	require_sso?: 0 | 1;
	allowed_products?: string[];
	[other: string]: unknown;
}

/** The full flow signs on by default; every other validation asks for the card's serial. */
export function signsOn({ require_cedula_serie, require_sso = 1 }: Settings): boolean {
	return require_cedula_serie === 0 && require_sso === 1;
}

/** PINs of all holders; no answer may contain one. */
export const PINS = ["7391", "8264", "0957"] as const;

/** Domain of every holder's e-mail: ops answers hold no personal data, so they hold no such address. */
export const HOLDERS = "holders.example";

export const MARKER = /mk[0-9a-z]{8}zz/g;
export const CODE = /\b[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}\b/g;
export const BATCH = /\bbt_[0-9a-f]{32}\b/g;

/** Known contents of the service: partners, identities, and what belongs to whom. */
export class Fixtures {
	readonly members: Member[] = [];
	/** Keys that open nothing: revoked, or of a suspended partner. */
	readonly deadKeys: string[] = [];
	/** Partners that ops calls change as they like. */
	readonly victims: string[] = [];
	readonly victimKeys: [partner: string, key: string][] = [];
	readonly deliveries: string[] = [];
	readonly cursors: string[] = [];
	/** Serials of issued certificates. */
	readonly serials: string[] = [];
	readonly opsToken: string;
	readonly #codes = new Map<string, Code>();
	readonly #batches = new Map<string, Member>();

	constructor(opsToken: string) {
		this.opsToken = opsToken;
	}

	addBatch(owner: Member, batchId: string, codes: readonly string[]): Code[] {
		this.#batches.set(batchId, owner);
		owner.batches.push(batchId);
		const added = codes.map((code): Code => ({ code, owner, state: "fresh" }));
		for (const code of added) this.#codes.set(code.code, code);
		// A bulk of 500 would crowd out every code that has a story.
		owner.codes.push(...added.slice(0, 10));
		return added;
	}

	codeOf(text: string): Code | undefined {
		return this.#codes.get(text);
	}

	ownerOfBatch(id: string): Member | undefined {
		return this.#batches.get(id);
	}

	memberByKey(key: string): Member | undefined {
		return this.members.find((member) => member.key === key);
	}

	memberByMarker(marker: string): Member | undefined {
		return this.members.find((member) => member.marker === marker);
	}

	/** A code of this state if there is one, of any otherwise. */
	pickCode(member: Member, state: CodeState, random: () => number): Code | undefined {
		const wanted = member.codes.filter((code) => code.state === state);
		const among = wanted.length > 0 ? wanted : member.codes;
		return among[Math.floor(random() * among.length)];
	}
}
