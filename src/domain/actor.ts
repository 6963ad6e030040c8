/**
 * Who makes a change, as the audit records it: a partner's API key, an operator's token, a widget session, a holder,
 * or a job by its name. Rows written before this form say `key:<id>`, `ops` and `system`; they stay as they are.
 */
export type Actor = `${"partner" | "ops" | "widget" | "holder" | "job"}:${string}`;
