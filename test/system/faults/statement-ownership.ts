import type { Fixture } from "./fixture.ts";
import type { Statement } from "./spies.ts";

/*
 * Invariant 6, of every statement that reached D1. In a partner's call: on a table whose rows are partners', it binds
 * `partner_id`; it binds the caller's id and no other partner's. Whoever calls: a change of one delivery, or of one
 * certificate, says whose it is.
 */

const OWNED =
	/\b(?:from|join|into|update)\s+"?(purchase_codes|batches|code_counts|usage_counts|holders|holder_emails|rut_attempts|certificates|evidence|outbox|webhook_secrets|api_keys|audit_events|idempotency_keys|onboarding_sessions)\b/i;

/** `partner_id` compared, joined, or among an INSERT's columns. */
const BINDS =
	/partner_?id"?\s*\)?\s*(?:=|\bin\b)|into\s+"?\w+"?\s*\([^)]*\bpartner_id\b|=\s*"?\w+"?\."?partner_id/i;

/** Statements of partners' calls that may do without: the call that revoked one builds the CRL, and looks for its expired entries. */
const CRL_LIST = /^SELECT serial, \w+ AS .* FROM certificates WHERE (revoked_at IS NOT NULL|serial IN)/;

/** A holder's look-up at /revocar, the exception to the invariant: it runs after its answer, during whosoever's next call. */
const HOLDERS_OWN = /^select holders\.partner_id .* from json_each\(\?\) as pair cross join holders /i;

/** A change of one row that is named by what only the service knows: its random id, or its serial. */
const ONE_ROW = /^update "(outbox|certificates)" set .* where \(*"\1"\."(id|serial)" = \?/i;

/** A row that is replaced by itself: all its columns are named, and its condition says whose it is, as an UPDATE's does. */
const REPLACED = /^replace into ("\w+") .* where /i;

export function checkStatements(fixture: Fixture): string[] {
	const ids = fixture.partners.map(({ id }) => id);
	return [...new Set(fixture.statements.flatMap((statement) => judge(statement, ids)))];
}

function judge({ sql, params, callers }: Statement, ids: readonly string[]): string[] {
	const text = sql.replace(/\s+/g, " ").trim().replace(REPLACED, "update $1 set … where ");
	const shown = text.slice(0, 160);
	if (callers.length === 0) {
		const isNobodys = ONE_ROW.test(text) && !BINDS.test(text);
		return isNobodys ? [`6: does not say whose row: ${shown}`] : [];
	}
	if (!OWNED.test(text) || CRL_LIST.test(text) || HOLDERS_OWN.test(text)) return [];
	const broken = BINDS.test(text) || isAuthentication(text) ? [] : [`6: without partner_id: ${shown}`];
	const bound = params.filter((param): param is string => ids.includes(String(param)));
	if (bound.some((id) => !callers.includes(id))) broken.push(`6: another partner's id is bound: ${shown}`);
	if (bound.length === 0 && !isAuthentication(text)) broken.push(`6: the caller's id is not bound: ${shown}`);
	return broken;
}

/** The statements that find out whose call it is: by the hash of a key or of a console's token, or by a session's id, whose token follows. */
function isAuthentication(text: string): boolean {
	if (/from "onboarding_sessions" where "onboarding_sessions"\."id" = \?$/.test(text)) return true;
	if (/from "console_sessions" inner join "api_keys".*"token_hash" = \?/.test(text)) return true;
	return /from "api_keys" inner join "partners".*"api_keys"\."hash" = \?/.test(text);
}
