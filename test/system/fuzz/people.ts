import { checkDigit } from "../../../src/domain/rut.ts";
import { findIdentity } from "../../../src/sandbox/identities.ts";

/** Somebody whom the sandbox knows, as a partner would type them. */
export interface Person {
	rut: string;
	serial: string;
	/** `YYYY-MM-DD`. */
	expiry: string;
	names: string;
	fatherSurname: string;
	motherSurname: string | null;
}

const GOOD = ["11111111-1", "22222222-2", "12345678-5", "10000013-K", "5126663-3"];
const REFUSED = ["10000001-6", "10000002-4", "10000003-2"];
const SLOW = "10000004-0";
const FAILING = ["10000005-9", "10000007-5"];
const MUTE = "10000006-7";

/** What a body has to name for the documented 503, by its error: these RUTs, or this credential. */
export const UNAVAILABLE_WORDS: Record<string, string[]> = {
	REGISTRY_UNAVAILABLE: [...FAILING, MUTE].map((rut) => rut.split("-")[0]!),
	SERVICE_UNAVAILABLE: ["sso-down"],
};
/** The registry's own patience with {@link MUTE} is 8 s. */
export const SLOW_WORDS = [SLOW, MUTE].map((rut) => rut.split("-")[0]!);

/** Mostly valid people of the load range, so that one RUT's validations seldom meet. @param random - 0 up to 1. */
export function pickPerson(random: () => number): Person {
	const share = random();
	const pick = (ruts: readonly string[]) => personOf(ruts[Math.floor(random() * ruts.length)]!);
	if (share < 0.2) return pick(GOOD);
	if (share < 0.25) return pick(REFUSED);
	if (share < 0.265) return pick(FAILING);
	if (share < 0.275) return personOf(SLOW);
	if (share < 0.277) return personOf(MUTE);
	const number = 20_000_000 + Math.floor(random() * 1_000_000);
	return personOf(`${number}-${checkDigit(String(number))}`);
}

/** @throws when the sandbox does not know this RUT. */
export function personOf(rut: string): Person {
	const identity = findIdentity(rut)!;
	const { person } = identity;
	return {
		rut,
		serial: identity.cardSerial,
		expiry: person.cardExpiry,
		names: person.names,
		fatherSurname: person.fatherSurname,
		motherSurname: person.motherSurname,
	};
}
