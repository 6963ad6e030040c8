import type { Statement } from "./watches.ts";
import type { World } from "./world.ts";

/*
 * Invariant 6, of every statement that reached D1 in a partner's call: on a table whose rows are partners', it binds
 * `partner_id`; it binds the caller's id and no other partner's.
 */

const OWNED =
	/\b(?:from|join|into|update)\s+"?(purchase_codes|batches|code_counts|holders|holder_emails|certificates|evidence|outbox|webhook_secrets|api_keys|audit_events|idempotency_keys)\b/i;

/** `partner_id` compared, joined, or among an INSERT's columns. */
const BINDS =
	/partner_?id"?\s*\)?\s*(?:=|\bin\b)|into\s+"?\w+"?\s*\([^)]*\bpartner_id\b|=\s*"?\w+"?\."?partner_id/i;

/** Statements of partners' calls that may do without, and why. */
const EXCEPTIONS: readonly { pattern: RegExp; why: string }[] = [
	{
		pattern: /^update "outbox" set .* where \("outbox"\."id" = \?/i,
		why: "a delivery is named by a random id that only the service knows; the row says whose it is",
	},
	{
		pattern: /^update "certificates" set .* where \("certificates"\."serial" = \?/i,
		why: "a serial is one certificate's alone",
	},
	{
		pattern:
			/^select "serial", revoked_at, .* from "certificates" where \("certificates"\."revoked_at" is not null/i,
		why: "a CRL lists every partner's revoked certificates; it is built beside whichever call revoked one",
	},
];

export function checkStatements(world: World): string[] {
	const ids = world.partners.map(({ id }) => id);
	const broken = world.statements.flatMap((statement) => judge(statement, ids));
	return [...new Set(broken)];
}

function judge({ sql, params, callers }: Statement, ids: readonly string[]): string[] {
	if (callers.length === 0 || !OWNED.test(sql)) return [];
	const text = sql.replace(/\s+/g, " ").trim();
	if (EXCEPTIONS.some(({ pattern }) => pattern.test(text))) return [];
	const shown = text.slice(0, 160);
	const broken = BINDS.test(text) ? [] : [`6: without partner_id: ${shown}`];
	const bound = params.filter((param): param is string => ids.includes(String(param)));
	if (bound.some((id) => !callers.includes(id))) broken.push(`6: another partner's id is bound: ${shown}`);
	if (bound.length === 0 && !isAuthentication(text)) broken.push(`6: the caller's id is not bound: ${shown}`);
	return broken;
}

/** The one statement that finds out whose call it is. */
function isAuthentication(text: string): boolean {
	return /from "api_keys" inner join "partners".*"api_keys"\."hash" = \?/.test(text);
}
