import type { NextStep } from "../domain/next-step.ts";
import type { ProductCode } from "../domain/products.ts";
import type { RevocationReason } from "../domain/revocation-reason.ts";
import type { ListStatus } from "../domain/status-tables.ts";
import type { UsageKind } from "../domain/usage.ts";
import type { Language, Text } from "./language.ts";

/* Names of the service's own values in the partner's console. */

/** Labels of counts of codes. */
export const STATUS_FIGURES: Record<ListStatus, Text> = {
	sin_utilizar: { es: "Sin utilizar", en: "Unused" },
	en_proceso: { es: "En proceso", en: "In progress" },
	validado: { es: "Validados", en: "Validated" },
	emitido: { es: "Emitidos", en: "Issued" },
	bloqueado: { es: "Bloqueados", en: "Locked" },
	expirado: { es: "Expirados sin usar", en: "Expired unused" },
	anulado: { es: "Anulados", en: "Cancelled" },
};

export const PRODUCT_NAMES: Record<ProductCode, Text> = {
	FV00: { es: "FV00: 30 días", en: "FV00: 30 days" },
	FV01: { es: "FV01: 1 año", en: "FV01: 1 year" },
	FV02: { es: "FV02: 2 años", en: "FV02: 2 years" },
	FV03: { es: "FV03: 3 años", en: "FV03: 3 years" },
};

export const USAGE_NAMES: Record<UsageKind, Text> = {
	created: { es: "Creados", en: "Created" },
	validated: { es: "Validados", en: "Validated" },
	emitted: { es: "Emitidos", en: "Issued" },
	revoked: { es: "Revocados", en: "Revoked" },
	expired: { es: "Vencidos", en: "Expired" },
};

/** Meaning of each column of the usage. */
export const USAGE_COUNTED: Record<UsageKind, Text> = {
	created: { es: "Códigos, el día en que se crearon.", en: "Codes, on the day on which they were created." },
	validated: {
		es: "Códigos, el día de su primera validación.",
		en: "Codes, on the day of their first validation.",
	},
	emitted: {
		es: "Códigos, el día en que se emitió su certificado.",
		en: "Codes, on the day on which their certificate was issued.",
	},
	revoked: {
		es: "Certificados, el día en que se revocaron.",
		en: "Certificates, on the day on which they were revoked.",
	},
	expired: {
		es: "Certificados, el día en que vencieron sin estar revocados.",
		en: "Certificates, on the day on which they expired without having been revoked.",
	},
};

export const DELIVERY_FIGURES = {
	pending: { es: "Pendientes", en: "Pending" },
	delivered: { es: "Entregados", en: "Delivered" },
	dead: { es: "Fallidos", en: "Failed" },
} as const satisfies Record<string, Text>;

export const CHANNEL_NAMES = {
	webhook: { es: "Webhook", en: "Webhook" },
	email: { es: "Correo", en: "E-mail" },
} as const satisfies Record<string, Text>;

/** Names of a delivery attempt's outcomes; `http 500` and outcomes missing here are shown as they are. */
const OUTCOME_NAMES: Readonly<Record<string, Text>> = {
	delivered: { es: "llegó", en: "arrived" },
	timeout: { es: "sin respuesta a tiempo", en: "no answer in time" },
	unreachable: { es: "no se pudo conectar", en: "could not connect" },
	gone: { es: "su servidor respondió 410", en: "your server answered 410" },
	no_endpoint: { es: "sin dirección", en: "no address" },
	endpoint_off: { es: "webhook desactivado", en: "webhook switched off" },
	no_secret: { es: "sin secreto de firma", en: "no signing secret" },
	address_refused: { es: "dirección no permitida", en: "address not allowed" },
	address_not_listed: { es: "correo fuera de la lista de dev", en: "e-mail address not on dev's list" },
	payload_lost: { es: "contenido borrado", en: "content erased" },
	"attempt lost": { es: "intento interrumpido", en: "attempt interrupted" },
	"internal error": { es: "error interno", en: "internal error" },
};

export function outcomeName(outcome: string | null, language: Language): string {
	return outcome === null ? "" : (OUTCOME_NAMES[outcome]?.[language] ?? outcome);
}

