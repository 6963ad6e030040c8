import type { z } from "@hono/zod-openapi";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { changePartner, type PartnerRow } from "../db/partners.ts";
import { deleteLogo, replaceLogo } from "../db/widget.ts";
import { readOrigins } from "../domain/onboarding-looks.ts";
import type { widgetChange } from "../wire/widget.ts";
import { originOf, type PartnerCaller } from "./caller.ts";

/** Sets the given fields. Earlier sessions keep the origins that they were made with. */
export async function setWidget(
	caller: PartnerCaller,
	sent: z.output<typeof widgetChange>,
): Promise<
	{ kind: "done"; partner: PartnerRow } | { kind: "refused"; reason: "not_found" | "origins_refused" }
> {
	const { platform, db, partnerId, at } = caller;
	const { settings } = platform;
	const origins = readOrigins(sent.origins, { allowLoopback: settings.environment !== "prod" });
	if (origins === null) return { kind: "refused", reason: "origins_refused" };
	const { logo, accent } = sent;
	const hash = logo && bytesToHex(sha256(logo.content));
	const row = logo && hash ? { ...logo, hash, partnerId, createdAt: at } : null;
	const change = {
		action: "widget_changed" as const,
		outcome: Object.keys(sent).sort().join(" "),
		set: {
			widgetOrigins: origins,
			widgetAccent: accent,
			...(hash !== undefined && { widgetLogo: hash }),
		},
		alongside: row ? replaceLogo(db, row) : logo === null ? deleteLogo(db, partnerId) : [],
	};
	const changed = await changePartner(db, partnerId, () => ({ answer: null, change }), originOf(caller));
	return changed ? { kind: "done", partner: changed.partner } : { kind: "refused", reason: "not_found" };
}
