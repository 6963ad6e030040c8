import type { OpsCommand } from "../command.ts";

const REASON = { reason: { help: "why, for the audit", required: true } };

const CHANGE = "/ops/v1/pcodes/{p_code}/{verb}";

export const CODE_COMMANDS: readonly OpsCommand[] = [
	{
		name: "codes show",
		summary: "the facts of a purchase code; no personal data",
		takes: ["code"],
		options: {},
		example: "npm run ops -- codes show 7K3M-9QXT-2B4C-H8WD",
		call: (ops, { code }) => ops.GET("/ops/v1/pcodes/{p_code}", { params: { path: { p_code: code } } }),
		shows: "pcode",
	},
	{
		name: "codes cancel",
		summary: "void a code for good; revokes its certificate",
		takes: ["code"],
		options: { ...REASON, "revocation-reason": { help: "CRL reason; cessationOfOperation when left out" } },
		example: 'npm run ops -- codes cancel 7K3M-9QXT-2B4C-H8WD --reason "refunded"',
		call: (ops, { code, reason, "revocation-reason": revocation_reason }) =>
			ops.POST(CHANGE, { ...changing(code, "cancel"), body: { reason, revocation_reason } }),
		confirm: ({ code }) => `${code} will be void for good, and its certificate revoked`,
		shows: "pcode",
	},
	{
		name: "codes block",
		summary: "block a code that was not issued",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes block 7K3M-9QXT-2B4C-H8WD --reason "reported stolen"',
		call: (ops, { code, reason }) => ops.POST(CHANGE, { ...changing(code, "block"), body: { reason } }),
		shows: "pcode",
	},
	{
		name: "codes unblock",
		summary: "lift block and security lock, forget failed attempts",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes unblock 7K3M-9QXT-2B4C-H8WD --reason "holder identified"',
		call: (ops, { code, reason }) => ops.POST(CHANGE, { ...changing(code, "unblock"), body: { reason } }),
		shows: "pcode",
	},
	{
		name: "codes replace",
		summary: "a new code for one that cannot be used any more; cancels it, unless it was issued",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes replace 7K3M-9QXT-2B4C-H8WD --reason "the validation lapsed"',
		call: (ops, { code, reason }) =>
			ops.POST("/ops/v1/pcodes/{p_code}/replace", {
				params: { path: { p_code: code } },
				body: { reason },
			}),
		confirm: ({ code }) => `${code} will be void for good, unless its certificate was issued`,
		shows: "",
	},
];

function changing(code: string, verb: "cancel" | "block" | "unblock") {
	return { params: { path: { p_code: code, verb } } };
}
