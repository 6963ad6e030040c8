import { checkDigit } from "../domain/rut.ts";

import type { RegisteredPerson } from "../identity/ports.ts";

/** Behaviour of the sandbox registry when asked about a person. */
type RegistryBehaviour =
	| "valid"
	| "card_reported_lost"
	| "card_expired"
	| "holder_deceased"
	| "slow"
	| "answers_503"
	| "never_answers"
	| "answers_rubbish";

export interface SandboxIdentity {
	rut: string;
	cardSerial: string;
	person: RegisteredPerson;
	behaviour: RegistryBehaviour;
}

/** Numbers (RUT without check digit) every one of which is a valid person, for load tests. Both ends included. */
const LOAD_RANGE = { first: 20_000_000, last: 20_999_999 };

// Public and fixed: partners' integration tests are written against these rows.
// RUT, card serial, card expires, names, paternal, maternal, what happens.
const ROWS: [string, string, string, string, string, string | null, RegistryBehaviour][] = [
	["11111111-1", "111111111", "2031-05-20", "JUANA ANDREA", "PÉREZ", "SOTO", "valid"],
	["22222222-2", "A222222222", "2030-01-31", "PEDRO PABLO", "MUÑOZ", "ÑANCUPIL", "valid"],
	["12345678-5", "B12345678", "2034-12-16", "MARÍA JOSÉ", "DEL RÍO", "O'HIGGINS", "valid"],
	["10000013-K", "100000013", "2032-02-29", "JOSÉ", "ROJAS", null, "valid"],
	["5126663-3", "512666333", "2029-07-01", "ROSA ESTER", "SILVA", "TAPIA", "valid"],
	["10000001-6", "100000001", "2031-05-20", "LUIS", "BLOQUEADO", "PRUEBA", "card_reported_lost"],
	["10000002-4", "100000002", "2020-05-20", "ANA", "VENCIDA", "PRUEBA", "card_expired"],
	["10000003-2", "100000003", "2031-05-20", "ELSA", "FALLECIDA", "PRUEBA", "holder_deceased"],
	["10000004-0", "100000004", "2031-05-20", "TITO", "LENTO", "PRUEBA", "slow"],
	["10000005-9", "100000005", "2031-05-20", "IRIS", "CAÍDA", "PRUEBA", "answers_503"],
	["10000006-7", "100000006", "2031-05-20", "OLGA", "MUDA", "PRUEBA", "never_answers"],
	["10000007-5", "100000007", "2031-05-20", "HUGO", "BASURA", "PRUEBA", "answers_rubbish"],
];

/** Identities without the load range. */
export const IDENTITIES: readonly SandboxIdentity[] = ROWS.map(
	([rut, cardSerial, cardExpiry, names, fatherSurname, motherSurname, behaviour]) => ({
		rut,
		cardSerial,
		behaviour,
		person: { names, fatherSurname, motherSurname, cardExpiry },
	}),
);

const BY_RUT = new Map(IDENTITIES.map((identity) => [identity.rut, identity]));

/** The sandbox person with this canonical RUT, or null: nobody else exists there. */
export function findIdentity(rut: string): SandboxIdentity | null {
	return BY_RUT.get(rut) ?? loadIdentity(rut);
}

function loadIdentity(rut: string): SandboxIdentity | null {
	const number = Number(/^(\d{8})-[\dK]$/.exec(rut)?.[1]);
	const inRange = number >= LOAD_RANGE.first && number <= LOAD_RANGE.last;
	if (!inRange || rut !== `${number}-${checkDigit(String(number))}`) return null;
	return {
		rut,
		cardSerial: String(number).padStart(9, "0"),
		person: {
			names: `TITULAR ${number}`,
			fatherSurname: "PRUEBA",
			motherSurname: "SANDBOX",
			cardExpiry: "2033-03-03",
		},
		behaviour: "valid",
	};
}
