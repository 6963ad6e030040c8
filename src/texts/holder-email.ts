import type { Text } from "./language.ts";

interface NoticeTexts {
	preheader: Text;
	title: Text;
	opening: Text;
	closing: readonly Text[];
	why: Text;
}

const issued: NoticeTexts = {
	preheader: {
		es: "Válido hasta el {until}. Si no fue usted, revóquelo de inmediato.",
		en: "Valid until {until}. If it was not you, revoke it at once.",
	},
	title: {
		es: "Se emitió un certificado digital a su nombre",
		en: "A digital certificate was issued in your name",
	},
	opening: {
		es: "{name}: se emitió un certificado digital de firma electrónica a su nombre. Se lo vendió {partner}.",
		en: "{name}: a digital certificate for electronic signatures was issued in your name. {partner} sold it to you.",
	},
	closing: [
		{
			es: "Con él se firman documentos electrónicos a su nombre. Quien tenga el archivo y su PIN puede firmar por usted: guárdelos por separado y no los comparta.",
			en: "It signs electronic documents in your name. Whoever has the file and its PIN can sign for you: keep them apart and do not share them.",
		},
		{
			es: "Este correo no incluye el archivo ni el PIN, y nunca se los pediremos por correo. Guárdelo como comprobante.",
			en: "This message contains neither the file nor the PIN, and we never ask for them by e-mail. Keep it as your receipt.",
		},
	],
	why: {
		es: "Recibe este correo porque {partner} le vendió un certificado y usted, o {partner}, dio esta dirección al pedirlo.",
		en: "You get this message because {partner} sold you a certificate, and you or {partner} gave this address when it was asked for.",
	},
};

const expiring: NoticeTexts = {
	preheader: {
		es: "Sirve para firmar hasta el {until}.",
		en: "It is good for signing until {until}.",
	},
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
	why: {
		es: "Recibe este correo porque {partner}, que le vendió el certificado, pidió que le avisáramos antes de que venza.",
		en: "You get this message because {partner}, who sold you the certificate, asked us to tell you before it expires.",
	},
};

/** Texts of e-mails to holders. */
export const HOLDER_TEXTS = {
	issued,
	expiring,
	/** Sender's name: the seller first. */
	via: { es: "{name} vía {brand}", en: "{name} via {brand}" },
	issuer: { es: "Emitido por", en: "Issued by" },
	install: { es: "Cómo instalarlo y usarlo", en: "How to install and use it" },
	installNew: { es: "Cómo instalar el nuevo", en: "How to install the new one" },
	notYou: {
		es: "¿No fue usted, o perdió el archivo? Revóquelo de inmediato en {revocation} con su RUT y este correo.",
		en: "Was it not you, or did you lose the file? Revoke it at once at {revocation} with your RUT and this e-mail address.",
	},
	code: {
		preheader: {
			es: "Sirve una sola vez, hasta el {until}. Todavía no se ha revocado nada.",
			en: "It works once, until {until}. Nothing has been revoked yet.",
		},
		title: {
			es: "Código para revocar su certificado o ver sus datos",
			en: "Code to revoke your certificate or see your data",
		},
		opening: {
			es: "Alguien pidió revocar su certificado digital con su RUT y este correo. Si fue usted, presione el botón en el mismo navegador donde lo pidió, o escriba allí este código:",
			en: "Somebody asked to revoke your digital certificate with your RUT and this e-mail address. If it was you, press the button in the browser where you asked for it, or enter this code there:",
		},
		button: { es: "Continuar la revocación", en: "Go on to revoke" },
		closing: [
			{
				es: "El código se usa una sola vez y vence el {until}. No se lo entregue a nadie: tampoco nosotros se lo pediremos. Quien lo tenga puede revocar su certificado, y ver y borrar los datos que guardamos de usted. Hasta que usted confirme en la página no se revoca ni se borra nada.",
				en: "The code works once, until {until}. Give it to nobody: we do not ask for it either. Whoever has it can revoke your certificate, and see and erase the data that we keep of you. Nothing is revoked or erased before you confirm on the page.",
			},
			{
				es: "Si usted no lo pidió, no haga nada: sin el código no se revoca ni se borra nada. Le llegará tres veces en seis horas como máximo.",
				en: "If you did not ask for it, do nothing: without the code nothing is revoked or erased. It comes three times in six hours at most.",
			},
		] as readonly Text[],
		why: {
			es: "Recibe este correo porque alguien escribió su RUT y esta dirección en nuestra página para revocar certificados.",
			en: "You get this message because somebody entered your RUT and this address on our page to revoke certificates.",
		},
	},
} as const;
