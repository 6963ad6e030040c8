import type { OpsCommand } from "../command.ts";

const REASON = { reason: { help: "why, for the audit", required: true } };
const SEARCH = { ...REASON, page: { help: "which hundred of the codes: 1 unless given" } };

export const HOLDER_COMMANDS: readonly OpsCommand[] = [
	{
		name: "holders search",
		summary: "codes and certificates of a RUT at every partner; the search is in the audit",
		takes: [],
		asks: "rut",
		options: SEARCH,
		example:
			'npm run ops -- holders search --reason "ticket 4711" (asks for the RUT, or reads it from standard input)',
		call: (ops, { rut, reason, page }) =>
			ops.POST("/ops/v1/holders/search", { body: { dni: rut, reason, ...(page && { page: Number(page) }) } }),
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
	{
		name: "holders data",
		summary: "what is kept of the holder of a RUT, masked; the call is in the audit",
		takes: [],
		asks: "rut",
		options: SEARCH,
		example: 'npm run ops -- holders data --reason "ticket 4711"',
		call: (ops, { rut, reason, page }) =>
			ops.POST("/ops/v1/holders/data", { body: { dni: rut, reason, ...(page && { page: Number(page) }) } }),
		shows: "codes",
		columns: ["p_code", "seller", "name", "email", "kept_for", "kept_until"],
	},
	{
		name: "holders erase",
		summary:
			"erase what need not be kept of the holder of a RUT, at the holder's request; 100 codes at once: repeat it while `more` is true",
		takes: [],
		asks: "rut",
		options: REASON,
		example: 'npm run ops -- holders erase --reason "ticket 4711, identity checked"',
		call: (ops, { rut, reason }) => ops.POST("/ops/v1/holders/erase", { body: { dni: rut, reason } }),
		confirm: () => "The holder's data will be erased for good, and codes that were not issued stop working",
		shows: "codes",
		columns: ["p_code", "partner_id", "outcome"],
	},
	{
		name: "holders requests",
		summary: "requests of holders that wait for an answer, the oldest first",
		takes: [],
		options: {},
		example: "npm run ops -- holders requests",
		call: (ops) => ops.GET("/ops/v1/holder_requests"),
		shows: "requests",
		columns: ["id", "answer_by", "p_code", "kind", "detail"],
	},
	{
		name: "holders answer",
		summary: "answer a request; the holder reads the answer on /revocar",
		takes: ["request"],
		options: {
			outcome: { help: "done or refused", required: true },
			answer: { help: "text for the holder", required: true },
		},
		example: 'npm run ops -- holders answer hr_0b9c… --outcome done --answer "Corregido."',
		call: (ops, { request, outcome, answer }) =>
			ops.POST("/ops/v1/holder_requests/{id}/answer", {
				params: { path: { id: request } },
				body: { outcome, answer },
			}),
		shows: "request",
	},
];
