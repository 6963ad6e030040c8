import type { ApiKeyRow } from "../../db/api-keys.ts";
import { DEFAULT_SCOPES, KEY_SCOPES } from "../../domain/key-scopes.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Choices, Field, PostForm } from "../kit/forms.tsx";
import { KeysSection } from "../kit/keys-section.tsx";
import { sayIn } from "../kit/language.ts";
import { Nothing } from "../kit/nothing.tsx";
import type { Problems } from "../kit/problems.ts";
import { may } from "./console.tsx";
import { when } from "./words.tsx";

/** A partner's keys and, for those with the right, their actions. */
export function Keys({ c, id, keys }: { c: Call; id: string; keys: readonly ApiKeyRow[] }) {
	const say = sayIn(c);
	return (
		<KeysSection
			c={c}
			keys={keys}
			words={T}
			caption={say(T.keys)}
			empty={<Nothing c={c} of="opsKeys" />}
			name={({ label }) => label}
			more={[
				[OPS_CONSOLE.created, ({ createdAt }) => when(c, createdAt)],
				[T.ranges, ({ allowedCidrs }) => allowedCidrs?.join(", ") ?? say(OPS_CONSOLE.nothing)],
				[OPS_CONSOLE.state, (_, isOver) => <StatusBadge c={c} status={isOver ? "ended" : "on"} />],
				...(may(c, "operate")
					? [
							[
								OPS_CONSOLE.action,
								(key: ApiKeyRow, isOver: boolean) => !isOver && actions(c, id, key),
							] as const,
						]
					: []),
			]}
		/>
	);
}

function actions(c: Call, partnerId: string, { id, label }: ApiKeyRow) {
	return (["rotate", "revoke"] as const).map((action) => {
		const name = sayIn(c)(action === "rotate" ? T.rotateKey : T.revokeKey);
		return (
			<PostForm action={`/ops/console/partners/${partnerId}/keys/${id}/${action}`} csrf={c.get("csrf")}>
				<button class="plain" type="submit" aria-label={`${name}: ${label}`}>
					{name}
				</button>
			</PostForm>
		);
	});
}

/** Values of a new key's form. */
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
