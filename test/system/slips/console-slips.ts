import type { Slip } from "./slip.ts";

const SIGN_IN = "test/service/console/sign-in.test.ts";
const PAGES = "test/service/console/pages.test.ts";
const OVERVIEW = "test/service/console/overview.test.ts";
const CODES = "test/service/console/codes.test.ts";

export const CONSOLE_SLIPS: readonly Slip[] = [
	{
		what: "a form needs no token of its session",
		file: "src/console/routes.ts",
		find: 'if (!(await isFormOfSession(c, form.text("csrf"))))',
		replace: 'if (form.text("csrf").length !== 43)',
		test: PAGES,
	},
	{
		what: "a form of another site is taken, if its token is right",
		file: "src/console/routes.ts",
		find: "if (!isOwnForm(c)) return",
		replace: "if (c.req.path === '' && !isOwnForm(c)) return",
		test: PAGES,
	},
	{
		what: "another host of the zone counts as this one",
		file: "src/console-parts/read-form.ts",
		find: 'site === "same-origin"',
		replace: 'site !== "cross-site"',
		test: SIGN_IN,
	},
	{
		what: "a session outlives its key and its partner's suspension",
		file: "src/db/console-sessions.ts",
		find: "eq(consoleSessions.tokenHash, tokenHash), gt(expiresAt, now), isInForce(now)",
		replace: "eq(consoleSessions.tokenHash, tokenHash), gt(expiresAt, now)",
		test: SIGN_IN,
	},
	{
		what: "a session goes on at an address that its key forbids",
		file: "src/console/session.ts",
		find: "if (!mayBeUsed(c, owner)) {",
		replace: "if (!mayBeUsed(c, owner) && !owner.keyId) {",
		test: SIGN_IN,
	},
	{
		what: "an invented cookie is looked up in D1",
		file: "src/console/session.ts",
		find: 'if (!(await index.matches(mac, "console-cookie", token)))',
		replace: "if (mac === token)",
		test: SIGN_IN,
	},
	{
		what: "any key signs in",
		file: "src/console/sign-in.tsx",
		find: 'if (!permits(found.owner.scopes, { scope: "manage", reads: false }))',
		replace: 'if (!permits(found.owner.scopes, { scope: "read", reads: true }))',
		test: SIGN_IN,
	},
	{
		what: "signing in leads to another site",
		file: "src/console/sign-in.tsx",
		find: "/^\\/console\\/[\\w/-]{1,100}$/",
		replace: "/^[^<]{1,100}$/",
		test: SIGN_IN,
	},
	{
		what: "ending every session ends those of all partners",
		file: "src/db/console-sessions.ts",
		find: "return db.delete(consoleSessions).where(eq(consoleSessions.partnerId, partnerId));",
		replace: "return db.delete(consoleSessions).where(gt(consoleSessions.createdAt, partnerId.length));",
		test: SIGN_IN,
	},
	{
		what: "the overview counts every partner's refusals",
		file: "src/db/overview.ts",
		find: "WHERE partner_id = :partnerId AND action IN",
		replace: "WHERE partner_id >= substr(:partnerId, 1, 0) AND action IN",
		test: OVERVIEW,
	},
	{
		what: "the overview counts every partner's deliveries",
		file: "src/db/overview.ts",
		find: "WHERE partner_id = :partnerId AND (",
		replace: "WHERE partner_id >= substr(:partnerId, 1, 0) AND (",
		test: OVERVIEW,
	},
	{
		what: "codes that are locked now count as what they are without the lock",
		file: "src/domain/status-counts.ts",
		find: "if (atRest === status) continue;",
		replace: "if (n > 0) continue;",
		test: OVERVIEW,
	},
	{
		what: "an order that is sent again is made again",
		file: "src/console/orders.tsx",
		find: "idempotency: await markOf(c, order, nth)",
		replace: "idempotency: (await markOf(c, order, nth)) && null",
		test: CODES,
	},
	{
		what: "a code is cancelled by who has not confirmed it",
		file: "src/console/code.tsx",
		find: 'form.text(what) === "sure"',
		replace: 'form.text(what) !== "unsure"',
		test: CODES,
	},
];
