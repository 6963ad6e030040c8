import type { Slip } from "./slip.ts";

const ENTRY = "test/service/ops-console/entry.test.ts";
const PAGES = "test/service/ops-console/pages.test.ts";
const ACTIONS = "test/service/ops-console/actions.test.ts";

export const OPS_CONSOLE_SLIPS: readonly Slip[] = [
	{
		what: "a form needs no token of its page",
		file: "src/ops-console/routes.ts",
		find: "return (await Promise.all(days)).includes(true);",
		replace: "return days.length > 0;",
		test: ENTRY,
	},
	{
		what: "a form's token is everybody's",
		file: "src/ops-console/routes.ts",
		find: 'const { name } = c.get("operator");',
		replace: 'const name = "somebody";',
		test: ENTRY,
	},
	{
		what: "a form of another site is taken",
		file: "src/ops-console/routes.ts",
		find: "if (!isOwnForm(c)) return",
		replace: "if (c.req.path === '' && !isOwnForm(c)) return",
		test: ENTRY,
	},
	{
		what: "a page needs no role",
		file: "src/ops-console/routes.ts",
		find: "return role === null ? [] : [requireRole(role)];",
		replace: "return role === null || requireRole(role) ? [] : [];",
		test: ENTRY,
	},
	{
		what: "a session outlives its hour",
		file: "src/ops-console/session.ts",
		find: "if (Number(until) <= clock()) return null;",
		replace: "if (Number(until) + clock() <= 0) return null;",
		test: ENTRY,
	},
	{
		what: "a session outlives its token",
		file: "src/ops-console/session.ts",
		find: "bytesToHex(digest)]",
		replace: "bytesToHex(digest.subarray(0, 0))]",
		test: ENTRY,
	},
	{
		what: "prod has a sign-in of its own",
		file: "src/ops-console/session.ts",
		find: 'return environment !== "prod" && ops.tokens.length > 0;',
		replace: "return environment.length > 0 && ops.tokens.length > 0;",
		test: ENTRY,
	},
	{
		what: "a page asks D1 once more",
		file: "src/ops-console/partners.tsx",
		find: "const all = await listPartners(platformIn(c).db);",
		replace: "await listPartners(platformIn(c).db); const all = await listPartners(platformIn(c).db);",
		test: PAGES,
	},
	{
		what: "a form of before somebody else's change undoes it",
		file: "src/ops-console/partner.tsx",
		find: 'form.text("version") !== String(found.partner.version)',
		replace: 'form.text("version") === ""',
		test: ACTIONS,
	},
	{
		what: "settings that were left as they are count as changed",
		file: "src/ops-console/settings-form.tsx",
		find: "textOf(value) !== textOf(before[name as keyof Wire])",
		replace: "name in before",
		test: ACTIONS,
	},
	{
		what: "a code is cancelled without the box",
		file: "src/ops-console/codes.tsx",
		find: "forGood: true },\n} as const",
		replace: "forGood: false },\n} as const",
		test: ACTIONS,
	},
	{
		what: "a holder's search is answered before it is in the audit",
		file: "src/ops/find-holder.ts",
		find: "await appendAudit(",
		replace: "void appendAudit(",
		test: "test/service/ops/holders.test.ts",
	},
];
