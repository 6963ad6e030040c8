import { type ApiKeyRow, selectKeys } from "../../db/api-keys.ts";
import { query } from "../../db/query.ts";
import { DAY_MS } from "../../domain/durations.ts";
import { DEFAULT_SCOPES, includesScope, KEY_SCOPES } from "../../domain/key-scopes.ts";
import { partnerCaller } from "../../services/caller.ts";
import { addKey, listEndedKeys } from "../../services/keys.ts";
import { newApiKey } from "../../services/new-secrets.ts";
import { KEYS_PAGE as T } from "../../texts/console-settings.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill } from "../../texts/language.ts";
import { endedKeysQuery, newKey, readKey } from "../../wire/key.ts";
import { answerRefused } from "../../wire/refusals.ts";
import type { Call } from "../kit/call.ts";
import { doneIn } from "../kit/console.tsx";
import { Secret } from "../kit/copyable.tsx";
import type { Done } from "../kit/first-answer.ts";
import { Choices, Field, PostForm, Select } from "../kit/forms.tsx";
import { KeysSection } from "../kit/keys-section.tsx";
import { sayIn } from "../kit/language.ts";
import { Nothing } from "../kit/nothing.tsx";
import { Card } from "../kit/parts.tsx";
import { checkForm, linesOf, NO_PROBLEMS, type Problems } from "../kit/problems.ts";
import type { ShownOnce } from "../kit/shown-once.ts";
import { page, pageOnce, post, show } from "./console.ts";
import { readFilters } from "./filters.ts";
import { ListPager } from "./list-pager.tsx";

/** Days that a new key may live; '' is without end. */
const LIVES = ["", "30", "90", "365"];

const ENDED = "/console/keys/ended";

export const keysPages = [
	page("/keys", { trips: 2 }, (c) => showKeys(c)),

	pageOnce<NewKey>("/keys/new", { trips: 1 }, showNewKey),

	page("/keys/ended", { trips: 2 }, async (c) => {
		const { asked, sent, notice } = readFilters(c, endedKeysQuery, {});
		const { page, next } = await listEndedKeys(partnerCaller(c), asked);
		return show(
			c,
			{ title: T.ended, notice },
			<>
				<KeyTable c={c} caption={sayIn(c)(T.ended)} keys={page} />
				<ListPager c={c} path={ENDED} sent={sent} next={next} />
				<p>
					<a href="/console/keys">{sayIn(c)(T.backToKeys)}</a>
				</p>
			</>,
		);
	}),

	post("/keys", {}, async (c, form) => {
		const caller = partnerCaller(c);
		const sent = {
			label: form.text("label"),
			scopes: form.all("scopes"),
			days: LIVES.find((days) => days === form.text("days")) ?? "",
			ranges: form.text("allowed_cidrs"),
		};
		const ranges = linesOf(sent.ranges);
		const wanted = {
			label: sent.label,
			scopes: sent.scopes,
			expires_at: sent.days && new Date(caller.at + Number(sent.days) * DAY_MS).toISOString(),
			allowed_cidrs: ranges.length > 0 ? ranges : null,
		};
		const read = checkForm(c, newKey, { ...wanted, expires_at: wanted.expires_at || null });
		if (!read.ok) return showKeys(c, { sent, problems: read.problems });
		const added = await addKey(caller, readKey(read.data));
		if (added.kind === "refused") return answerRefused(c, added);
		return leadToKey({ oldUntil: null });
	}),
];

interface NewKey {
	/** End of the key that it replaces, epoch milliseconds; null: it replaces none. */
	oldUntil: number | null;
}

export function leadToKey(shown: NewKey): Done {
	return { to: "/console/keys/new", shown };
}

/** The one page that a key is on. */
async function showNewKey(c: Call, { shown: { oldUntil }, seed }: ShownOnce<NewKey>) {
	const say = sayIn(c);
	return show(
		c,
		{ title: T.newKey, notice: { kind: "done", text: T.keyOnce } },
		<>
			<Secret text={await newApiKey(c.get("platform"), seed)} language={c.get("language")} />
			{oldUntil !== null && (
				<p>{say(fill(T.oldUntil, { until: readableTime(oldUntil, c.get("language")) }))}</p>
			)}
			<p>
				<a href="/console/keys">{say(T.backToKeys)}</a>
			</p>
		</>,
	);
}

interface Shown {
	/** Typed values, to be corrected. */
	sent?: { label: string; scopes: string[]; days: string; ranges: string };
	problems?: Problems;
}

async function showKeys(c: Call, { sent, problems = NO_PROBLEMS }: Shown = {}) {
	const { clock } = c.get("platform");
	const { db, partnerId } = c.get("owner");
	const say = sayIn(c);
	const keys = await query(selectKeys(db, partnerId, clock()));
	const notice = doneIn(c, T.revoked);
	const givable = KEY_SCOPES.filter((scope) => includesScope(c.get("owner").scopes, scope));
	return show(
		c,
		{ title: T.title, status: problems !== NO_PROBLEMS ? 400 : 200, notice },
		<>
			<KeyTable c={c} caption={say(T.inForce)} keys={keys.toReversed()} />
			<p>
				<a href={ENDED}>{say(T.ended)}</a>
			</p>
			<Card title={say(T.create)}>
				<PostForm action="/console/keys" csrf={c.get("csrf")}>
					<Field
						name="label"
						label={say(T.label)}
						hint={say(T.labelHint)}
						value={sent?.label ?? ""}
						problem={problems.label}
						maxlength={100}
						required
					/>
					<Choices
						name="scopes"
						label={say(T.scopes)}
						options={givable.map((value) => ({ value, label: say(T[value]) }))}
						chosen={sent?.scopes ?? DEFAULT_SCOPES}
						problem={problems.scopes}
					/>
					<Select
						name="days"
						label={say(T.ends)}
						options={LIVES.map((value) => ({
							value,
							label: say(value ? fill(T.days, { n: value }) : T.noEnd),
						}))}
						value={sent?.days}
					/>
					<Field
						name="allowed_cidrs"
						rows={3}
						label={say(T.ranges)}
						hint={say(T.rangesHint)}
						value={sent?.ranges ?? ""}
						problem={problems.allowed_cidrs}
					/>
					<button type="submit">{say(T.createButton)}</button>
				</PostForm>
			</Card>
		</>,
	);
}

function KeyTable({ c, caption, keys }: { c: Call; caption: string; keys: readonly ApiKeyRow[] }) {
	return (
		<KeysSection
			c={c}
			caption={caption}
			words={T}
			keys={keys}
			empty={<Nothing c={c} of="endedKeys" />}
			name={({ id, label }) => <a href={`/console/keys/${id}`}>{label}</a>}
		/>
	);
}
