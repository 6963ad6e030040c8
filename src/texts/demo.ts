import type { Text } from "./language.ts";

/** The demo shop of local and dev. */
export const DEMO = {
	title: { es: "Librería Alerce · tienda de demostración", en: "Librería Alerce · demo shop" },
	shop: { es: "Librería Alerce", en: "Librería Alerce" },
	ribbon: {
		es: "Tienda de demostración: nada se cobra y ninguna de estas personas existe.",
		en: "Demo shop: nothing is charged, and none of these people exists.",
	},
	language: { es: "English", en: "Español" },
	heading: { es: "Su firma electrónica, hoy mismo", en: "Your electronic signature, today" },
	introduction: {
		es: "Un certificado digital para firmar documentos a su nombre. Elija cuánto debe durar; lo demás toma unos minutos, aquí mismo.",
		en: "A digital certificate to sign documents in your name. Choose how long it lasts; the rest takes a few minutes, right here.",
	},
	products: { es: "Vigencia", en: "Validity" },
	FV00: { es: "30 días", en: "30 days" },
	FV01: { es: "1 año", en: "1 year" },
	FV02: { es: "2 años", en: "2 years" },
	FV03: { es: "3 años", en: "3 years" },
	configuration: { es: "Cómo está configurada esta tienda", en: "How this shop is configured" },
	flow: { es: "Validación", en: "Validation" },
	reduced: { es: "Reducida: número de serie de la cédula", en: "Reduced: the ID card's serial number" },
	full: {
		es: "Completa: nombres, vencimiento de la cédula y ClaveÚnica",
		en: "Full: names, the card's expiry date and ClaveÚnica",
	},
	delivery: { es: "Entrega", en: "Delivery" },
	B2C: { es: "A la persona (B2C)", en: "To the person (B2C)" },
	B2B: { es: "A la tienda (B2B)", en: "To the shop (B2B)" },
	buy: { es: "Comprar y validar mi identidad", en: "Buy and verify my identity" },
	buying: { es: "Creando su pedido…", en: "Creating your order…" },
	again: { es: "Volver a la tienda", en: "Back to the shop" },
	order: { es: "Su pedido", en: "Your order" },
	hosted: { es: "Abrir en una página propia", en: "Open on a page of its own" },
	telephone: { es: "Seguir en el teléfono", en: "Go on with your telephone" },
	telephoneHint: {
		es: "Escanee el código con la cámara. No lo comparta: quien lo tenga puede seguir en su lugar.",
		en: "Scan the code with the camera. Do not share it: whoever has it can go on in your place.",
	},
	telephoneCode: { es: "Código QR de su pedido", en: "QR code of your order" },
	people: { es: "Personas de prueba", en: "Test people" },
	peopleHint: {
		es: "Complete el formulario como una de ellas; el correo, el teléfono y el PIN pueden ser cualesquiera.",
		en: "Fill in the form as one of them; e-mail, telephone and PIN may be anything.",
	},
	serial: { es: "serie", en: "serial" },
	expiry: { es: "vence", en: "expires" },
	backstage: { es: "Lo que ve la tienda", en: "What the shop sees" },
	status: { es: "GET /status", en: "GET /status" },
	events: { es: "Eventos del widget", en: "Events of the widget" },
	noEvents: { es: "Todavía ninguno.", en: "None so far." },
	failed: {
		es: "El pedido no se pudo crear. Inténtelo de nuevo.",
		en: "The order could not be created. Try again.",
	},
	done: {
		es: "Certificado emitido. Gracias por su compra.",
		en: "Certificate issued. Thank you for your purchase.",
	},
} as const satisfies Record<string, Text>;
