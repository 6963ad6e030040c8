import type { Fields } from "../document/calls.ts";
import { IDENTITIES, type Identity, identityOf } from "../document/identities.ts";
import type { CodeState } from "../document/ledger.ts";
import { RULES } from "../document/rules.ts";
import { proofsOf, type Settings } from "../document/settings.ts";
import type { ClaimCommand, ClaimDefect, RequestCommand, RequestDefect } from "./commands.ts";

/* Bodies as a partner would send them, and then made wrong as commanded. */

/** The first of {@link IDENTITIES}: whom the registry finds valid. */
const VALID = IDENTITIES.filter(({ says }) => says === "valid").length;

export function requestFields(settings: Settings, code: CodeState | null, command: RequestCommand): Fields {
	const bound = code?.validation ? identityOf(code.validation.rut) : null;
	const { identity: choice, style } = command;
	const proofs = proofsOf(settings, RULES);
	const identity = choice === "bound" ? (bound ?? IDENTITIES[style % VALID]!) : IDENTITIES[choice]!;
	const right: Fields = {
		referenceId: `ref-${style % 3}`,
		dni: identity.rut,
		email: spellEmail(identity, style),
		pin: pinOf(style),
		...(settings.require_cedula_serie === 0 && namesOf(identity, style)),
		...(proofs.includes("serialNumber") && { serialNumber: identity.cardSerial }),
		...(proofs.includes("ssoCredential") && { ssoCredential: `sso-${identity.rut}` }),
		...(settings.validate_vencimiento && { fechaVencimiento: identity.cardExpiry }),
	};
	return command.defects.reduce((fields, defect) => REQUEST_DEFECT[defect](fields, identity), right);
}

type Spoil = (fields: Fields, identity: Identity) => Fields;

const setting =
	(change: Fields): Spoil =>
	(fields) => ({ ...fields, ...change });
const without =
	(field: string): Spoil =>
	({ [field]: _, ...fields }) =>
		fields;

const REQUEST_DEFECT: Record<RequestDefect, Spoil> = {
	"no serial": without("serialNumber"),
	"wrong serial": setting({ serialNumber: "999999999" }),
	"no expiry": without("fechaVencimiento"),
	"wrong expiry": setting({ fechaVencimiento: "2031-05-21" }),
	"names and no serial": ({ serialNumber: _, ...fields }, identity) => ({
		...fields,
		...namesOf(identity, 0),
	}),
	"no paternal name": without("fLastname"),
	"wrong name": (fields) => ("names" in fields ? { ...fields, names: "Otra Persona" } : fields),
	"wrong maternal name": setting({ mLastname: "Otro" }),
	"no phone": without("phone"),
	"no credential": without("ssoCredential"),
	"another's credential": (fields, { rut }) => ({
		...fields,
		ssoCredential: rut === "11111111-1" ? "sso-22222222-2" : "sso-11111111-1",
	}),
	"rejected credential": setting({ ssoCredential: "no-credential-of-anybody" }),
	"sign-on down": setting({ ssoCredential: "sso-down" }),
	"malformed pin": setting({ pin: "12345" }),
	"malformed e-mail": setting({ email: "nobody" }),
	"another pin": setting({ pin: "9999" }),
};

/** RUT and PIN of the code's latest validation, or what might have been. */
export function claimFields(code: CodeState | null, { defects }: ClaimCommand): Fields {
	const { rut, pin } = code?.validation ?? { rut: "11111111-1", pin: "0000" };
	return defects.reduce((fields, defect) => CLAIM_DEFECT[defect](fields, identityOf(rut)!), {
		dni: rut,
		pin,
	} as Fields);
}

const CLAIM_DEFECT: Record<ClaimDefect, Spoil> = {
	"wrong pin": (fields) => ({ ...fields, pin: fields.pin === "0007" ? "0008" : "0007" }),
	"wrong rut": (fields, { rut }) => ({ ...fields, dni: rut === "11111111-1" ? "22222222-2" : "11111111-1" }),
	"malformed pin": setting({ pin: "12a4" }),
};

/** Decisions, "e-mail": compared in lower case. One in four is the same for all, so that it comes to belong to one. */
function spellEmail({ rut }: Identity, style: number): string {
	if (style % 4 === 3) return "everyone@example.cl";
	const email = `holder-${rut.toLowerCase()}@example.cl`;
	return style % 4 === 0 ? email.toUpperCase() : email;
}

function pinOf(style: number): string {
	return String(1000 + (style % 2));
}

function namesOf({ names, fatherSurname, motherSurname }: Identity, style: number): Fields {
	return {
		names,
		fLastname: fatherSurname,
		...(motherSurname !== null && style % 2 === 0 && { mLastname: motherSurname }),
		phone: "+56912345678",
	};
}
