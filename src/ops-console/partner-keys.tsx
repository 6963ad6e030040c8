import { hasPassed } from "../accounts/key-answers.ts";
import { newKey, readKey } from "../accounts/key-wire.ts";
import { addKey, type KeyCall, revokeKey, rotateKey } from "../accounts/keys.ts";
import type { Call } from "../console-parts/call.ts";
import { findPartner } from "../db/partners.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { originOf } from "../ops/authorize.ts";
import { OPS_PARTNERS as T } from "../texts/ops-console-partners.ts";
import type { NewKeyForm } from "./keys-section.tsx";
import { showOnce } from "./once.tsx";
import { showPartner } from "./partner-page.tsx";
import { type Problems, problem, problemsOf } from "./problems.ts";
import { post } from "./routes.ts";
import { goBack } from "./show.tsx";

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
		const wanted = readKey(read.data);
		const call = callOf(c);
		if (hasPassed(wanted.expiresAt, call)) return showMended(c, key, problem(c, "expires_at", "expiry"));
		const added = await addKey(platformIn(c), call, wanted);
		if (added.kind !== "done") return answerRefusal(c, added);
		return showOnce(c, T.keyTitle, [[T.key, added.apiKey]], call.partnerId);
	}),

	/** The new key has the old one's label, and the overlap of a call that names none. */
	post("/partners/:id/keys/:key/rotate", {}, async (c) => {
		const call = callOf(c);
		const keyId = c.req.param("key") ?? "";
		const old = (await findPartner(platformIn(c).db, call.partnerId))?.keys.find(({ id }) => id === keyId);
		if (!old) return errorAnswer(c, "not_found");
		const rotated = await rotateKey(platformIn(c), call, { keyId, label: old.label });
		if (rotated.kind !== "done") return answerRefusal(c, rotated);
		forgetKeys();
		return showOnce(c, T.keyTitle, [[T.key, rotated.apiKey]], call.partnerId);
	}),

	post("/partners/:id/keys/:key/revoke", {}, async (c) => {
		const call = callOf(c);
		const revoked = await revokeKey(platformIn(c), call, c.req.param("key") ?? "");
		if (revoked.kind !== "done") return answerRefusal(c, revoked);
		forgetKeys();
		return goBack(c, `/partners/${call.partnerId}`, "done");
	}),
];

function callOf(c: Call): KeyCall {
	return { partnerId: c.req.param("id") ?? "", origin: originOf(c) };
}

async function showMended(c: Call, key: NewKeyForm, problems: Problems) {
	const found = await findPartner(platformIn(c).db, callOf(c).partnerId);
	return found ? showPartner(c, found, { key, problems }) : errorAnswer(c, "not_found");
}

function answerRefusal(c: Call, refused: Exclude<Awaited<ReturnType<typeof revokeKey>>, { kind: "done" }>) {
	if (refused.kind === "not_found") return errorAnswer(c, "not_found");
	return goBack(c, `/partners/${callOf(c).partnerId}`, { problem: refused.reason });
}
