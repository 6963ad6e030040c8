import { keyRotation } from "../accounts/key-wire.ts";
import { revokeKey, rotateKey } from "../accounts/keys.ts";
import type { Call } from "../console-parts/call.ts";
import { checkForm, type Problems } from "../console-parts/check-form.ts";
import { Field, PostForm } from "../console-parts/forms.tsx";
import { sayIn } from "../console-parts/language.ts";
import { Facts, Time } from "../console-parts/parts.tsx";
import { findPartner } from "../db/partners.ts";
import { callOf } from "../desk/caller.ts";
import { hasEnded } from "../domain/decide-keys.ts";
import { forgetKeys } from "../http/authenticate.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { KEYS_PAGE as T } from "../texts/console-settings.ts";
import { readableTime } from "../texts/dates.ts";
import { fill } from "../texts/language.ts";
import { KeyEnd, showNewKey } from "./keys.tsx";
import { OverlapSelect, readOverlap } from "./overlap.tsx";
import { page, post } from "./routes.ts";
import { show } from "./show.tsx";

const WRONG = { label: T.badLabel };

export const keyPages = [
	page("/keys/:id", { trips: 2 }, (c) => showKey(c)),

	post("/keys/:id/rotate", {}, async (c, form) => {
		const wanted = { label: form.text("label"), overlap_hours: readOverlap(form) };
		const read = checkForm(keyRotation, wanted, WRONG);
		if (!read.ok) return showKey(c, { label: wanted.label, problems: read.problems });
		const { label, overlap_hours: overlapHours } = read.data;
		const keyId = c.req.param("id")!;
		const rotated = await rotateKey(platformIn(c), callOf(c), { keyId, label, overlapHours });
		if (rotated.kind === "not_found") return errorAnswer(c, "not_found");
		if (rotated.kind === "refused") return errorAnswer(c, rotated.reason);
		forgetKeys();
		const until = readableTime(rotated.replaces.revokedAt!, c.get("language"));
		return showNewKey(c, rotated.apiKey, sayIn(c)(fill(T.oldUntil, { until })));
	}),

	post("/keys/:id/revoke", {}, async (c) => {
		const revoked = await revokeKey(platformIn(c), callOf(c), c.req.param("id")!);
		if (revoked.kind === "not_found") return errorAnswer(c, "not_found");
		if (revoked.kind === "refused") return errorAnswer(c, revoked.reason);
		forgetKeys();
		return c.redirect("/console/keys?done=1", 303);
	}),
];

async function showKey(c: Call, { label, problems = {} }: { label?: string; problems?: Problems } = {}) {
	const { db, clock } = platformIn(c);
	const say = sayIn(c);
	const locale = c.get("language");
	const csrf = c.get("csrf");
	const found = await findPartner(db, c.get("owner").partnerId);
	const key = found?.keys.find(({ id }) => id === c.req.param("id"));
	if (!key) return errorAnswer(c, "not_found");
	const path = `/console/keys/${key.id}`;
	const over = hasEnded(key, clock());
	return show(
		c,
		{ title: fill(T.oneKey, { label: key.label }), status: Object.keys(problems).length > 0 ? 400 : 200 },
		<>
			<Facts
				facts={[
					["id", <code>{key.id}</code>],
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
				<>
					<h2>{say(T.rotate)}</h2>
					<PostForm action={`${path}/rotate`} csrf={csrf}>
						<p>{say(T.rotateHint)}</p>
						<Field
							name="label"
							label={say(T.label)}
							value={label ?? key.label}
							problem={problems.label?.[locale]}
							maxlength={100}
							required
						/>
						<OverlapSelect c={c} label={say(T.overlap)} />
						<button type="submit">{say(T.rotateButton)}</button>
					</PostForm>
					<h2>{say(T.revoke)}</h2>
					<PostForm action={`${path}/revoke`} csrf={csrf}>
						<p>{say(T.revokeHint)}</p>
						{key.id === c.get("owner").keyId && <p>{say(T.revokeOwn)}</p>}
						<button class="danger" type="submit">
							{say(T.revokeButton)}
						</button>
					</PostForm>
				</>
			)}
			<p>
				<a href="/console/keys">{say(T.backToKeys)}</a>
			</p>
		</>,
	);
}
