/* sandbox.md, restated: what the registry and the single sign-on of a local deployment say of whom. */

export interface Identity {
	rut: string;
	cardSerial: string;
	/** `YYYY-MM-DD`. */
	cardExpiry: string;
	names: string;
	fatherSurname: string;
	motherSurname: string | null;
	says: "valid" | "refused" | "down";
}

const ROWS: [string, string, string, string, string, string | null, Identity["says"]][] = [
	["11111111-1", "111111111", "2031-05-20", "JUANA ANDREA", "PÉREZ", "SOTO", "valid"],
	["22222222-2", "A222222222", "2030-01-31", "PEDRO PABLO", "MUÑOZ", "ÑANCUPIL", "valid"],
	["12345678-5", "B12345678", "2034-12-16", "MARÍA JOSÉ", "DEL RÍO", "O'HIGGINS", "valid"],
	["10000013-K", "100000013", "2032-02-29", "JOSÉ", "ROJAS", null, "valid"],
	["5126663-3", "512666333", "2029-07-01", "ROSA ESTER", "SILVA", "TAPIA", "valid"],
	["20000000-5", "020000000", "2033-03-03", "TITULAR 20000000", "PRUEBA", "SANDBOX", "valid"],
	["10000001-6", "100000001", "2031-05-20", "LUIS", "BLOQUEADO", "PRUEBA", "refused"],
	["10000002-4", "100000002", "2020-05-20", "ANA", "VENCIDA", "PRUEBA", "refused"],
	["10000003-2", "100000003", "2031-05-20", "ELSA", "FALLECIDA", "PRUEBA", "refused"],
	["10000005-9", "100000005", "2031-05-20", "IRIS", "CAÍDA", "PRUEBA", "down"],
	["10000007-5", "100000007", "2031-05-20", "HUGO", "BASURA", "PRUEBA", "down"],
	["15000000-9", "150000000", "2031-05-20", "NADIE", "CONOCIDO", null, "refused"],
];

/** Identities without the two who make a test wait: 10000004-0 takes 4 s, 10000006-7 never answers. */
export const IDENTITIES: readonly Identity[] = ROWS.map(
	([rut, cardSerial, cardExpiry, names, fatherSurname, motherSurname, says]) => ({
		rut,
		cardSerial,
		cardExpiry,
		names,
		fatherSurname,
		motherSurname,
		says,
	}),
);

export function identityOf(rut: string): Identity | null {
	return IDENTITIES.find((identity) => identity.rut === rut) ?? null;
}

/** §2.2 nombreCompleto: the registry's name. */
export function fullName({ names, fatherSurname, motherSurname }: Identity): string {
	return [names, fatherSurname, motherSurname].filter((part) => part !== null).join(" ");
}

/** Answer of the single sign-on for a credential: its owner, that it is nobody's, or nothing. */
export function signOn(credential: string): { rut: string } | "rejected" | "down" {
	if (credential === "sso-down") return "down";
	const rut = credential.replace(/^sso-/, "");
	// 15000000-9 is nobody of the sandbox: the registry does not find it, and no credential is theirs.
	return credential.startsWith("sso-") && identityOf(rut) && rut !== "15000000-9" ? { rut } : "rejected";
}
