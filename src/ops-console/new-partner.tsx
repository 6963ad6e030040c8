import { z } from "@hono/zod-openapi";
import { readSettings, settingsFields } from "../accounts/partner-wire.ts";
import type { Call } from "../console-parts/call.ts";
import { PostForm } from "../console-parts/forms.tsx";
import { sayIn } from "../console-parts/language.ts";
import { DEFAULT_SETTINGS } from "../domain/partner-settings.ts";
import { contextOf } from "../ops/authorize.ts";
import { openPartner } from "../ops/open-partner.ts";
import { SETTINGS_REFUSALS } from "../ops/partners.ts";
import { OPS_PARTNERS as T } from "../texts/ops-console-partners.ts";
import { showOnce } from "./once.tsx";
import { NO_PROBLEMS, problem, problemsOf } from "./problems.ts";
import { page, post } from "./routes.ts";
import { changesOf, filledIn, SettingsFields, wireOf } from "./settings-form.tsx";
import { show } from "./show.tsx";

const DEFAULTS = wireOf({ ...DEFAULT_SETTINGS, name: "" });
const newPartner = z.object(settingsFields);

export const newPartnerPages = [
	page("/partners/new", { role: "operate", trips: 0 }, (c) => showForm(c)),

	post("/partners/new", {}, async (c, form) => {
		const sent = filledIn(form);
		const read = newPartner.safeParse({ name: sent.name, ...changesOf(DEFAULTS, sent) });
		if (!read.success) return showForm(c, sent, problemsOf(c, read.error));
		const opened = await openPartner(contextOf(c), readSettings(read.data));
		if (opened.kind === "refused") {
			const { field, hint } = SETTINGS_REFUSALS[opened.problem];
			return showForm(c, sent, problem(c, field, hint));
		}
		const { partner, apiKey, webhookSecret } = opened;
		const secrets = [
			[T.key, apiKey],
			[T.secret, webhookSecret],
		] as const;
		return showOnce(c, T.createdTitle, secrets, partner.id);
	}),
];

function showForm(c: Call, values = DEFAULTS, problems = NO_PROBLEMS) {
	return show(
		c,
		{ title: T.create, status: problems === NO_PROBLEMS ? 200 : 400 },
		<PostForm action="/ops/console/partners/new" csrf={c.get("csrf")}>
			<SettingsFields c={c} values={values} problems={problems} />
			<button type="submit">{sayIn(c)(T.create)}</button>
		</PostForm>,
	);
}
