import { z } from "@hono/zod-openapi";
import { createApi } from "../http/api.ts";
import { limitCalls } from "../http/rate-limit.ts";
import { jsonBody, successBody } from "../http/responses.ts";
import { partnerCaller } from "../services/caller.ts";
import { changeSettings } from "../services/settings.ts";
import { partnerSchema, presentPartner, readSettings, settingsFields } from "../wire/partner.ts";
import { answerRefusal } from "../wire/refusals.ts";
import { sandboxRoute } from "./sandbox-route.ts";

const { mode, require_cedula_serie, validate_vencimiento, require_sso, require_serial_with_sso } =
	settingsFields;

const route = sandboxRoute({
	id: "changeSandboxSettings",
	tag: "Sandbox",
	scope: "manage",
	method: "put",
	path: "/sandbox/settings",
	limit: limitCalls,
	request: jsonBody(
		z
			.strictObject(
				{ mode, require_cedula_serie, validate_vencimiento, require_sso, require_serial_with_sso },
				"object",
			)
			.openapi("SandboxSettingsChange", { example: { mode: "B2B" } }),
	),
	success: {
		status: 200,
		schema: successBody(
			partnerSchema
				.pick({
					mode: true,
					require_cedula_serie: true,
					validate_vencimiento: true,
					require_sso: true,
					require_serial_with_sso: true,
					identity_checks: true,
				})
				.openapi("SandboxSettings"),
		),
		example: {
			success: true,
			data: {
				mode: "B2B",
				require_cedula_serie: 1,
				validate_vencimiento: 0,
				require_sso: 0,
				require_serial_with_sso: 0,
				identity_checks: ["card_serial"],
			},
		},
	},
	reasons: ["not_found"],
	invalid: { field: "mode", hint: "mode" },
});

/** The partner's own mode and flow, which in prod are the operator's to set. */
export const settingsCall = createApi().openapi(route, async (c) => {
	const sent = c.req.valid("json");
	const wanted = { settings: readSettings(sent), fields: Object.keys(sent) };
	const changed = await changeSettings(partnerCaller(c), wanted);
	if (changed.kind === "refused")
		return answerRefusal(
			c,
			changed.reason,
			changed.reason === "delivery_address_required" ? "mode" : undefined,
		);
	const { identity_checks, ...shown } = presentPartner(changed.partner);
	const data = {
		mode: shown.mode,
		require_cedula_serie: shown.require_cedula_serie,
		validate_vencimiento: shown.validate_vencimiento,
		require_sso: shown.require_sso,
		require_serial_with_sso: shown.require_serial_with_sso,
		identity_checks,
	};
	return c.json({ success: true as const, data }, 200);
});
