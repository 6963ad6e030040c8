import { findKey } from "../../db/api-keys.ts";
import { hasEnded } from "../../domain/decide-keys.ts";
import { errorAnswer } from "../../http/errors.ts";
import { partnerCaller } from "../../services/caller.ts";
import { revokeKey, rotateKey } from "../../services/keys.ts";
import { CONSOLE_PAGES } from "../../texts/console-pages.ts";
import { KEYS_PAGE as T } from "../../texts/console-settings.ts";
import { fill } from "../../texts/language.ts";
import { keyRotation, readRotation } from "../../wire/key.ts";
import { answerRefused } from "../../wire/refusals.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { Field, PostForm } from "../kit/forms.tsx";
import { KeyEnd } from "../kit/keys-section.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Facts, Time } from "../kit/parts.tsx";
import { checkForm, NO_PROBLEMS, type Problems } from "../kit/problems.ts";
import { goBack, page, post, show } from "./console.ts";
import { leadToKey } from "./keys.tsx";
import { OverlapSelect, readOverlap } from "./overlap.tsx";

export const keyPages = [
	page("/keys/:id", { trips: 2 }, (c) => showKey(c)),

	post("/keys/:id/rotate", {}, async (c, form) => {
		const wanted = { label: form.text("label"), overlap_hours: readOverlap(form) };
		const read = checkForm(c, keyRotation, wanted);
		if (!read.ok) return showKey(c, { label: wanted.label, problems: read.problems });
		const rotation = { keyId: c.req.param("id")!, ...readRotation(read.data) };
		const rotated = await rotateKey(partnerCaller(c), rotation);
		if (rotated.kind === "refused") return answerRefused(c, rotated);
		return leadToKey({ oldUntil: rotated.replaces.revokedAt });
	}),

	post("/keys/:id/revoke", {}, async (c) => {
		const revoked = await revokeKey(partnerCaller(c), c.req.param("id")!);
		if (revoked.kind === "refused") return answerRefused(c, revoked);
		return goBack("/keys");
	}),
];

async function showKey(
	c: Call,
	{ label, problems = NO_PROBLEMS }: { label?: string; problems?: Problems } = {},
) {
	const { clock } = c.get("platform");
	const { db, partnerId } = c.get("owner");
	const say = sayIn(c);
	const locale = c.get("language");
	const csrf = c.get("csrf");
	const key = await findKey(db, partnerId, c.req.param("id")!);
	if (!key) return errorAnswer(c, "not_found");
	const path = `/console/keys/${key.id}`;
	const over = hasEnded(key, clock());
	return show(
		c,
		{ title: fill(T.oneKey, { label: key.label }), status: problems !== NO_PROBLEMS ? 400 : 200 },
		<>
			<Facts
				facts={[
					["id", <Copyable text={key.id} language={locale} />],
					[say(CONSOLE_PAGES.status), <StatusBadge c={c} status={over ? "ended" : "on"} />],
					[say(T.scopes), key.scopes.join(", ")],
					[say(T.ranges), key.allowedCidrs?.join(", ") ?? say(T.anywhere)],
					[say(T.created), <Time at={key.createdAt} locale={locale} />],
					[
						say(T.lastUsed),
						key.lastUsedAt === null ? say(T.never) : <Time at={key.lastUsedAt} locale={locale} />,
					],
					[say(over ? T.endedAt : T.ends), <KeyEnd c={c} apiKey={key} />],
				]}
			/>
			{!over && (
				<div class="cards">
					<Card title={say(T.rotate)}>
						<PostForm action={`${path}/rotate`} csrf={csrf}>
							<p>{say(T.rotateHint)}</p>
							<Field
								name="label"
								label={say(T.label)}
								value={label ?? key.label}
								problem={problems.label}
								maxlength={100}
								required
							/>
							<OverlapSelect c={c} label={say(T.overlap)} />
							<button type="submit">{say(T.rotateButton)}</button>
						</PostForm>
					</Card>
					<Card title={say(T.revoke)}>
						<PostForm action={`${path}/revoke`} csrf={csrf}>
							<p>{say(T.revokeHint)}</p>
							{key.id === c.get("owner").keyId && <p>{say(T.revokeOwn)}</p>}
							<button class="danger" type="submit">
								{say(T.revokeButton)}
							</button>
						</PostForm>
					</Card>
				</div>
			)}
			<p>
				<a href="/console/keys">{say(T.backToKeys)}</a>
			</p>
		</>,
	);
}
