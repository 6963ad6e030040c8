import type { Text } from "./language.ts";

/* Texts of the page for who comes without a path, or with one that leads nowhere. */

export const LANDING = {
	title: { es: "Certificados de firma electrónica", en: "Digital-signature certificates" },
	what: {
		es: "Empresas asociadas venden un código de compra. Con él, una persona demuestra quién es y recibe un certificado a su nombre, para firmar documentos electrónicos. ¿Qué necesita hacer?",
		en: "Partner companies sell a purchase code. With it a person proves who they are and receives a certificate in their name, to sign electronic documents. What brings you here?",
	},
	lost: { es: "No encontramos esta página", en: "There is nothing here" },
	lostText: {
		es: "La dirección está mal escrita, o la página ya no existe. Puede seguir por aquí:",
		en: "The address is misspelt, or the page is gone. You can go on from here:",
	},
	holders: { es: "Tengo un certificado", en: "I have a certificate" },
	holdersText: {
		es: "Instálelo en su computador o teléfono. Si perdió el archivo, o alguien más lo tiene, revóquelo.",
		en: "Install it on your computer or telephone. If you lost the file, or somebody else has it, revoke it.",
	},
	install: { es: "Instalar mi certificado", en: "Install my certificate" },
	revoke: { es: "Revocar mi certificado", en: "Revoke my certificate" },
	partners: { es: "Vendo certificados", en: "I sell certificates" },
	partnersText: {
		es: "Cree códigos, valide a sus clientes y reciba certificados, por API, con un formulario en su página o en la consola.",
		en: "Create codes, validate your customers and receive certificates: by API, with a form on your page, or in the console.",
	},
	guide: { es: "Guía y referencia de la API", en: "Guide and API reference" },
	console: { es: "Consola", en: "Console" },
	operators: { es: "Opero el servicio", en: "I operate the service" },
	operatorsText: {
		es: "Partners, códigos, certificados y tareas, para quien tiene una cuenta de operador.",
		en: "Partners, codes, certificates and jobs, for whoever has an operator's account.",
	},
	opsConsole: { es: "Consola de operación", en: "Ops console" },
} as const satisfies Record<string, Text>;
