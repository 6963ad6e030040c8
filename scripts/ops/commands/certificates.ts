import type { OpsCommand } from "../command.ts";

export const CERTIFICATE_COMMANDS: readonly OpsCommand[] = [
	{
		name: "certificates show",
		summary: "the facts of a certificate by its serial; no personal data",
		takes: ["serial"],
		options: {},
		example: "npm run ops -- certificates show 4C5C328321EB38FE2462270F32EDD577",
		call: (ops, { serial }) => ops.GET("/ops/v1/certificates/{serial}", { params: { path: { serial } } }),
		shows: "certificate",
	},
	{
		name: "certificates revoke",
		summary: "revoke without cancelling the code; the first revocation stands",
		takes: ["serial"],
		options: { reason: { help: "CRL reason, such as keyCompromise or superseded", required: true } },
		example: "npm run ops -- certificates revoke 4C5C328321EB38FE2462270F32EDD577 --reason keyCompromise",
		call: (ops, { serial, reason }) =>
			ops.POST("/ops/v1/certificates/{serial}/revoke", { params: { path: { serial } }, body: { reason } }),
		confirm: ({ serial }) => `Certificate ${serial} will be revoked for good`,
		shows: "certificate",
	},
];
