import type { findPartner, PartnerRow } from "../../db/partners.ts";
import type { Text } from "../../texts/language.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import { presentPartner } from "../../wire/partner.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Facts } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems } from "../kit/problems.ts";
import { type SentWidget, WidgetForm } from "../kit/widget-form.tsx";
import { may, show } from "./console.tsx";
import { EMPTY_KEY, Keys, NewKey, type NewKeyForm } from "./keys-section.tsx";
import { addressOf, checksOf } from "./partners.tsx";
import { SettingsFields, wireOf } from "./settings-form.tsx";
import { ahead, when } from "./words.tsx";

type Found = NonNullable<Awaited<ReturnType<typeof findPartner>>>;

/** A wrongly filled-in form, to be corrected. */
interface Mended {
	problems?: Problems;
	settings?: ReturnType<typeof wireOf>;
	key?: NewKeyForm;
	widget?: SentWidget;
	/** Shows the present values: somebody else has changed the partner since the form was shown. */
	isStale?: boolean;
}

/** One partner and, for those with the right, its actions. */
export function showPartner(c: Call, { partner, keys }: Found, mended: Mended = {}) {
	const { id, name } = partner;
	const { problems = NO_PROBLEMS } = mended;
	return show(
		c,
		{
			title: name,
			status: mended.isStale ? 409 : mended.problems ? 400 : 200,
			...(mended.isStale && { notice: { kind: "problem", text: T.changedMeanwhile } as const }),
		},
		<>
			<PartnerFacts c={c} partner={partner} />
			{may(c, "operate") && <Switches c={c} partner={partner} />}
			<Keys c={c} id={id} keys={keys} />
			<p>
				<a href={`/ops/console/partners/${id}/keys/ended`}>{sayIn(c)(T.endedKeys)}</a>
			</p>
			{may(c, "operate") && (
				<>
					<NewKey c={c} id={id} values={mended.key ?? EMPTY_KEY} problems={problems} />
					<PostForm action={`/ops/console/partners/${id}/settings`} csrf={c.get("csrf")}>
						<h2>{sayIn(c)(T.settings)}</h2>
						<input type="hidden" name="version" value={String(partner.version)} />
						<SettingsFields c={c} values={mended.settings ?? wireOf(partner)} problems={problems} />
						<button type="submit">{sayIn(c)(T.save)}</button>
					</PostForm>
					<h2>{sayIn(c)(T.widget)}</h2>
					<WidgetForm
						c={c}
						action={`/ops/console/partners/${id}/widget`}
						partner={partner}
						problems={problems}
						sent={mended.widget}
						words={T}
					/>
				</>
			)}
		</>,
	);
}

function PartnerFacts({ c, partner }: { c: Call; partner: PartnerRow }) {
	const say = sayIn(c);
	const shown = presentPartner(partner);
	const { id, webhookUrl, webhookOffAt } = partner;
	const link = (path: string, label: Text) => <a href={`/ops/console${path}`}>{say(label)}</a>;
	return (
		<>
			<Facts
				facts={[
					[say(T.keyId), [<Copyable text={id} language={c.get("language")} />, ahead(c, partner)]],
					[say(OPS_CONSOLE.state), <StatusBadge c={c} status={shown.suspended ? "suspended" : "on"} />],
					[say(T.mode), shown.mode],
					[say(T.checks), checksOf(c, partner)],
					[say(T.address), addressOf(c, partner)],
					[say(T.email), shown.delivery_email ?? say(OPS_CONSOLE.nothing)],
					[say(T.webhook), webhookUrl ?? say(OPS_CONSOLE.nothing)],
					...(webhookUrl === null ? [] : [[say(T.webhookState), webhookState(c, partner)] as const]),
					...(webhookOffAt === null ? [] : [[say(T.offSince), when(c, webhookOffAt)] as const]),
					[say(OPS_CONSOLE.created), when(c, partner.createdAt)],
					[say(OPS_CONSOLE.changed), when(c, partner.updatedAt)],
				]}
			/>
			<p>
				{link(`/deliveries?state=pending&partner_id=${id}`, T.itsPending)}
				{" · "}
				{link(`/deliveries?state=dead&partner_id=${id}`, T.itsDeliveries)}
				{" · "}
				{link(`/audit/chain?entity=partner:${id}`, T.itsAudit)}
			</p>
		</>
	);
}

function webhookState(c: Call, partner: PartnerRow) {
	const { webhook_off_by: by } = presentPartner(partner);
	if (by === null) return <StatusBadge c={c} status="on" />;
	return (
		<>
			<StatusBadge c={c} status="off" /> {sayIn(c)(by === "ops" ? T.offByOps : T.offByEndpoint)}
		</>
	);
}

/** Actions of one button: suspending, the webhook's switch, a new secret. */
function Switches({ c, partner }: { c: Call; partner: PartnerRow }) {
	const say = sayIn(c);
	const button = (action: string, label: Text, look: "danger" | "quiet" = "quiet") => (
		<PostForm action={`/ops/console/partners/${partner.id}/${action}`} csrf={c.get("csrf")}>
			<button type="submit" class={look}>
				{say(label)}
			</button>
		</PostForm>
	);
	const { suspendedAt, webhookUrl, webhookOffAt } = partner;
	return (
		<div class="actions">
			{suspendedAt === null ? button("suspend", T.suspend, "danger") : button("resume", T.resume)}
			{webhookUrl !== null &&
				(webhookOffAt === null
					? button("webhook_off", T.switchOff, "danger")
					: button("webhook_on", T.switchOn))}
			{button("secret", T.rotateSecret)}
		</div>
	);
}
