import { errorAnswer } from "../../http/errors.ts";
import { findAnyPartner } from "../../services/all-partners.ts";
import { opsCallerFor } from "../../services/caller.ts";
import { addKey, type KeyRefusal, listEndedKeys, revokeKey, rotateKey } from "../../services/keys.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import { endedKeysQuery, newKey, readKey } from "../../wire/key.ts";
import { answerRefusal, isFieldRefusal } from "../../wire/refusals.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Pager } from "../kit/parts.tsx";
import { type Problems, problemsOf, refusedField } from "../kit/problems.ts";
import { goBack, page, post, show } from "./console.tsx";
import { Keys, type NewKeyForm } from "./keys-section.tsx";
import { leadToSecrets } from "./once.tsx";
import { showPartner } from "./partner-page.tsx";

export const partnerKeyPages = [
	post("/partners/:id/keys", {}, async (c, form) => {
		const key = {
			label: form.text("label"),
			scopes: form.all("scopes"),
			expires: form.text("expires_at"),
			ranges: form.text("allowed_cidrs"),
		};
		const ranges = key.ranges.split(/[\s,]+/).filter(Boolean);
		const read = newKey.safeParse({
			label: key.label,
			scopes: key.scopes,
			expires_at: key.expires || null,
			allowed_cidrs: ranges.length > 0 ? ranges : null,
		});
		if (!read.success) return showMended(c, key, problemsOf(c, read.error));
		const caller = await opsCallerFor(c, idIn(c));
		if (!caller) return errorAnswer(c, "not_found");
		const added = await addKey(caller, readKey(read.data));
		if (added.kind === "done") return leadToSecrets(idIn(c), "key");
		return isFieldRefusal(added.reason)
			? showMended(c, key, refusedField(c, added.reason))
			: answerRefused(c, added);
	}),

	page("/partners/:id/keys/ended", { trips: 1 }, async (c) => {
		const read = endedKeysQuery.safeParse(c.req.query());
		const caller = await opsCallerFor(c, idIn(c));
		if (!caller) return errorAnswer(c, "not_found");
		const { page, next } = await listEndedKeys(caller, read.data ?? {});
		const path = `/ops/console/partners/${idIn(c)}`;
		return show(
			c,
			{ title: T.endedKeys },
			<>
				<Keys c={c} id={idIn(c)} keys={page} />
				<Pager
					locale={c.get("language")}
					previous={null}
					next={next && `${path}/keys/ended?${new URLSearchParams({ cursor: next })}`}
				/>
				<p>
					<a href={path}>{sayIn(c)(T.backToPartner)}</a>
				</p>
			</>,
		);
	}),

	post("/partners/:id/keys/:key/rotate", {}, async (c) => {
		const caller = await opsCallerFor(c, idIn(c));
		if (!caller) return errorAnswer(c, "not_found");
		const rotated = await rotateKey(caller, { keyId: c.req.param("key") ?? "" });
		if (rotated.kind === "refused") return answerRefused(c, rotated);
		return leadToSecrets(idIn(c), "key");
	}),

	post("/partners/:id/keys/:key/revoke", {}, async (c) => {
		const caller = await opsCallerFor(c, idIn(c));
		if (!caller) return errorAnswer(c, "not_found");
		const revoked = await revokeKey(caller, c.req.param("key") ?? "");
		if (revoked.kind === "refused") return answerRefused(c, revoked);
		return goBack(`/partners/${idIn(c)}`);
	}),
];

function idIn(c: Call): string {
	return c.req.param("id") ?? "";
}

async function showMended(c: Call, key: NewKeyForm, problems: Problems) {
	const found = await findAnyPartner(c.get("platform"), idIn(c));
	return found ? showPartner(c, found, { key, problems }) : errorAnswer(c, "not_found");
}

function answerRefused(c: Call, { reason }: KeyRefusal) {
	if (reason === "not_found" || isFieldRefusal(reason)) return answerRefusal(c, reason);
	return goBack(`/partners/${idIn(c)}`, { problem: reason });
}
