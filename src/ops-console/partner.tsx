import { z } from "@hono/zod-openapi";
import { readSettings, settingsFields } from "../accounts/partner-wire.ts";
import { changeSettings, type WantedSettings } from "../accounts/settings.ts";
import { rotateSecret } from "../accounts/webhook-secret.ts";
import { setWidget, widgetChange } from "../accounts/widget.ts";
import type { Call } from "../console-parts/call.ts";
import { findPartner } from "../db/partners.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { originOf } from "../ops/authorize.ts";
import { refuseSettings, SETTINGS_REFUSALS } from "../ops/partners.ts";
import { OPS_PARTNERS as T } from "../texts/ops-console-partners.ts";
import { showOnce } from "./once.tsx";
import { showPartner } from "./partner-page.tsx";
import { problem, problemsOf } from "./problems.ts";
import { page, post } from "./routes.ts";
import { changesOf, filledIn, wireOf } from "./settings-form.tsx";
import { goBack } from "./show.tsx";

const settingsChange = z.object({ ...settingsFields, name: settingsFields.name.optional() });

export const partnerPages = [
	page("/partners/:id", { trips: 1 }, async (c) => {
		const found = await find(c);
		return found ? showPartner(c, found) : errorAnswer(c, "not_found");
	}),

	post("/partners/:id/settings", {}, async (c, form) => {
		const found = await find(c);
		if (!found) return errorAnswer(c, "not_found");
		if (form.text("version") !== String(found.partner.version))
			return showPartner(c, found, { isStale: true });
		const settings = filledIn(form);
		const changes = changesOf(wireOf(found.partner), settings);
		const read = settingsChange.safeParse(changes);
		if (!read.success) return showPartner(c, found, { settings, problems: problemsOf(c, read.error) });
		const changed = await change(c, { settings: readSettings(read.data), fields: Object.keys(changes) });
		if (changed.kind !== "refused") return answerChange(c, changed);
		const { field, hint } = SETTINGS_REFUSALS[changed.problem];
		return showPartner(c, found, { settings, problems: problem(c, field, hint) });
	}),

	...(
		[
			["suspend", { suspended: true, fields: ["suspended"] }],
			["resume", { suspended: false, fields: ["suspended"] }],
			["webhook_off", { webhookEnabled: false, fields: ["webhook_enabled"] }],
			["webhook_on", { webhookEnabled: true, fields: ["webhook_enabled"] }],
		] as const
	).map(([action, wanted]) =>
		post(`/partners/:id/${action}`, {}, async (c) =>
			answerChange(c, await change(c, { settings: {}, ...wanted })),
		),
	),

	post("/partners/:id/secret", {}, async (c) => {
		const call = { partnerId: idIn(c), origin: originOf(c) };
		const rotated = await rotateSecret(platformIn(c), call, undefined);
		if (!rotated) return errorAnswer(c, "not_found");
		return showOnce(c, T.secretTitle, [[T.secret, rotated.secret]], call.partnerId);
	}),

	post("/partners/:id/widget", {}, async (c, form) => {
		const widget = { origins: form.text("origins"), accent: form.text("accent") };
		const origins = widget.origins.split(/\s+/).filter(Boolean);
		const read = widgetChange.safeParse({ origins, accent: widget.accent || null });
		const { db, settings } = platformIn(c);
		const origin = { ...originOf(c), allowLoopback: settings.environment !== "prod" };
		const set = read.success ? await setWidget(db, idIn(c), read.data, origin) : "invalid";
		if (set !== null && typeof set === "object") return goBack(c, `/partners/${set.id}`, "done");
		const found = await find(c);
		if (!found) return errorAnswer(c, "not_found");
		const problems = read.success ? problem(c, "origins", "origins") : problemsOf(c, read.error);
		return showPartner(c, found, { widget, problems });
	}),
];

function idIn(c: Call): string {
	return c.req.param("id") ?? "";
}

function find(c: Call) {
	return findPartner(platformIn(c).db, idIn(c));
}

function change(c: Call, wanted: WantedSettings) {
	return changeSettings(platformIn(c), { partnerId: idIn(c), origin: originOf(c) }, wanted);
}

function answerChange(c: Call, changed: Awaited<ReturnType<typeof change>>) {
	if (changed.kind === "not_found") return errorAnswer(c, "not_found");
	if (changed.kind === "refused") return refuseSettings(c, changed.problem);
	forgetKeys();
	return goBack(c, `/partners/${changed.partner.id}`, "done");
}
