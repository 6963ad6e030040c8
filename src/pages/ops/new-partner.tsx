import { z } from "@hono/zod-openapi";
import { DEFAULT_SETTINGS } from "../../domain/partner-settings.ts";
import { opsCaller } from "../../services/caller.ts";
import { openPartner } from "../../services/open-partner.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import { readSettings, settingsFields } from "../../wire/partner.ts";
import type { Call } from "../kit/call.ts";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { NO_PROBLEMS, problemsOf, refusedField, statusOf } from "../kit/problems.ts";
import { page, post, show } from "./console.tsx";
import { leadToSecrets } from "./once.tsx";
import { changesOf, filledIn, SettingsFields, wireOf } from "./settings-form.tsx";

const DEFAULTS = wireOf({ ...DEFAULT_SETTINGS, name: "" });
const newPartner = z.object(settingsFields);

export const newPartnerPages = [
	page("/partners/new", { right: "operate", trips: 0 }, (c) => showForm(c)),

	post("/partners/new", {}, async (c, form) => {
		const sent = filledIn(form);
		const read = newPartner.safeParse({ name: sent.name, ...changesOf(DEFAULTS, sent) });
		if (!read.success) return showForm(c, sent, problemsOf(c, read.error));
		const opened = await openPartner(opsCaller(c), readSettings(read.data));
		if (opened.kind === "refused") return showForm(c, sent, refusedField(c, opened.reason));
		return leadToSecrets(opened.partner.id, "created");
	}),
];

function showForm(c: Call, values = DEFAULTS, problems = NO_PROBLEMS) {
	return show(
		c,
		{ title: T.create, status: statusOf(problems) },
		<PostForm action="/ops/console/partners/new" csrf={c.get("csrf")}>
			<SettingsFields c={c} values={values} problems={problems} />
			<button type="submit">{sayIn(c)(T.create)}</button>
		</PostForm>,
	);
}
