import { z } from "@hono/zod-openapi";
import { errorAnswer } from "../../http/errors.ts";
import { findAnyPartner } from "../../services/all-partners.ts";
import { opsCallerFor } from "../../services/caller.ts";
import { changeSettings, type WantedSettings } from "../../services/settings.ts";
import { rotateSecret } from "../../services/webhook-secret.ts";
import { setWidget } from "../../services/widget.ts";
import { readSettings, settingsFields } from "../../wire/partner.ts";
import { answerRefusal, isFieldRefusal } from "../../wire/refusals.ts";
import { widgetChange } from "../../wire/widget.ts";
import type { Call } from "../kit/call.ts";
import { problemsOf, refusedField } from "../kit/problems.ts";
import { readWidget, widgetOf } from "../kit/widget-form.tsx";
import { goBack, page, post } from "./console.tsx";
import { leadToSecrets } from "./once.tsx";
import { showPartner } from "./partner-page.tsx";
import { changesOf, filledIn, wireOf } from "./settings-form.tsx";

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
		if (changed.kind === "refused" && isFieldRefusal(changed.reason))
			return showPartner(c, found, { settings, problems: refusedField(c, changed.reason) });
		return answerChange(c, changed);
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
		const caller = await opsCallerFor(c, idIn(c));
		if (!caller) return errorAnswer(c, "not_found");
		const rotated = await rotateSecret(caller);
		if (rotated.kind === "refused") return errorAnswer(c, rotated.reason);
		return leadToSecrets(idIn(c), "secret");
	}),

	post("/partners/:id/widget", {}, async (c, form) => {
		const widget = readWidget(form);
		const read = widgetChange.safeParse(widgetOf(widget));
		const caller = await opsCallerFor(c, idIn(c));
		if (!caller) return errorAnswer(c, "not_found");
		const set = read.success ? await setWidget(caller, read.data) : null;
		if (set?.kind === "done") return goBack(`/partners/${set.partner.id}`);
		const found = await find(c);
		if (!found) return errorAnswer(c, "not_found");
		const problems = read.success ? refusedField(c, "origins_refused") : problemsOf(c, read.error);
		return showPartner(c, found, { widget, problems });
	}),
];

function idIn(c: Call): string {
	return c.req.param("id") ?? "";
}

function find(c: Call) {
	return findAnyPartner(c.get("platform"), idIn(c));
}

async function change(c: Call, wanted: WantedSettings): ReturnType<typeof changeSettings> {
	const caller = await opsCallerFor(c, idIn(c));
	return caller ? changeSettings(caller, wanted) : { kind: "refused", reason: "not_found" };
}

function answerChange(c: Call, changed: Awaited<ReturnType<typeof change>>) {
	if (changed.kind === "refused") return answerRefusal(c, changed.reason);
	return goBack(`/partners/${changed.partner.id}`);
}
