import type { Text } from "./language.ts";

/* The partner's reference (`/openapi.json`). Calls are named by their operationId: its summary, description, success. */

export const REFERENCE = {
	title: {
		en: "Partner Digital-Certificate Service",
		es: "Servicio de certificados digitales para partners",
	},
	introduction: {
		en: `Sell digital-signature certificates by purchase code. Create codes in bulk, have a holder's identity checked against the civil registry, and receive an X.509 certificate as a PFX file.

**Errors** have one shape, see Error. \`message\` is English, or Spanish when Accept-Language prefers it; \`error\` and \`details[].code\` never change. An unknown path answers 404 NOT_FOUND, a method that a path does not have 405 METHOD_NOT_ALLOWED with Allow. A key that is not good for a call answers 403 SCOPE_REQUIRED; \`x-scope\` of a call in \`/openapi.json\` says what it asks for. A call over plain http answers 403 HTTPS_REQUIRED, whatever its key.

**Success** is \`success: true\`. Do not test for 2xx alone: certificate_claim answers 201 and 202 with \`success: false\` and without a certificate.

**Every answer** carries x-request-id. Quote it when you ask for support.

**Rate limits** are counted per partner. Limited calls answer with RateLimit-Policy and RateLimit; a 429 says in Retry-After how many seconds to wait. An IP address that sent 60 unknown API keys within a minute gets 429 too, with Retry-After alone, until the minute ends.

**Bodies** are JSON of at most 16 KiB, 12 MiB in certificate_request (\`x-body-max\`, bytes). One that pauses for 15 seconds, or is not whole after 60, gets 408 REQUEST_TIMEOUT: nothing changed and nothing was counted, send it again.

**Repeating a call safely**: send an Idempotency-Key with a POST. The same key and body within 24 hours return the first final answer again.`,
		es: `Venda certificados de firma digital por código de compra. Cree códigos por lote, valide la identidad del titular contra el Registro Civil y reciba un certificado X.509 como archivo PFX.

**Errores**: todos tienen la misma forma, vea Error. \`message\` viene en inglés, o en español si Accept-Language lo prefiere; \`error\` y \`details[].code\` nunca cambian. Una ruta desconocida responde 404 NOT_FOUND; un método que la ruta no tiene, 405 METHOD_NOT_ALLOWED con Allow. Una API key sin el alcance de una llamada recibe 403 SCOPE_REQUIRED; \`x-scope\` de cada llamada en \`/openapi.json\` indica qué alcance exige. Una llamada por http sin cifrar responde 403 HTTPS_REQUIRED, sea cual sea la API key.

**Éxito** es \`success: true\`. No basta con que el estado sea 2xx: certificate_claim responde 201 y 202 con \`success: false\` y sin certificado.

**Toda respuesta** trae x-request-id. Indíquelo cuando pida soporte.

**Límites**: se cuentan por partner. Las llamadas limitadas responden con RateLimit-Policy y RateLimit; un 429 indica en Retry-After cuántos segundos esperar. Una dirección IP que envió 60 API keys desconocidas en un minuto también recibe 429, solo con Retry-After, hasta que termine el minuto.

**Cuerpos**: JSON de hasta 16 KiB, 12 MiB en certificate_request (\`x-body-max\`, bytes). Uno que se detiene 15 segundos, o no llega completo en 60, recibe 408 REQUEST_TIMEOUT: nada cambió ni se contó, envíelo de nuevo.

**Repetir una llamada sin riesgo**: envíe una Idempotency-Key con un POST. La misma Idempotency-Key y el mismo cuerpo dentro de 24 horas devuelven otra vez la primera respuesta definitiva.`,
	},
	partnerKey: {
		en: "The partner's API key, received when the integration is set up.",
		es: "La API key del partner, entregada al configurar la integración.",
	},
	tagRedeem: {
		en: "Validate a holder's identity against a purchase code and deliver the certificate.",
		es: "Valide la identidad del titular contra un código de compra y entregue el certificado.",
	},
	tagPurchaseCodes: {
		en: "Create purchase codes and list them.",
		es: "Cree códigos de compra y lístelos.",
	},

	"requestCertificate.summary": {
		en: "Redeem a purchase code and validate the holder's identity",
		es: "Canjear un código de compra y validar la identidad del titular",
	},
	"requestCertificate.description": {
		en: 'Which fields are required and which checks run depends on the partner\'s configuration. An optional field sent as null or "" counts as not sent. In the reduced flow serialNumber is required, and names, fLastname and phone must not be sent; in the full flow those three are required, and ssoCredential too; a full flow configured without single sign-on requires serialNumber in its place. B2C ends in VALIDATED, and certificate_claim delivers the certificate. B2B issues and delivers it in this call and ends in EMITTED.',
		es: 'Los campos obligatorios y las validaciones dependen de la configuración del partner. Un campo opcional enviado como null o "" cuenta como no enviado. En el flujo reducido se exige serialNumber y no se deben enviar names, fLastname ni phone; en el flujo completo esos tres son obligatorios, y también ssoCredential; un flujo completo configurado sin inicio de sesión único exige serialNumber en su lugar. B2C termina en VALIDATED y certificate_claim entrega el certificado. B2B lo emite y entrega en esta misma llamada y termina en EMITTED.',
	},
	"requestCertificate.success": {
		en: "Identity validated (B2C), or certificate issued and delivered (B2B).",
		es: "Identidad validada (B2C), o certificado emitido y entregado (B2B).",
	},
	"requestCertificate.not_found": {
		en: "The purchase code does not exist.",
		es: "El código de compra no existe.",
	},
	"claimCertificate.summary": {
		en: "Issue and deliver the certificate of a validated code, once (B2C)",
		es: "Emitir y entregar una sola vez el certificado de un código validado (B2C)",
	},
	"claimCertificate.description": {
		en: "The RUT and the PIN must be those of certificate_request. Five wrong claims in a row close claims for 30 minutes, the third time for good; before that a successful certificate_request, with a new PIN, opens them at once. The PFX opens with the PIN. The service stores neither the PFX nor the private key: send an Idempotency-Key, keep it before the call, and repeat the call with it if the answer is lost. Only 200 carries the certificate; 201 and 202 carry success: false.",
		es: "El RUT y el PIN deben ser los de certificate_request. Cinco retiros erróneos seguidos impiden retirar por 30 minutos, y la tercera vez en forma definitiva; antes de eso, un certificate_request exitoso, con un PIN nuevo, vuelve a permitirlo de inmediato. El PFX se abre con el PIN. El servicio no guarda el PFX ni la clave privada: envíe una Idempotency-Key, guárdela antes de la llamada y repita la llamada con ella si la respuesta se pierde. Solo 200 trae el certificado; 201 y 202 traen success: false.",
	},
	"claimCertificate.success": { en: "The certificate.", es: "El certificado." },
	"claimCertificate.not_found": {
		en: "The code does not exist, or has not gone through certificate_request.",
		es: "El código no existe o no ha pasado por certificate_request.",
	},
	"getStatus.summary": { en: "Progress of one purchase code", es: "Avance de un código de compra" },
	"getStatus.description": {
		en: "The first status that applies, in this order: CANCELLED, EXPIRED (the certificate has expired), EMITTED, LOCKED, IN_ONBOARDING, VALIDATED, ACTIVE, NOT_FOUND. An unused code past its 14-day window is ACTIVE. A validation waits 90 days for its claim; then the code is permanently blocked: LOCKED. A code that does not exist, or is another partner's, is NOT_FOUND.",
		es: "El primer estado que corresponda, en este orden: CANCELLED, EXPIRED (el certificado venció), EMITTED, LOCKED, IN_ONBOARDING, VALIDATED, ACTIVE, NOT_FOUND. Un código sin usar cuyo plazo de 14 días venció es ACTIVE. Una validación espera su retiro por 90 días; después el código queda bloqueado definitivamente: LOCKED. Un código que no existe, o que es de otro partner, es NOT_FOUND.",
	},
	"getStatus.success": { en: "The status.", es: "El estado." },
	"createPurchaseCodes.summary": {
		en: "Create purchase codes in one batch",
		es: "Crear códigos de compra en un lote",
	},
	"createPurchaseCodes.description": {
		en: "Up to 500 codes of one product. All share one batchId, which GET /pcodes takes as batch_id.",
		es: "Hasta 500 códigos de un producto. Todos comparten un batchId, que GET /pcodes recibe como batch_id.",
	},
	"createPurchaseCodes.success": { en: "The batch and its codes.", es: "El lote y sus códigos." },
	"listPurchaseCodes.summary": {
		en: "List the calling partner's purchase codes",
		es: "Listar los códigos de compra del partner",
	},
	"listPurchaseCodes.description": {
		en: `Newest first, then by code. \`total\` is exact under every filter.

With Accept: text/csv, the whole selection as a file: UTF-8 with a byte order mark, commas, at most 100,000 codes, all statuses of one moment. page and limit are not allowed then, and the call counts with pcode/bulk's 30 a minute. A text that a spreadsheet would take for a formula has an apostrophe before it. A transfer that breaks off is not whole: ask again.`,
		es: `Primero los más nuevos y luego por código. \`total\` es exacto con cualquier filtro.

Con Accept: text/csv, toda la selección como archivo: UTF-8 con marca de orden de bytes (BOM), separado por comas, hasta 100.000 códigos, con los estados de un mismo momento. En ese caso no se admiten page ni limit, y la llamada se cuenta dentro de las 30 por minuto de pcode/bulk. Un texto que una planilla tomaría por fórmula lleva un apóstrofo delante. Una descarga que se corta no está completa: pídala de nuevo.`,
	},
	"listPurchaseCodes.success": { en: "One page.", es: "Una página." },

	idempotencyKey: {
		en: "Up to 255 visible ASCII characters, for example a UUID. The same key and body within 24 hours return the first final answer again, with Idempotency-Replayed: true.",
		es: "Hasta 255 caracteres ASCII visibles, por ejemplo un UUID. La misma Idempotency-Key y el mismo cuerpo dentro de 24 horas devuelven otra vez la primera respuesta definitiva, con Idempotency-Replayed: true.",
	},
	purchaseCode: {
		en: "Purchase code. Case, hyphens and spaces do not matter; O is read as 0, I and L as 1. A text that cannot be a code is one that does not exist.",
		es: "Código de compra. No importan mayúsculas, guiones ni espacios; O se lee como 0, e I y L como 1. Un texto que no puede ser un código es uno que no existe.",
	},
	referenceId: {
		en: "The partner's own transaction identifier.",
		es: "Identificador de la transacción, propio del partner.",
	},
	rut: {
		en: "National ID (RUT) with its check digit. Thousands dots and a lower-case k are accepted, and the hyphen may be left out.",
		es: "RUT con dígito verificador. Se aceptan puntos de miles y k minúscula, y se puede omitir el guion.",
	},
	email: {
		en: "E-mail address. Compared in lower case. It belongs to one RUT while a validated or issued code of that RUT carries it.",
		es: "Correo electrónico. Se compara en minúsculas. Es de un solo RUT mientras lo lleve un código validado o emitido de ese RUT.",
	},
	pin: { en: "Becomes the password of the PFX.", es: "Pasa a ser la contraseña del PFX." },
	cardSerial: {
		en: "Serial number of the ID card; required in the reduced flow, and in the full flow without single sign-on. Spaces and dots are ignored.",
		es: "Número de serie de la cédula; obligatorio en el flujo reducido y en el flujo completo sin inicio de sesión único. Se ignoran espacios y puntos.",
	},
	cardExpiry: {
		en: "Expiration date of the ID card as the user entered it: YYYY-MM-DD, DD-MM-YYYY or DD/MM/YYYY, day first.",
		es: "Fecha de vencimiento de la cédula como la ingresó el usuario: AAAA-MM-DD, DD-MM-AAAA o DD/MM/AAAA, primero el día.",
	},
	names: { en: "Given names. Full flow only.", es: "Nombres. Solo en el flujo completo." },
	fLastname: {
		en: "Paternal last name. Full flow only.",
		es: "Apellido paterno. Solo en el flujo completo.",
	},
	mLastname: { en: "Maternal last name.", es: "Apellido materno." },
	phone: {
		en: "International format with a leading +. Spaces, hyphens, dots and parentheses are dropped. Full flow only.",
		es: "Formato internacional, con + al inicio. Se quitan espacios, guiones, puntos y paréntesis. Solo en el flujo completo.",
	},
	ssoCredential: {
		en: "Token of the government single sign-on service; required in the full flow. Ignored in the reduced flow and where the full flow is configured without single sign-on.",
		es: "Token del servicio estatal de inicio de sesión único; obligatorio en el flujo completo. Se ignora en el flujo reducido y cuando el flujo completo está configurado sin inicio de sesión único.",
	},
	cardPicture: {
		en: "Picture of the ID card: base64, base64url or data URL of a JPEG, PNG or PDF, at most 4 MiB when decoded. Kept encrypted as evidence.",
		es: "Imagen de la cédula: base64, base64url o data URL de un JPEG, PNG o PDF, de hasta 4 MiB decodificado. Se guarda cifrada como evidencia.",
	},
	renews: {
		en: "Serial number of the certificate that this one renews: issued by you to the same RUT. Its holder and you get no more reminders that it expires.",
		es: "Número de serie del certificado que este renueva: emitido por usted al mismo RUT. Ni usted ni el titular reciben más avisos de su vencimiento.",
	},
	partnerCopy: {
		en: "Additional address that receives a copy of the certificate.",
		es: "Correo adicional que recibe una copia del certificado.",
	},
	requestStatus: {
		en: "VALIDATED: the claim is pending. EMITTED: issued and delivered.",
		es: "VALIDATED: falta retirarlo. EMITTED: emitido y entregado.",
	},
	certificateInfo: { en: "Only when status is EMITTED.", es: "Solo cuando status es EMITTED." },
	pfx: { en: "The PFX (PKCS#12) file.", es: "El archivo PFX (PKCS#12)." },
	quantity: { en: "Number of codes, 1 to 500.", es: "Cantidad de códigos, de 1 a 500." },
	productCode: {
		en: "Validity of the certificate: FV00 30 days, FV01 1 year, FV02 2 years, FV03 3 years.",
		es: "Vigencia del certificado: FV00 30 días, FV01 1 año, FV02 2 años, FV03 3 años.",
	},
	listStatus: {
		en: "The first that applies: anulado (cancelled), emitido (issued), bloqueado (locked), en_proceso (a validation is running), validado, expirado (the 14-day window has ended), sin_utilizar (unused).",
		es: "El primero que corresponda: anulado, emitido, bloqueado, en_proceso (hay una validación en curso), validado, expirado (venció el plazo de 14 días), sin_utilizar.",
	},
	cursor: { en: "`next` of the previous answer.", es: "`next` de la respuesta anterior." },
	page: { en: "Page number, from 1.", es: "Número de página, desde 1." },
	limit: {
		en: "Page size: 50 by default, at most 500.",
		es: "Tamaño de página: 50 por defecto, hasta 500.",
	},
	createdFrom: {
		en: "UTC; YYYY-MM-DD or a date and time, with or without seconds and offset. Not after created_to.",
		es: "UTC; AAAA-MM-DD o fecha y hora, con o sin segundos y desfase horario. No posterior a created_to.",
	},
	createdTo: {
		en: "UTC; YYYY-MM-DD or a full timestamp. A bare date includes the whole day.",
		es: "UTC; AAAA-MM-DD o fecha y hora completa. Una fecha sola incluye el día entero.",
	},
	category: {
		en: "Number of the product: FV00 0, FV01 1, FV02 2, FV03 3.",
		es: "Número del producto: FV00 0, FV01 1, FV02 2, FV03 3.",
	},
	processing: {
		en: "1 while a validation or an issuance of the code is running, else 0.",
		es: "1 mientras hay una validación o emisión del código en curso; si no, 0.",
	},
	externalReferenceId: {
		en: "referenceId of the latest accepted certificate_request.",
		es: "referenceId del último certificate_request aceptado.",
	},
	expiresAt: {
		en: "End of the window to start using the code: 14 days after created_at.",
		es: "Fin del plazo para empezar a usar el código: 14 días después de created_at.",
	},

	errorDetails: {
		en: "One entry per field in a 400 (one in all where the body could not be read), exactly one in a 406.",
		es: "Una entrada por campo en un 400 (una sola si no se pudo leer el cuerpo); exactamente una en un 406.",
	},
	headerRequestId: {
		en: "The x-request-id of the call when it sent one of letters, digits, _, - and =; else a new UUID.",
		es: "El x-request-id de la llamada, si trae letras, dígitos, _, - y =; si no, un UUID nuevo.",
	},
	headerRetryAfter: { en: "Seconds to wait.", es: "Segundos que hay que esperar." },
	headerRateLimitPolicy: {
		en: 'The limit of this call, for example "calls";q=600;w=60: 600 calls in 60 seconds.',
		es: 'El límite de esta llamada, por ejemplo "calls";q=600;w=60: 600 llamadas en 60 segundos.',
	},
	headerRateLimit: {
		en: 'What remains, for example "calls";r=599;t=42: 599 calls, and 42 seconds until it is counted anew.',
		es: 'Lo que queda, por ejemplo "calls";r=599;t=42: 599 llamadas, y 42 segundos hasta volver a contar.',
	},
	headerIdempotencyReplayed: {
		en: "true on an answer that was given before to the same Idempotency-Key.",
		es: "true en una respuesta que ya se dio a la misma Idempotency-Key.",
	},
	headerWwwAuthenticate: { en: "Bearer.", es: "Bearer." },
} as const satisfies Record<string, Text>;
