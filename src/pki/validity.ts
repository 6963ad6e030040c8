import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/durations.ts";

/* Validity of revocation answers; docs/decisions/0005-revocation.md says why. Milliseconds. */

/** Time between a CRL's thisUpdate and nextUpdate. */
export const CRL_VALIDITY_MS = DAY_MS;
/** A CRL this old is rebuilt although nothing was revoked: crons may fail for the rest of its validity. */
export const CRL_REBUILD_MS = 6 * HOUR_MS;
/** Time between an OCSP answer's thisUpdate and nextUpdate. */
export const OCSP_VALIDITY_MS = HOUR_MS;
/** Time for which caches, ours among them, keep both: a relying party may learn of a revocation this late. */
export const CACHED_MS = MINUTE_MS;
/** Time that an entry stays past its certificate's end, so that it is on a CRL issued after it (RFC 5280 §3.3). */
export const ENTRY_OVERLAP_MS = DAY_MS;
/** The longest product, for a serial whose certificate was never issued and whose end is not known. */
export const LONGEST_VALIDITY_MS = 3 * 366 * DAY_MS;
/** Longest time for one build of a CRL before another may begin. */
export const CRL_TURN_MS = MINUTE_MS;
