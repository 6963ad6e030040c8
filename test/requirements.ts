import { CLAUSES, type ClauseId } from "./interface-clauses.ts";

/*
 * Requirements of the service beside the interface document's clauses (test/interface-clauses.ts): the decisions where it
 * is silent, and the invariants of the architecture.
 *
 * A test that holds a requirement or a clause has its id among its tags: `test("…", { tags: ["claim-once"] }, …)`. The
 * documents state some things more than once, so an id may stand in several sections.
 */
export const REQUIREMENTS = {
	"Decisions: order of checks": {
		"order-method-first": "route and method (404, 405) come before key, body and size",
		"order-size-before-key": "a declared body size (413) comes before the key",
		"order-key-before-body": "the key (401) comes before the body is read (413, 408)",
		"order-body-before-rate": "the body is read (413, 408) before the partner's rate is taken",
		"order-key-before-shape": "the key (401) comes before media type, shape and query",
		"order-key-before-rate": "the key (401) comes before the rate: a refused key takes nothing of it",
		"order-rate-before-shape": "the rate (429) comes before media type and shape: certificate_request",
		"bulk-rate-before-shape": "the rate (429) comes before the shape: pcode/bulk",
		"order-media-type-before-shape": "media type (415) comes before shape (400)",
		"order-shape-before-code": "shape (400) comes before existence (404)",
		"order-code-before-rules": "existence (404) comes before business rules (406)",
		"order-blocked-before-lock": "cancelled or blocked (423) comes before the security lock (429)",
		"order-rut-lock": "the lock of a RUT (429) comes after 404 and 423, before business rules (406)",
		"order-lock-before-rules": "423 and 429 come before business rules (406)",
		"order-among-rules": "among certificate_request's rules each outranks all later ones",
		"code-transitions": "certificate_claim keeps the same order, in every state of a code",
		"request-code-not-found":
			"no check leaks what a later one knows: another partner's code and none are alike, to the byte",
		"claim-not-found": "… on certificate_claim",
		"status-scope": "… on status",
	},
	"Decisions: errors": {
		"error-body":
			"always JSON; besides the document's fields only `details`, entries of `{field?, code, message}`",
		"claim-while-validating":
			"202 VALIDATION_IN_PROGRESS, `Retry-After: 3`: claim while a request of the code runs",
		"claim-while-claiming": "202 … or while another claim of it runs",
		"error-400-fields": "400 VALIDATION_ERROR: shape, one `details` entry per field",
		"error-encoding": "400 INVALID_ENCODING: bytes that are not UTF-8, one entry, no attempt spent",
		"error-no-echo": "400 never echoes PIN, key or token",
		"key-refused":
			"401 UNAUTHORIZED: key missing, malformed, unknown, revoked, or its partner suspended: one and the same body",
		"bulk-product-not-enabled":
			"403 PRODUCT_NOT_ENABLED: bulk of a known product that is not in `allowed_products`",
		"bulk-quota":
			"403 CODE_QUOTA_EXCEEDED: the codes of the last 14 days less those now `emitido` would pass `max_codes_14_days`; cancelled ones and replacements count, and a replacement is never refused",
		"claim-not-found": "404 NOT_FOUND: code unknown, or (claim) never validated",
		"error-404-route": "404 NOT_FOUND: unknown route",
		"error-405": "405 METHOD_NOT_ALLOWED, with `Allow`",
		"body-timeout": "408 REQUEST_TIMEOUT: a body without progress for 15 s, or not whole after 60 s",
		"error-415": "415 UNSUPPORTED_MEDIA_TYPE: not JSON, or a declared charset that is not UTF-8",
		"error-406-one-detail": "406 VALIDATION_ERROR: business rejection, exactly one `details` entry",
		"request-email-in-use": "406 EMAIL_IN_USE",
		"request-other-validation": "406 OTHER_VALIDATION_IN_PROGRESS",
		"request-card-mismatch": "406 ID_CARD_MISMATCH",
		"request-expiry-mismatch": "406 EXPIRATION_DATE_MISMATCH",
		"request-sso-rejected": "406 SSO_REJECTED",
		"claim-credentials-mismatch": "406 CREDENTIALS_MISMATCH on claim: never which of RUT and PIN",
		"idempotency-running": "409 IDEMPOTENCY_IN_PROGRESS",
		"idempotency-other-body": "422 IDEMPOTENCY_MISMATCH",
		"request-cancelled": "423 LOCKED: cancelled",
		"request-lock": "429 ATTEMPT_LIMIT_REACHED: security lock, `Retry-After` in seconds",
		"rate-limit-429": "429 RATE_LIMIT_EXCEEDED, `Retry-After`",
		"rate-limit-fields": "`RateLimit-Policy` and `RateLimit` (IETF) on every answer of a limited endpoint",
		"error-500": "500 INTERNAL_ERROR: a bug, no inner text",
		"registry-unavailable":
			"503 REGISTRY_UNAVAILABLE, `Retry-After`: it failed or timed out; nothing changed, no attempt spent",
		"sso-unavailable": "503 SERVICE_UNAVAILABLE, `Retry-After`: another upstream did",
		"unavailable-late-commit": "503 is true even when the commit arrives after it",
		language: "messages are English, or Spanish when `Accept-Language` prefers it",
		"language-same-codes": "`error` and `details[].code` are the same in both",
		"request-id": "`x-request-id` on every answer: the caller's own, when it sends a sane one",
		"answer-headers": "`Cache-Control: no-store` where an answer bears data, security headers everywhere",
	},
	"Decisions: purchase codes": {
		"code-form": "form: 16 symbols of Crockford base32 from 80 random bits, upper case, in fours",
		"bulk-code-form": "form: the codes that bulk creates have it",
		"code-reading":
			"form: read without regard to case, hyphens or spaces, O as 0, I and L as 1; answered canonically",
		"code-reading-posts": "form: so on certificate_request and certificate_claim",
		"list-category": "`category`: FV00 0, FV01 1, FV02 2, FV03 3",
		"product-validity":
			"product, the certificate's validity: FV00 30 days, FV01 to FV03 one to three calendar years, UTC",
		"claim-while-claiming": "`processing`: 1 while a validation or an emission of the code runs, else 0",
		"crash-request": "`processing` is a lease: no crash leaves it at 1",
		"list-reference":
			"`external_reference_id`: the `referenceId` of the latest accepted certificate_request, else null",
		"request-code-expired":
			"14-day window: starts at `created_at`, `expires_at` is 14 days later; then 406 CODE_EXPIRED",
		"code-window-unvalidated-only": "14-day window: binds only a code nobody has validated",
		"status-active-past-window": "`GET /status` of an unused code past its window: ACTIVE",
		"list-status-precedence":
			"list statuses, first that applies: `anulado`, `emitido`, `bloqueado`, `en_proceso`, `validado`, `expirado`, `sin_utilizar`",
		"list-statuses":
			"`anulado` cancelled, `emitido` issued, `validado`, `expirado`, `sin_utilizar`: each reached, each found by its filter",
		"list-bloqueado": "`bloqueado`: permanently blocked, or under a security lock",
		"list-en-proceso": "`en_proceso`: onboarding, or a validation running",
		"status-writes-nothing": "no status is stored: a read writes nothing",
		"list-sql-same-table": "no status is stored: SQL filters and reads come from one table",
		"status-security-lock":
			"LOCKED in `GET /status`: permanently blocked, or under a security lock that has not run out",
		"ops-cancel": "ops cancel",
		"ops-block": "ops set a permanent block and lift it",
		"ops-cancel-issued": "cancelling an issued code revokes its certificate",
		"status-in-onboarding": [
			"IN_ONBOARDING: a widget session is open",
			"IN_ONBOARDING from the moment at which the frame first presents the token until success, or the session's end; a crash ends it by itself",
		],
	},
	"Decisions: certificate_request": {
		"request-serial-ignored": "full flow, `require_sso` = 1: a `serialNumber` that is sent is ignored",
		"request-serial-with-sso":
			"full flow, `require_serial_with_sso` = 1: `serialNumber` required beside the credential, 406, and compared",
		"settings-serial-with-sso":
			"`require_serial_with_sso` = 1 without single sign-on: 400 at ops; a change that ends single sign-on sets it to 0",
		"request-serial-required":
			"`serialNumber` missing where the configuration asks for it: 406 SERIAL_NUMBER_REQUIRED",
		"request-full-missing-named": "`names`, `fLastname`, `phone` missing in the full flow: 400",
		"request-expiry-required":
			"`fechaVencimiento` missing with `validate_vencimiento` = 1: 406 EXPIRATION_DATE_REQUIRED",
		"request-reduced-names-named": "`names`, `fLastname`, `phone` sent in the reduced flow: 400, each named",
		"request-sso-rejected": "full flow, `require_sso` = 1: `ssoCredential` always verified",
		"request-sso-required":
			"full flow, `require_sso` = 1, the default: `ssoCredential` absent is 400; RUT and name alone validate nobody",
		"request-full-serial-required":
			"full flow, `require_sso` = 0: `serialNumber` required as in the reduced flow, 406; the registry is asked with it",
		"request-sso-not-required": "full flow, `require_sso` = 0: a credential that is sent is ignored",
		"settings-sso-default":
			"a change of `require_cedula_serie` to 0 that does not name `require_sso` sets it to 1; existing partners keep their value",
		"settings-sso-reduced": "`require_sso` = 1 in the reduced flow: 400 at ops",
		"request-empty-field":
			'an optional field sent as `null` or `""` is as if not sent; `serialNumber: ""` where it is required: 406',
		"request-normalised": [
			"normalised instead of refused: blanks, hyphens, dots and parentheses of `phone`; e-mail as a browser's field takes it",
			"… timestamps without seconds, `+0000`, `+` that arrived as a blank; query parameters that are empty",
			"… a `p_code` of any length or alphabet: NOT_FOUND or 404",
		],
		"request-field-format": "`dni`: shape and mod-11 check digit, a wrong one is 400",
		"request-dni-forms":
			"`dni`: `k` taken as `K`, thousands dots accepted, no hyphen needed, stored and answered as `12345678-5`",
		"email-lower-case": "e-mail: compared in lower case",
		"email-per-partner": "e-mail: belongs to one RUT per partner",
		"email-from-success": "e-mail: from the first successful validation on",
		"email-freed":
			"e-mail: while a validated or issued code of that RUT carries it; another e-mail or a cancellation frees it",
		"email-at-once": "e-mail: also when two RUTs send it at once",
		"request-expiry-form": "`fechaVencimiento`: a real calendar date in one of the three forms, else 400",
		"request-expiry-day-first": "`fechaVencimiento`: D-M-Y is day first, always",
		"request-registry-name": "`nombreCompleto`: the registry's name",
		"request-name-comparison":
			"names: compared in the full flow without regard to case, accents and repeated spaces",
		"request-name-mismatch": "names: else 406 NAME_MISMATCH",
		"request-rut-mismatch":
			"RUT binding: by the first successful validation; another RUT later is 406 RUT_MISMATCH",
		"rut-binding-success-only": "RUT binding: a failed validation binds nobody",
		"request-again":
			"request on a VALIDATED code, same RUT: validates again; the new PIN, e-mail and reference replace the old",
		"request-again-success-only": "… only on success",
		"request-code-used": "request on an EMITTED code: 406 CODE_ALREADY_USED",
		"request-same-code-at-once":
			"another validation running, of the same code: 406 OTHER_VALIDATION_IN_PROGRESS",
		"request-same-rut-at-once": "… of another code of this partner for the same RUT: likewise",
		"attempt-reasons":
			"attempts: ID_CARD_MISMATCH, EXPIRATION_DATE_MISMATCH, NAME_MISMATCH and SSO_REJECTED each spend one",
		"attempt-rut-mismatch": "attempts: RUT_MISMATCH spends one",
		"attempt-no-other": "attempts: no other answer does",
		"request-lock":
			"attempts: the 3rd in a row answers its own 406 and opens a 30-minute lock, 429 meanwhile",
		"request-lock-permanent": "attempts: the third lock of a code is permanent, 423",
		"two-locks":
			"attempts: certificate_request and certificate_claim each have a lock, which closes no other call; of a validated code only the claim's shows",
		"attempts-left":
			"attempts: a 406 that spends one says how many are left, until when the lock lasts that it opens, or that it is for good",
		"validation-life":
			"life of a validation: 90 days; until the job has committed VALIDATED and a claim that works, then LOCKED and 423",
		"validation-lapsed":
			"life of a validation: holder, PIN, pictures and e-mail erased, one audit row, event `pcode.locked`",
		"holder-erased": "an erased holder leaves no mark: its RUT's index goes in every erasure",
		"ops-replace":
			"a code that cannot be used any more: `replace` cancels it and answers a new code of its product and partner, a batch of one with its own 14 days",
		"ops-replace-issued": "a code that cannot be used any more: an issued one is not cancelled",
		"ops-replace-repeated":
			"a code that cannot be used any more: repeating `replace` answers the same new code",
		"rut-lock":
			"attempts over many codes: 6 failures lock the RUT for 30 minutes, 429, and no code's status changes",
		"rut-lock-per-partner": "attempts over many codes: counted per partner",
		"rut-lock-as-sent": "attempts over many codes: counted for the RUT as sent",
		"rut-lock-window": "attempts over many codes: within 24 hours of the first",
		"rut-lock-cleared": "attempts over many codes: a success clears the count",
		"rut-lock-never-permanent": "attempts over many codes: never permanent",
		"rut-lock-concurrent": "attempts over many codes: counted also when codes fail at once",
		"rut-lock-crash": "attempts over many codes: a crash that spends an attempt counts",
		"rut-lock-erased": "attempts over many codes: erased within a day of its end",
		"attempt-cleared": "attempts: a success clears the count",
		"attempt-crash": "attempts: reserved before the registry is asked; a crash spends it",
		"attempt-dropped-call":
			"attempts: reserved likewise against a caller who drops the connection: no free guess",
		"attempt-given-back": "attempts: given back only if the registry did not answer",
		"emission-rate-counts-all":
			"emission rate: every authenticated certificate_request counts, whatever its outcome",
		"emission-rate-refused-not-counted": "emission rate: one refused for the rate does not",
		"emission-rate-window": "emission rate: never more than 10 in any 60 s",
		"registry-timeout": "registry timeout: 8 s",
		"registry-retry": "registry: one retry on connection failure",
		"picture-forms":
			"`dniFront`, `dniBack`: base64, base64url or data URL of JPEG (`image/jpg` too), PNG or PDF; kept encrypted",
		"picture-other-form": "`dniFront`, `dniBack`: anything else is 400",
		"picture-size": "`dniFront`, `dniBack`: 4 MiB each decoded",
		"picture-too-large": "`dniFront`, `dniBack`: more is 400",
		"picture-per-validation": "`dniFront`, `dniBack`: evidence for that validation",
		"body-limit": "body limit: 12 MiB for certificate_request, 16 KiB elsewhere",
		"copy-b2c": "`partnerCopy`: gets the PFX by e-mail once it is emitted, B2C",
		"delivery-email": "`partnerCopy`: and B2B",
	},
	"Decisions: Delivery": {
		"delivery-address-required":
			"create and change refuse what would leave a B2B partner without an address: 400 DELIVERY_ADDRESS_REQUIRED; a webhook that ops switched off does not count, one that answered 410 does",
		"delivery-without-address":
			"a partner that already is without: 503 on certificate_request, nothing spent",
		"delivery-waiting-to-email":
			"a certificate that waits goes to the delivery e-mail, as soon as it is set or sent again by hand",
		"delivery-waiting-to-webhook": "… or to the webhook",
	},
	"Decisions: certificate_claim": {
		"claim-lock": "… the 5th in a row opens a 30-minute lock, 429",
		"claim-lock-cure":
			"… that lock stops claims only: a successful certificate_request clears it, not the number of locks",
		"claim-lock-permanent": "… the third lock is permanent, 423",
		"claim-guesses-at-once": "… guesses sent at once are counted one by one",
		"pin-not-stored": "the PIN is never stored; what is has a salt per code",
		"pin-hash": "the PIN's hash is HMAC-SHA-256 under a secret pepper, compared in constant time",
		"sealed-in-object-and-db": "the PFX is stored nowhere in the clear",
		"idempotency-lost-answer": "an answer lost on the way is given again under its Idempotency-Key",
		"claim-blocked": "CANCELLED or blocked: 423",
		"claim-security-lock": "under its security lock: 429",
	},
	"Decisions: lists, bulk, statuses": {
		"bulk-answer": "bulk success: 201",
		"bulk-quantity-invalid": "bulk rejections: 400 for shape or quantity",
		"bulk-unknown-product": "bulk rejections: 400 for an unknown product",
		"bulk-rate": "bulk rejections: 429 beyond 30 calls a minute",
		"list-page-default": "`page` and `limit`: from 1, default 50",
		"list-limit-maximum": "`limit`: at most 500",
		"list-page-invalid": "`page` and `limit`: else 400",
		"list-order": "order: newest first, then by code",
		"list-order-stable": "order: stable while codes are added",
		"list-date-forms":
			"`created_from`, `created_to`: a date or an RFC 3339 timestamp; without an offset, UTC",
		"list-created-to-whole-day": "`created_to`: a bare date takes in the whole day",
		"list-from-after-to": "`created_from` after `created_to`: 400",
		"list-unknown-status": "unknown status value: 400, naming the allowed ones",
		"query-unknown-parameter": "unknown query parameter: 400",
		"list-total": "`pagination.total`: exact, under every filter",
		"rate-other-endpoints": "other endpoints' rate: 600 a minute per partner, approximate, then 429",
		"query-repeated-parameter": "repeated query parameter: 400",
	},
	"Decisions: idempotency": {
		"idempotency-openapi": "`Idempotency-Key` on the three POSTs, nowhere else",
		"idempotency-replay":
			"same key and body: the first answer again, bytes and status, `Idempotency-Replayed: true`",
		"idempotency-24h-claim": "for 24 hours: claim",
		"idempotency-24h-bulk": "for 24 hours: bulk",
		"idempotency-other-code": "… on another code",
		"idempotency-other-route": "… on another route",
		"idempotency-kept-answers": "kept are 200, 201, and 406 other than OTHER_VALIDATION_IN_PROGRESS",
		"idempotency-not-other-validation": "never OTHER_VALIDATION_IN_PROGRESS",
		"idempotency-not-202": "never 202",
		"idempotency-not-4xx": "never 400, 403 or 404",
		"idempotency-not-423": "never 423",
		"idempotency-not-lock": "never 429 of a security lock",
		"idempotency-not-rate": "never 429 of the rate",
		"idempotency-not-500": "never 500",
		"idempotency-not-503": "never 503",
		"idempotency-sealed":
			"a claim's or B2B request's kept answer is sealed with a key derived from the caller's",
		"sealed-in-object-and-db": "the caller's key is not stored: without the caller nobody can open it",
		"idempotency-without-header": "without the header the document's behaviour stands",
	},
	"Decisions: keys": {
		"key-form": "form `gw_dev_…`, `gw_prod_…`: environment, 128 random bits",
		"key-checksum": "form: a checksum, by which a mistyped key is refused without a query",
		"key-stored-hash": "stored as SHA-256 only",
		"key-several": "a partner may hold several; each has a label, created, last-used and revoked time",
		"key-last-used": "last-used time",
		"key-revoked": "revoked time",
		"key-revoked-everywhere": "revocation takes effect everywhere within 60 s",
		"key-revoked-busy": "… of a busy key too",
		"key-revoked-manage": "… for calls of scope `manage` with the next call",
		"key-scopes": "a call needs its scope; one that reads is open to `read` and `manage` too; else 403",
		"order-scope-before-shape": "the scope is checked after the key, before body and rate",
		"key-default-scopes": "all but `manage`, when a key is made without scopes",
		"key-expiry": "`expires_at`: 401 from then on",
		"key-addresses": "`allowed_cidrs`: 401 from elsewhere and without a caller's address",
		"key-rotation": "a rotated key's successor has its rights; both are valid during the overlap",
		"key-wider":
			"a key that makes or rotates another gives it no scope that it lacks, no later end, no wider ranges",
		"key-ended":
			"ended keys are listed in pages, apart from those in force, and deleted 90 days after their end",
		"key-changes-rate": "a partner changes keys 60 times an hour at most",
		"key-last-manage": "the last `manage` key without an end cannot be revoked by the partner itself",
	},
	Invariants: {
		"claim-once": "1 at most one certificate of a code leaves",
		"crash-issues-once": "1 … after a crash too",
		"lease-outlived": "1 … when a run outlives its lease",
		"crash-claim-after-commit": "1 none leaves without its code reading EMITTED afterwards: claim",
		"webhook-after-emitted": "1 … B2B",
		"serial-before-signing": "2 no certificate is signed whose serial was not durably written down before",
		"serial-before-signing-b2b": "2 … B2B",
		"durable-before-answer": "3 an answer that says it happened is sent after it is durable",
		"crash-claim": "4 after any crash the code can be carried on within one lease: claim",
		eviction: "4 after an eviction",
		"crash-no-free-guess": "4 never a free guess",
		"db-no-secrets": "5 PIN, key and token are nowhere in the clear in D1",
		"sealed-in-object-and-db": "5 … nor the API key in the object",
		"log-no-secrets": "5 … in no log",
		"error-no-echo": "5 … in no error",
		"audit-no-secrets": "5 … in no audit row",
		"private-key-nowhere":
			"5 the private key is nowhere at rest in the clear, in no log, no error, no audit row",
		"list-scope": "6 no query touches another partner's rows: list",
		"claim-not-found": "6 … a call with another partner's code leaves that code alone",
		"crash-other-partner": "6 … even when it crashes",
		"idempotency-per-partner": "6 … Idempotency-Keys",
	},
	"Decisions: before the key": {
		"address-unknown-keys":
			"failed look-ups of well-formed keys: 60 a minute per address, IPv6 by /64, then 429",
		"order-address-before-key":
			"… over it, uncached keys are refused until the minute ends; cached keys go on",
		"key-checksum": "malformed keys never reach D1 and do not count",
		"address-every-route":
			"every route that is mounted: without a key an address reaches D1 no more often than a limit of its own",
		"address-readyz": "`/readyz`: 120 a minute per address, then 429",
		"address-ocsp": "OCSP questions that miss the cache: 600 a minute per address, then 429",
		"address-answer": "the answer carries `Retry-After` and no `RateLimit`",
	},
	"Decisions: the holder": {
		"holder-told": "e-mail to the holder at issue, both modes: no PFX, no PIN",
		receipt: "the widget's end has a receipt: holder, masked RUT, seller, serial, dates, how to revoke",
		"receipt-token": "… by the session's token alone, of its own code, and in no address",
		"install-page":
			"/instalar: the visitor's own system first, all others reachable; no more is promised than the law does",
		"holder-revokes": "RUT and e-mail, a code by e-mail, the certificate and a reason: OCSP says revoked",
		"holder-across-partners":
			"found over all partners by (partner, index) pairs; no index that spans partners",
		"holder-data":
			"Ley 21.719: the holder sees all that is kept of it by the e-mailed code, as a page and as JSON; no picture, no secret",
		"holder-erases": "… erases at once what need not be kept; the rest stays, with its reason and its day",
		"holder-requests": "… and asks for corrections, which ops answer once, in the audit",
		"breach-queries": "the runbook for a breach: each of its queries runs and finds what it says",
		"holder-looked-up":
			"ops look up a holder by RUT: reason and codes found are in the audit before the answer, the RUT is not",
		"holder-same-answer": "no match: the same answer",
		"holder-limits": "limited against guessing and against flooding a mailbox",
		"reminder-days": "`certificate.expiring` 60, 30 and 7 days before, once each, only later than the issue",
		"reminder-lapse": "`pcode.lapsing` 14 days before a validation lapses, once per code",
		"reminder-codes": "`pcode.expiring` on day 12, once per batch with a count",
		renewal: "`renews`: not a certificate of the same RUT and partner: 406 RENEWAL_MISMATCH",
	},
	"Decisions: a partner's own calls": {
		"desk-deliveries":
			"a partner sees its deliveries and their attempts, never their content, and sends them again",
		"desk-rows-read": "a page of deliveries reads its own length, whatever is asked for",
		"desk-tenancy": "another partner's ids are answered like ones that never were",
		"desk-webhook": "a partner sets its webhook, its events and its secret; what waits is sent",
		"desk-ping": "a signed `ping`, its outcome in the answer, and nothing else",
		"desk-settings":
			"a partner sees what applies to its calls, and sets its delivery e-mail, reminders and widget",
		"desk-email-confirmed":
			"a delivery e-mail that a partner sets waits, as `delivery_email_pending`, until its owner presses the button of the page that the e-mail links to; 24 hours, 5 such e-mails an hour; ops' own entry counts at once, and so does any in local and in dev one outside EMAIL_RECIPIENTS",
		"desk-notice":
			"a change of webhook address, delivery e-mail or keys is told to the partner's other address",
		"code-detail": "GET /pcodes/{p_code}: facts, both statuses, who did what; persons of ops as `ops`",
		"code-detail-delivery":
			"… and how the delivery of a B2B certificate stands: delivered, pending, waiting for an address",
		"code-detail-certificate": "… and its certificate, nothing of its holder",
		"code-detail-unknown": "another partner's code, for reading and cancelling: as one that never was",
		"own-cancel": "a partner may cancel its own codes, with a reason",
		"own-cancel-revokes": "cancelling an issued code revokes its certificate",
		"own-cancel-repeated": "cancel repeated: 200, nothing changes",
		"own-revoke": "revoke: the code stays EMITTED",
		"own-revoke-reasons": "revoke: RFC 5280 reasons without those about authorities and suspension",
		"own-revoke-repeated": "revoke repeated: 200, the first date and reason stay",
		"own-revoke-unknown": "another partner's certificate: as one that never was",
		"certificates-item": "GET /certificates: no personal data beyond what the partner sent",
		"certificates-filters": "… by validity, expiring before",
		"certificates-pages": "… page after page without a gap or a repetition",
		"certificates-rows": "… rows read follow the page, not the stock",
		"certificates-search": "search by RUT: in a POST body",
		"own-export":
			"export: settings, usage, codes with their certificates as the lists have them, streamed; nothing of a holder",
		"usage-sums": "usage: per product of a month, exact",
		"usage-validated-once": "usage: a code is validated once",
		"usage-expired": "usage: expired from the certificate's last moment on",
		"usage-revoked": "usage: a certificate revoked before its end does not expire",
		"usage-santiago": "usage: days of America/Santiago",
		"usage-reconciled": "usage: the counters are compared with the tables",
		"partner-clock":
			"partner's clock: what moves, what stays real, forward by four years at most; due work is done before the answer",
		listen: "listen: the partner's endpoint while connected, its answer the outcome; no B2B address",
		"sandbox-only": "the calls that drive the sandbox are in local and dev alone",
		"list-csv": "CSV: the list's selection and fields, UTF-8 with BOM",
		"list-csv-formula": "CSV: cells that begin like a formula are escaped",
		"list-csv-refused": "CSV: `page` and `limit` 400, more than 100,000 rows 400",
		"list-csv-rows": "CSV: keyset pages under one `now`, rows read follow the rows sent",
		"list-csv-rate": "CSV: counts with pcode/bulk",
		"list-csv-broken": "CSV: an answer that cannot be whole breaks off",
	},
	"The partner's console: signing in, forms, settings": {
		"console-sign-in":
			"a `manage` key becomes a session; no other key does, the address limits are those of keys",
		"console-sign-in-limit": "ten sign-ins of a partner a minute, then 429",
		"console-cookie": "HttpOnly, SameSite=Strict, over https `__Host-` and Secure; D1 has a hash alone",
		"console-session-ends":
			"8 hours, signing out, everywhere, one from the list; with its key, its partner, an address that the key forbids",
		"console-forms": "a form of another session, another site or none does nothing",
		"forms-once":
			"a form of either console or of /revocar, sent again or twice at once, is done once and answered as it was first",
		"console-trips": "a page costs three D1 trips at most",
		"console-hostile": "what somebody stored or typed is shown and never run",
		"console-settings": "webhook, e-mail, widget, keys and reminders are changed as by the API",
		"console-shown-once": "a key or secret is shown by its page alone, for five minutes, and stored nowhere",
		"console-frozen": "while D1 is being restored pages are shown and nothing is done",
	},
	"The partner's console: its lists and figures": {
		"console-overview": "every figure of the overview is the length of the list that it links to",
		"console-first-steps": "the first steps are ticked off by what the partner did, and go once all are done",
		"console-attention":
			"what needs attention comes first, the most urgent above, each with its next step, for a partner and for ops",
		"console-codes": "codes by the API's filters and pages, in three trips to D1 at most",
		"console-order": "an order of more codes than a batch holds is made in batches, nothing of it twice",
		"console-code": "a code's facts, history and what to do next; nothing of its holder",
		"console-deliveries": "deliveries, their attempts, one sent again; nothing that the receiver said",
		"console-certificates": "certificates by validity, end and RUT, of the partner alone",
		"console-find":
			"the search finds a code by its first symbols, a reference, a batch, a serial, a RUT: the partner's own, by an index",
		"console-usage": "the usage that the API answers, by month and day",
		"console-tenancy": "another partner's ids are answered like ones that never were",
		"console-rows": "the overview reads no more of a million codes than their blocks' counters",
	},
	"Decisions: further gaps": {
		"claim-already-issued":
			"claim of an emitted code with a wrong RUT or PIN: 201 ALREADY_ISSUED all the same",
		"status-not-found": "`GET /status` of an unknown code: 200, NOT_FOUND",
		"status-not-a-code": "`GET /status` of a text that cannot be a code: 200, NOT_FOUND, the code as sent",
		"request-code-not-found":
			"a text that cannot be a code, in certificate_request: 404 as for any unknown code",
		"claim-not-found": "… in certificate_claim",
		"claim-while-claiming": "a claim that runs, in the list: `processing` 1, `en_proceso`",
		"key-environment": "prod does not take `gw_dev_…` keys",
		"request-emitted": "`pfxFileName`: `certificado-<RUT>.pfx`",
		"request-reduced-optional": "`mLastname`, `ssoCredential` in the reduced flow: accepted, not used",
		"copy-reduced-flow": "`partnerCopy` in the reduced flow: honoured",
		"request-field-format": "a card serial that no card can have: 400",
		"error-hundred-fields":
			"more than a hundred wrong or unknown fields: 400 whose `details` names the first hundred",
		"error-too-many-parts":
			"JSON of more than ten thousand fields and elements: 400, refused before it is parsed",
		"sso-unavailable": "single sign-on down: 503 SERVICE_UNAVAILABLE, no attempt spent",
		"registry-refusal-first": "registry refuses while single sign-on is down: the registry's 406",
		"registry-refusal-spends": "registry refuses while single sign-on is down: the attempt is spent",
		"commit-fails": "D1 fails after the registry answered: 503, attempt given back",
		"lock-count-kept":
			"a success does not clear the count of locks: the third is permanent whatever succeeded between",
		"claim-failures-cleared": "a new validation clears failed claims",
		"product-validity": "certificate issued on 29 February, years later: ends on 28 February",
		"list-order": "`created_at` of two batches in one millisecond: the second is a millisecond later",
		"ops-block-emitted": "ops block an emitted code: 406 CODE_ALREADY_USED",
		"ops-unblock": "ops unblock: clears block, lock, failures and locks",
		"ops-cancel-reason": "cancel: revokes with cessationOfOperation",
		"serial-before-signing": "a serial noted before a crash: is recorded as revoked",
		"picture-failed-validation": "pictures of a failed validation: not kept",
		"idempotency-key-length": "Idempotency-Key: 1 to 255 characters",
		"idempotency-key-characters": "Idempotency-Key: visible ASCII, else 400",
		"idempotency-key-quotes": "Idempotency-Key: quoted or not",
		"long-name-common-name": "a name of more than 64 characters: CN ends after its last whole word that fits",
		"long-name-friendly-name": "a name of more than 64 characters: friendlyName keeps it whole",
	},
	"Decisions, Widget": {
		"widget-refusals":
			"what certificate_request would refuse whatever the holder types is refused when the session is made",
		"widget-session-ends":
			"opens within 24 hours, then 30 minutes from its last step; ended by a newer session, by its partner, by a success by API, by the code's end",
		"widget-submits-given-back":
			"a submission refused before the registry is asked gives its place back; ten in an hour end the session, TOO_MANY_SUBMITS",
		"widget-idempotency": "Idempotency-Key on onboarding_sessions; making one is no emission, its submit is",
		"widget-token":
			"the token's hash alone is stored; without the session's own token: 401, one and the same",
		"widget-progress": "what is typed is sealed in the code's object; a reload goes on where it was",
		"widget-same-use-cases":
			"a submission is certificate_request, with its refusals, attempts, locks and audit",
		"widget-claim": "the claim is repeatable until the session ends; not for B2B",
		"widget-consent": "version and time of the accepted terms are recorded with the validation",
		"widget-events":
			"`onboarding.completed` when the holder has finished, `onboarding.expired` when the time was over before",
	},
} as const satisfies Record<string, Record<string, string | readonly string[]>>;

type Sections = typeof REQUIREMENTS;
type IdOf<Section> = Section extends Section ? keyof Section & string : never;

export type RequirementId = IdOf<Sections[keyof Sections]> | ClauseId;

/** Every id that a test may have among its tags. */
export const REQUIREMENT_IDS = new Set([
	...Object.values(REQUIREMENTS).flatMap(Object.keys),
	...Object.values(CLAUSES).flatMap((clauses) => clauses.flatMap(([, by]) => by)),
]) as ReadonlySet<RequirementId>;

declare module "vitest" {
	interface TestTags {
		tags: RequirementId;
	}
}
