import type { OpsCommand } from "../command.ts";

export const HOLDER_COMMANDS: readonly OpsCommand[] = [
	{
		name: "holders search",
		summary: "codes and certificates of a RUT at every partner; the search is in the audit",
		takes: [],
		asks: "rut",
		options: { reason: { help: "why, for the audit", required: true } },
		example:
			'npm run ops -- holders search --reason "ticket 4711" (asks for the RUT, or reads it from standard input)',
		call: (ops, { rut, reason }) => ops.POST("/ops/v1/holders/search", { body: { dni: rut, reason } }),
		shows: "codes",
		columns: [
			"p_code",
			"partner_name",
			"status",
			"certificate_serial",
			"certificate_not_after",
			"revoked_at",
		],
	},
];
