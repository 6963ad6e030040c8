import type { OpsCommand } from "../command.ts";

const REASON = { reason: { help: "why, for the audit", required: true } };

export const CODE_COMMANDS: readonly OpsCommand[] = [
	{
		name: "codes show",
		summary: "the facts of a purchase code; no personal data",
		takes: ["code"],
		options: {},
		example: "npm run ops -- codes show 7K3M-9QXT-2B4C-H8WD",
		call: ({ code }) => ({ method: "GET", path: `/pcodes/${code}` }),
		shows: "pcode",
	},
	{
		name: "codes cancel",
		summary: "void a code for good; revokes its certificate",
		takes: ["code"],
		options: { ...REASON, "revocation-reason": { help: "CRL reason; cessationOfOperation when left out" } },
		example: 'npm run ops -- codes cancel 7K3M-9QXT-2B4C-H8WD --reason "refunded"',
		call: ({ code, reason, "revocation-reason": crlReason }) => ({
			method: "POST",
			path: `/pcodes/${code}/cancel`,
			body: { reason, ...(crlReason && { revocation_reason: crlReason }) },
		}),
		confirm: ({ code }) => `${code} will be void for good, and its certificate revoked`,
		shows: "pcode",
	},
	{
		name: "codes block",
		summary: "block a code that was not issued",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes block 7K3M-9QXT-2B4C-H8WD --reason "reported stolen"',
		call: ({ code, reason }) => ({ method: "POST", path: `/pcodes/${code}/block`, body: { reason } }),
		shows: "pcode",
	},
	{
		name: "codes unblock",
		summary: "lift block and security lock, forget failed attempts",
		takes: ["code"],
		options: REASON,
		example: 'npm run ops -- codes unblock 7K3M-9QXT-2B4C-H8WD --reason "holder identified"',
		call: ({ code, reason }) => ({ method: "POST", path: `/pcodes/${code}/unblock`, body: { reason } }),
		shows: "pcode",
	},
];
