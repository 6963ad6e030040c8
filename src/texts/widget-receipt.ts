import type { Receipt } from "../domain/receipt.ts";
import type { Language, Text } from "./language.ts";

/** The receipt of a certificate, on the widget's page, in the console and in e-mails, and what stands around it. */
export const RECEIPT = {
	title: { es: "Comprobante del certificado", en: "Receipt of the certificate" },
	holder: { es: "Titular", en: "Holder" },
	rut: { es: "RUT", en: "RUT" },
	seller: { es: "Vendido por", en: "Sold by" },
	serial: { es: "Número de serie", en: "Serial number" },
	from: { es: "Válido desde", en: "Valid from" },
	until: { es: "Válido hasta", en: "Valid until" },
	revokedAt: { es: "Revocado", en: "Revoked" },
	erased: { es: "Datos eliminados", en: "Data erased" },
	revoke: {
		es: "Si pierde el archivo, se lo roban o alguien más conoce el PIN, revóquelo de inmediato aquí, con su RUT y su correo:",
		en: "If you lose the file, it is stolen or somebody else knows the PIN, revoke it at once here, with your RUT and your e-mail address:",
	},
	code: { es: "Código QR de {url}", en: "QR code of {url}" },
	noFile: {
		es: "Este comprobante no es el certificado y no sirve para firmar. No lo reemplaza si pierde el archivo o el PIN.",
		en: "This receipt is not the certificate and is no good for signing. It does not replace the file or the PIN.",
	},
	install: { es: "¿Y ahora? Cómo instalarlo y usarlo", en: "What now? How to install and use it" },
	show: { es: "Ver el comprobante", en: "Show the receipt" },
	print: { es: "Imprimir", en: "Print" },
	back: { es: "Volver", en: "Back" },
	missing: {
		es: "El comprobante ya no se puede mostrar aquí. Los mismos datos están en el correo que le enviamos.",
		en: "The receipt cannot be shown here any more. The e-mail that we sent you says the same.",
	},
} as const satisfies Record<string, Text>;

/** Labels and values of a receipt, in their order. @param time - a time in words */
export function receiptFacts(
	{ holder, seller, serialNumber, validFrom, validTo, revokedAt }: Receipt,
	language: Language,
	time: (at: number) => string,
): [label: string, value: string][] {
	const facts: [Text, string][] = [
		[RECEIPT.holder, holder?.name ?? RECEIPT.erased[language]],
		...(holder ? [[RECEIPT.rut, holder.rut] as [Text, string]] : []),
		[RECEIPT.seller, seller],
		[RECEIPT.serial, serialNumber],
		[RECEIPT.from, time(validFrom)],
		[RECEIPT.until, time(validTo)],
		...(revokedAt === null ? [] : [[RECEIPT.revokedAt, time(revokedAt)] as [Text, string]]),
	];
	return facts.map(([label, value]) => [label[language], value]);
}

/** The session on another device, and the footer of its page. */
export const HAND_OVER = {
	title: { es: "Seguir en otro dispositivo", en: "Go on with another device" },
	introduction: {
		es: "Escanee el código con la cámara de su teléfono, o abra el enlace en el otro dispositivo. Sigue en el paso donde está ahora, y esta página avanza con usted.",
		en: "Scan the code with your telephone's camera, or open the link on the other device. It goes on at the step where you are now, and this page follows.",
	},
	code: { es: "Código QR de esta página", en: "QR code of this page" },
	copy: { es: "Copiar el enlace", en: "Copy the link" },
	copied: { es: "Enlace copiado", en: "Link copied" },
	secret: {
		es: "No lo comparta: quien tenga el enlace puede seguir en su lugar.",
		en: "Do not share it: whoever has the link can go on in your place.",
	},
	service: { es: "Certificados de {service}", en: "Certificates by {service}" },
} as const satisfies Record<string, Text>;
