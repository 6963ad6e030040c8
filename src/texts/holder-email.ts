import type { Text } from "./language.ts";

interface NoticeTexts {
	title: Text;
	opening: Text;
	closing: readonly Text[];
}

const issued: NoticeTexts = {
	title: {
		es: "Se emitió un certificado digital a su nombre",
		en: "A digital certificate was issued in your name",
	},
	opening: {
		es: "{name}: se emitió un certificado digital de firma electrónica a su nombre.",
		en: "{name}: a digital certificate for electronic signatures was issued in your name.",
	},
	closing: [
		{
			es: "Con él se firman documentos electrónicos a su nombre. Quien tenga el archivo y su PIN puede firmar por usted: guárdelos por separado y no los comparta.",
			en: "It signs electronic documents in your name. Whoever has the file and its PIN can sign for you: keep them apart and do not share them.",
		},
		{
			es: "Este correo no incluye el archivo ni el PIN, y nunca se los pediremos por correo.",
			en: "This message contains neither the file nor the PIN, and we never ask for them by e-mail.",
		},
	],
};

const expiring: NoticeTexts = {
	title: {
		es: "Su certificado digital vence en {days} días",
		en: "Your digital certificate expires in {days} days",
	},
	opening: {
		es: "{name}: su certificado digital de firma electrónica vence en {days} días. Después no podrá firmar con él.",
		en: "{name}: your digital certificate for electronic signatures expires in {days} days. You cannot sign with it afterwards.",
	},
	closing: [
		{
			es: "Para renovarlo, contacte a {partner}. Si ya lo renovó, no necesita hacer nada.",
			en: "To renew it, contact {partner}. If you have renewed it already, there is nothing to do.",
		},
	],
};

/** Texts of e-mails to holders. */
export const HOLDER_TEXTS = {
	issued,
	expiring,
	seller: { es: "Vendido por", en: "Sold by" },
	issuer: { es: "Emitido por", en: "Issued by" },
	serial: { es: "Número de serie", en: "Serial number" },
	validTo: { es: "Válido hasta", en: "Valid until" },
	notYou: {
		es: "¿No fue usted, o perdió el archivo? Revóquelo de inmediato en {revocation} con su RUT y este correo.",
		en: "Was it not you, or did you lose the file? Revoke it at once at {revocation} with your RUT and this e-mail address.",
	},
	code: {
		title: { es: "Código para revocar su certificado", en: "Code to revoke your certificate" },
		opening: {
			es: "Escriba este código en la página donde lo pidió:",
			en: "Enter this code on the page where you asked for it:",
		},
		label: { es: "Código", en: "Code" },
		closing: [
			{
				es: "Se usa una sola vez y vence el {until}. No se lo entregue a nadie: tampoco nosotros se lo pediremos.",
				en: "It works once, until {until}. Give it to nobody: we do not ask for it either.",
			},
			{
				es: "Si usted no lo pidió, no haga nada: sin el código no se revoca nada. Le llegará tres veces en seis horas como máximo.",
				en: "If you did not ask for it, do nothing: without the code nothing is revoked. It comes three times in six hours at most.",
			},
		] as readonly Text[],
	},
} as const;
