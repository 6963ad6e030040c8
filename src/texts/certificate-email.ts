import type { Text } from "./language.ts";

/** Texts of the e-mail that brings a partner an issued certificate. */
export const CERTIFICATE_EMAIL = {
	preheader: {
		es: "El archivo PFX de {holder} va adjunto.",
		en: "The PFX file of {holder} is attached.",
	},
	title: { es: "Certificado digital emitido", en: "Digital certificate issued" },
	opening: {
		es: "Adjuntamos el certificado digital (archivo PFX) de {holder}.",
		en: "Attached is the digital certificate (PFX file) of {holder}.",
	},
	holder: { es: "Titular", en: "Holder" },
	code: { es: "Código de compra", en: "Purchase code" },
	reference: { es: "Referencia", en: "Reference" },
	button: { es: "Ver el código en la consola", en: "See the code in the console" },
	pin: {
		es: "El archivo se abre con el PIN de 4 dígitos que eligió el titular. Este correo no incluye el PIN, y nunca lo pediremos por correo electrónico.",
		en: "The file opens with the 4-digit PIN that the holder chose. This message does not contain the PIN, and we never ask for it by e-mail.",
	},
	why: {
		es: "Recibe este correo porque {partner} pidió que sus certificados, o una copia de este, llegaran a esta dirección.",
		en: "You get this message because {partner} asked for its certificates, or a copy of this one, to be sent to this address.",
	},
} as const satisfies Record<string, Text>;
