import { DAY_MS, HOUR_MS, MINUTE_MS } from "./durations.ts";

/** Every number that bounds a partner, in one place. Times in milliseconds, sizes in bytes. */

/** §8: window to start using a code. */
export const CODE_WINDOW_MS = 14 * DAY_MS;
/** Chosen: the largest quota of codes in that window that ops may set. */
export const CODE_QUOTA_MAX = 10_000_000;
/** §8: codes per bulk request. */
export const BULK_MAX = 500;
/** §8: certificate_requests per partner in any window. */
export const EMISSION_LIMIT = 10;
export const EMISSION_WINDOW_MS = MINUTE_MS;
/** Decisions, "private key": how long one that was made while the registry was asked waits for its claim. */
export const HOLDER_KEY_WAITS_MS = 10 * MINUTE_MS;
/** Chosen: calls per minute of pcode/bulk, and of every other endpoint. */
export const BULK_CALLS_PER_MINUTE = 30;
export const CALLS_PER_MINUTE = 600;

/** Chosen: how long a browser stays signed in at a console, and a partner's sign-ins in a minute. */
export const CONSOLE_SESSION_MS = 8 * HOUR_MS;
export const SIGN_INS_PER_MINUTE = 10;
/** Chosen: keys of one partner that are in force. */
export const KEYS_MAX = 100;
/** Decisions, "Keys": changes of its keys that a partner makes in an hour. */
export const KEY_CHANGES_PER_HOUR = 60;
/** Decisions, "Delivery": how long a delivery e-mail can be confirmed, and the e-mails that ask for it in an hour. */
export const DELIVERY_EMAIL_PENDING_MS = DAY_MS;
export const DELIVERY_EMAILS_PER_HOUR = 5;
/** Chosen: address ranges of one key. */
export const KEY_RANGES_MAX = 50;
/** Decisions, "Widget": sessions that a partner makes in a minute, and how long one may wait to be opened. */
export const SESSIONS_PER_MINUTE = 60;
export const SESSION_OPENS_MS = DAY_MS;
/** Decisions, "Widget": how long an opened session lives after its last call. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** Chosen: calls of the frame and of `/revocar` per caller's address and minute, and the validations of one session: three errors and the lock's answer. */
export const FRAME_CALLS_PER_MINUTE = 600;
export const SUBMITS_PER_MINUTE = 4;
/** Decisions, "emission rate": submissions of a session, refused before the registry is asked, that end it, and their time. */
export const REFUSED_SUBMITS = 10;
export const REFUSED_SUBMITS_WINDOW_MS = HOUR_MS;
/** Chosen: a partner's logo, and the body of the call that sets it. */
export const LOGO_MAX = 32 * 1024;
export const LOGO_BODY_MAX = 48 * 1024;

/** Decisions, "Before the key": well-formed keys that nobody holds, per caller's address and minute. */
export const UNKNOWN_KEYS_PER_MINUTE = 60;
/** Limit of `/readyz`. */
export const READINESS_CALLS_PER_MINUTE = 120;

/** Chosen: failures in a row that open a security lock, its length, and the lock that is permanent. */
export const VALIDATION_ATTEMPTS = 3;
export const CLAIM_ATTEMPTS = 5;
export const SECURITY_LOCK_MS = 30 * MINUTE_MS;
export const LOCKS_UNTIL_BLOCKED = 3;
/** Chosen: failed ID validations of one RUT over all codes that lock it, and the time in which they count. */
export const RUT_ATTEMPTS = 6;
export const RUT_WINDOW_MS = DAY_MS;

/** Chosen: how long a page's forms may be sent; sent again within it, each is answered as it was first. */
export const FORM_MS = DAY_MS;
/** Decisions, "Keys": how long the page that a form leads to shows what the form made. */
export const SHOWN_ONCE_MS = 5 * MINUTE_MS;

/** Chosen: how long a validation waits for its claim. */
export const VALIDATION_LIFE_MS = 90 * DAY_MS;

/** Chosen, for the page where a holder revokes: the wait for the code, its tries, the life of its proof. */
export const HOLDER_CODE_MS = 15 * MINUTE_MS;
export const HOLDER_CODE_TRIES = 5;
export const HOLDER_PROOF_MS = 30 * MINUTE_MS;
/** Time for which a visit's details are kept to explain it. */
export const HOLDER_VISIT_KEPT_MS = DAY_MS;
/**
 * Chosen (decisions 0015): a RUT and e-mail have one code for six hours, which is sent three times at most and works
 * once; then they have another, twice. Whoever knows both may ask for it and keep nobody from revoking.
 */
export const HOLDER_CODE_WINDOW_MS = 6 * HOUR_MS;
export const HOLDER_CODE_MESSAGES = 3;
export const HOLDER_CODES_PER_WINDOW = 3;
/** Chosen: codes that a caller's address may ask for in an hour. */
export const HOLDER_CODES_PER_ADDRESS = 20;
export const HOLDER_ADDRESS_WINDOW_MS = HOUR_MS;

/** Time after which a step that holds a code counts as crashed (invariant 4). */
export const LEASE_MS = MINUTE_MS;
/** Time for which an idempotent answer is kept. */
export const IDEMPOTENCY_MS = DAY_MS;

export const CERTIFICATE_REQUEST_BODY_MAX = 12 * 1024 * 1024;
export const BODY_MAX = 16 * 1024;
/** Decisions, "Before the key": the longest pause within a body, and the time of a whole one. */
export const BODY_PAUSE_MS = 15_000;
export const BODY_TIME_MS = MINUTE_MS;
/** Chosen: fields and elements of a body of JSON; no call has fifty. */
export const JSON_PARTS_MAX = 10_000;
export const DOCUMENT_IMAGE_MAX = 4 * 1024 * 1024;

/** Decisions, "Delivery": a partner gets one notice of a kind of change in this time. */
export const NOTICE_EVERY_MS = 15 * MINUTE_MS;

/** Limit of D1 itself, which cannot be raised, and the parts of it in use from which ops are warned and alarmed. */
export const DATABASE_MAX = 10_000_000_000;
export const DATABASE_HIGH = 0.7;
export const DATABASE_CRITICAL = 0.9;

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 500;
/** Decisions, "CSV": codes of one file. */
export const CSV_ROWS_MAX = 100_000;
/** Chosen: changes of a code that are shown to its partner, the latest. */
export const TIMELINE_MAX = 200;
