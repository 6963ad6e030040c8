import { DAY_MS } from "./durations.ts";

/* Requests of holders about their own data (Ley 19.628 as amended by Ley 21.719), which ops answer. */

/** Rights that need a person: rectification, opposition, temporary blocking. Access, portability and suppression need none. */
export const REQUEST_KINDS = ["correct", "object", "block"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export const REQUEST_OUTCOMES = ["done", "refused"] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** Time to answer a request: 30 days (docs/decisions/0024-the-holders-data.md). */
export const ANSWER_MS = 30 * DAY_MS;
/** Open requests of one code at a time. */
export const OPEN_REQUESTS_MAX = 5;
/** Characters of a request, and of its answer. */
export const REQUEST_MAX = 400;
