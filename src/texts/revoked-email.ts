import type { RevocationReason, Revoker } from "../domain/revocation-reason.ts";
import type { Text } from "./language.ts";

/** Texts for a holder whose certificate was revoked, by whomever. */
export const REVOKED_TEXTS = {
	preheader: {
		es: "Ya no sirve para firmar desde el {at}.",
		en: "It is no good for signing since {at}.",
	},
	title: { es: "Se revocó su certificado digital", en: "Your digital certificate was revoked" },
	opening: {
		es: "{name}: se revocó su certificado digital de firma electrónica. Ya no sirve para firmar, y no se puede deshacer.",
		en: "{name}: your digital certificate for electronic signatures was revoked. It is no good for signing any more, and this cannot be undone.",
	},
	at: { es: "Revocado el", en: "Revoked on" },
	by: { es: "Por", en: "By" },
	reason: { es: "Motivo", en: "Reason" },
	button: { es: "Ver mis certificados", en: "See my certificates" },
	used: {
		es: "Si alguien más pudo usarlo, revise lo que se firmó a su nombre.",
		en: "If somebody else may have used it, look at what was signed in your name.",
	},
	notYou: {
		es: "¿No fue usted? Entonces otra persona lee este correo: cambie su contraseña. Para tener otro certificado, contacte a {partner}.",
		en: "Was it not you? Then somebody else reads this mailbox: change its password. For another certificate, contact {partner}.",
	},
	whyNot: {
		es: "Si no sabe por qué, o para tener otro certificado, contacte a {partner}.",
		en: "If you do not know why, or for another certificate, contact {partner}.",
	},
	why: {
		es: "Recibe este correo porque el certificado que le vendió {partner} se emitió con esta dirección.",
		en: "You get this message because the certificate that {partner} sold you was issued with this address.",
	},
} as const satisfies Record<string, Text>;

export const REVOKED_BY: Record<Revoker, Text> = {
	holder: {
		es: "usted, con un código enviado a este correo",
		en: "you, with a code sent to this address",
	},
	partner: { es: "{partner}, que se lo vendió", en: "{partner}, who sold it to you" },
	ops: { es: "la autoridad que lo emitió", en: "the authority that issued it" },
};

export const REVOKED_FOR: Record<RevocationReason, Text> = {
	unspecified: { es: "no se indicó", en: "not stated" },
	keyCompromise: {
		es: "otra persona pudo tener el archivo o su PIN",
		en: "somebody else may have had the file or its PIN",
	},
	affiliationChanged: { es: "cambiaron los datos del titular", en: "the holder's particulars have changed" },
	superseded: { es: "otro certificado lo reemplaza", en: "another certificate takes its place" },
	cessationOfOperation: { es: "ya no se usa", en: "it is not used any more" },
	privilegeWithdrawn: { es: "se retiró el derecho a usarlo", en: "the right to use it was withdrawn" },
};