/** Names of the failures that the audit records. One that is missing here is shown unchanged. */
export const FAILURE_NAMES: Readonly<Record<string, Text>> = {
	id_card_mismatch: {
		es: "La cédula no corresponde, está vencida o bloqueada",
		en: "The card does not match, has expired or is blocked",
	},
	no_card_in_force: { es: "No hay una cédula vigente de ese RUT", en: "That RUT has no card in force" },
	expiration_date_mismatch: {
		es: "El vencimiento de la cédula no corresponde",
		en: "The card's expiry date does not match",
	},
	name_mismatch: { es: "El nombre no corresponde", en: "The name does not match" },
	sso_rejected: { es: "ClaveÚnica rechazada", en: "ClaveÚnica rejected" },
	rut_mismatch: { es: "El código es de otro RUT", en: "The code belongs to another RUT" },
	email_in_use: { es: "El correo ya es de otro RUT", en: "The e-mail address belongs to another RUT" },
	credentials_mismatch: { es: "Retiro con RUT o PIN incorrecto", en: "Claim with a wrong RUT or PIN" },
};

export const ACTOR_NAMES = {
	partner: { es: "Usted", en: "You" },
	ops: { es: "Nuestro equipo", en: "Our staff" },
	widget: { es: "El titular, en el widget", en: "The holder, in the widget" },
	holder: { es: "El titular", en: "The holder" },
	service: { es: "El servicio", en: "The service" },
} as const satisfies Record<string, Text>;

export const REVOCATION_NAMES: Record<RevocationReason, Text> = {
	unspecified: { es: "Sin especificar", en: "Unspecified" },
	keyCompromise: {
		es: "Otra persona tiene el archivo o su PIN",
		en: "Somebody else has the file or its PIN",
	},
	affiliationChanged: { es: "Cambiaron los datos del titular", en: "The holder's data changed" },
	superseded: { es: "Reemplazado por otro certificado", en: "Superseded by another certificate" },
	cessationOfOperation: { es: "Ya no se usa", en: "No longer used" },
	privilegeWithdrawn: { es: "Se retiró la autorización", en: "Privilege withdrawn" },
};

export const NEXT_STEPS: Record<NextStep["kind"], Text> = {
	cancelled: {
		es: "Nada: el código está anulado y no se puede reactivar. Si el titular todavía necesita un certificado, cree otro código.",
		en: "Nothing: the code is cancelled and cannot be brought back. If the holder still needs a certificate, create another code.",
	},
	revoked: {
		es: "Nada: el certificado está revocado y no sirve para firmar. Para uno nuevo, cree otro código.",
		en: "Nothing: the certificate is revoked and no good for signing. For a new one, create another code.",
	},
	certificate_expired: {
		es: "El certificado venció. Ofrezca al titular una renovación con un código nuevo.",
		en: "The certificate has expired. Offer the holder a renewal with a new code.",
	},
	blocked: {
		es: "El código está bloqueado para siempre. Escríbanos a {support} y lo reemplazamos por otro del mismo producto.",
		en: "The code is blocked for good. Write to {support}: we replace it by another one of the same product.",
	},
	working: {
		es: "Espere unos segundos: hay una validación o una emisión en curso. Luego actualice la página.",
		en: "Wait some seconds: a validation or an emission is running. Then reload the page.",
	},
	validation_locked: {
		es: "Espere hasta el {until}: hubo demasiadas validaciones fallidas. Mientras tanto revise con el titular sus datos y los de su cédula.",
		en: "Wait until {until}: too many validations failed. Meanwhile check the holder's data and card with the holder.",
	},
	claim_locked: {
		es: "El retiro está bloqueado hasta el {until} por PIN o RUT incorrectos. Espere, o valide otra vez al titular ahora: eso fija un PIN nuevo y quita el bloqueo.",
		en: "Claims are locked until {until} because of a wrong PIN or RUT. Wait, or validate the holder again now: that sets a new PIN and ends the lock.",
	},
	onboarding: {
		es: "El titular está en el widget. Su sesión dura hasta el {until} si no sigue avanzando.",
		en: "The holder is in the widget. The session lasts until {until} unless the holder goes on.",
	},
	window_over: {
		es: "El plazo de 14 días terminó sin que se usara. Escríbanos a {support} para reemplazarlo, o cree otro código.",
		en: "Its 14 days are over and it was not used. Write to {support} to have it replaced, or create another code.",
	},
	issued: {
		es: "Nada: el certificado está emitido y vence el {until}. Si el archivo se perdió o lo tiene otra persona, revóquelo.",
		en: "Nothing: the certificate is issued and valid until {until}. If its file is lost or in other hands, revoke it.",
	},
	claim: {
		es: "Retire el certificado con el RUT y el PIN del titular (certificate_claim) antes del {until}. Intentos antes de un bloqueo: {left}.",
		en: "Claim the certificate with the holder's RUT and PIN (certificate_claim) before {until}. Attempts before a lock: {left}.",
	},
	validate: {
		es: "Valide al titular (certificate_request, o el widget) antes del {until}. Intentos antes de un bloqueo: {left}.",
		en: "Validate the holder (certificate_request, or the widget) before {until}. Attempts before a lock: {left}.",
	},
};
