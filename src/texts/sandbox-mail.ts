import type { Text } from "./language.ts";

/** Page of a local service's sent e-mails. */
export const SANDBOX_MAIL = {
	title: { es: "Correos enviados", en: "Sent e-mails" },
	name: { es: "Sandbox", en: "Sandbox" },
	introduction: {
		es: "Los últimos cien correos que envió este servicio local. Ninguno salió de este computador. También como JSON, para sus pruebas:",
		en: "The last hundred e-mails that this local service sent. None left this computer. As JSON too, for your tests:",
	},
	empty: {
		es: "Todavía no hay ninguno. Emita un certificado en la tienda de demostración, o pida un código para revocar.",
		en: "There is none yet. Issue a certificate in the demo shop, or ask for a code to revoke.",
	},
	sent: { es: "Enviado", en: "Sent" },
	from: { es: "De", en: "From" },
	to: { es: "Para", en: "To" },
	subject: { es: "Asunto", en: "Subject" },
	attachments: { es: "Adjuntos", en: "Attachments" },
	asHtml: { es: "Como HTML", en: "As HTML" },
	asText: { es: "Como texto", en: "As text" },
	back: { es: "Volver a los correos", en: "Back to the e-mails" },
} as const satisfies Record<string, Text>;
