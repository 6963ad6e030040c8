import type { ApiKeyRow } from "../../db/api-keys.ts";
import { hasEnded } from "../../domain/decide-keys.ts";
import { DEFAULT_SCOPES, KEY_SCOPES } from "../../domain/key-scopes.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import type { Call } from "../kit/call.ts";
import { Choices, Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Table } from "../kit/parts.tsx";
import type { Problems } from "../kit/problems.ts";
import { may } from "./console.tsx";
import { when } from "./words.tsx";

/** A partner's keys and, for who may, what is done with them. */
export function KeysSection({ c, id, keys }: { c: Call; id: string; keys: readonly ApiKeyRow[] }) {
	const say = sayIn(c);
	const columns = [T.label, T.scopes, OPS_CONSOLE.created, T.lastUsed, T.ends, T.ranges];
	return (
		<Table
			caption={say(T.keys)}
			columns={[...columns, ...(may(c, "operate") ? [OPS_CONSOLE.action] : [])].map(say)}
			rows={keys.map((key) => rowOf(c, id, key))}
			empty={say(OPS_CONSOLE.none)}
		/>
	);
}

function rowOf(c: Call, partnerId: string, key: ApiKeyRow) {
	const say = sayIn(c);
	const isOver = hasEnded(key, c.get("platform").clock());
	const path = `/ops/console/partners/${partnerId}/keys/${key.id}`;
	const actions = (
		<>
			<PostForm action={`${path}/rotate`} csrf={c.get("csrf")}>
				<button class="plain" type="submit" aria-label={`${say(T.rotateKey)}: ${key.label}`}>
					{say(T.rotateKey)}
				</button>
			</PostForm>
			<PostForm action={`${path}/revoke`} csrf={c.get("csrf")}>
				<button class="plain" type="submit" aria-label={`${say(T.revokeKey)}: ${key.label}`}>
					{say(T.revokeKey)}
				</button>
			</PostForm>
		</>
	);
	return [
		key.label,
		key.scopes.join(", "),
		when(c, key.createdAt),
		key.lastUsedAt === null ? say(OPS_CONSOLE.never) : when(c, key.lastUsedAt),
		isOver ? say(T.ended) : when(c, key.revokedAt ?? key.expiresAt),
		key.allowedCidrs?.join(", ") ?? say(OPS_CONSOLE.nothing),
		...(may(c, "operate") ? [isOver ? "" : actions] : []),
	];
}

/** What was filled in of a new key. */
export interface NewKeyForm {
	label: string;
	scopes: readonly string[];
	expires: string;
	ranges: string;
}

export const EMPTY_KEY: NewKeyForm = { label: "", scopes: DEFAULT_SCOPES, expires: "", ranges: "" };

export function NewKey(props: { c: Call; id: string; values: NewKeyForm; problems: Problems }) {
	const { c, id, values, problems } = props;
	const say = sayIn(c);
	return (
		<PostForm action={`/ops/console/partners/${id}/keys`} csrf={c.get("csrf")}>
			<h2>{say(T.addKey)}</h2>
			<Field name="label" label={say(T.label)} value={values.label} problem={problems.label} required />
			<Choices
				name="scopes"
				label={say(T.scopes)}
				options={KEY_SCOPES.map((scope) => ({ value: scope, label: scope }))}
				chosen={values.scopes}
				problem={problems.scopes}
			/>
			<Field name="expires_at" label={say(T.expires)} value={values.expires} problem={problems.expires_at} />
			<Field
				name="allowed_cidrs"
				label={say(T.allowedRanges)}
				value={values.ranges}
				problem={problems.allowed_cidrs}
				rows={2}
			/>
			<button type="submit">{say(T.addKey)}</button>
		</PostForm>
	);
}
