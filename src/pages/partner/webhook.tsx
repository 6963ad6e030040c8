import type { z } from "@hono/zod-openapi";
import type { PartnerRow } from "../../db/partners.ts";
import { type Ping, pingWebhook } from "../../delivery/ping.ts";
import { pendingEmail } from "../../domain/delivery-address.ts";
import { ALL_EVENTS, SUBSCRIPTIONS } from "../../domain/webhook-events.ts";
import { errorAnswer } from "../../http/errors.ts";
import { findOwnPartner, type PartnerCaller, partnerCaller } from "../../services/caller.ts";
import { newWebhookSecret } from "../../services/new-secrets.ts";
import { changeDeliveryEmail, changeWebhook } from "../../services/own-settings.ts";
import { rotateSecret } from "../../services/webhook-secret.ts";
import { WEBHOOK_PAGE as T } from "../../texts/console-settings.ts";
import { outcomeName } from "../../texts/console-words.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill, type Text } from "../../texts/language.ts";
import { deliveryEmailChange, webhookChange } from "../../wire/own-settings.ts";
import { answerRefused } from "../../wire/refusals.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { doneIn } from "../kit/console.tsx";
import { Copyable, Secret } from "../kit/copyable.tsx";
import { Choices, Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Facts } from "../kit/parts.tsx";
import { checkForm, NO_PROBLEMS, type Problems, refusedField } from "../kit/problems.ts";
import { type ShownOnce, shownOnce } from "../kit/shown-once.ts";
import { goBack, page, pageOnce, post, show } from "./console.ts";
import { OverlapSelect, readOverlap } from "./overlap.tsx";

export const webhookPages = [
	page("/webhook", { trips: 2 }, async (c) =>
		showWebhook(c, { notice: (await pingedIn(c)) ?? doneIn(c, T.done) }),
	),

	pageOnce<NewSecret>("/webhook/secret", { trips: 1 }, showNewSecret),

	post("/webhook", {}, (c, form) => {
		const sent = { webhook_url: form.text("webhook_url"), webhook_events: form.all("webhook_events") };
		const wanted = { ...sent, webhook_url: sent.webhook_url || null };
		return save(c, sent, webhookChange, wanted, changeWebhook, "webhook_url");
	}),

	post("/delivery_email", {}, (c, form) => {
		const sent = { delivery_email: form.text("delivery_email") };
		const wanted = { delivery_email: sent.delivery_email || null };
		return save(c, sent, deliveryEmailChange, wanted, changeDeliveryEmail);
	}),

	post("/webhook/test", {}, async (c) => {
		const ping = await pingWebhook(partnerCaller(c));
		if (!ping) return errorAnswer(c, "webhook_missing");
		const { outcome, httpStatus, durationMs } = ping;
		return { to: "/console/webhook?done=ping", shown: { outcome, httpStatus, durationMs } satisfies Pinged };
	}),

	post("/webhook/secret", {}, async (c, form) => {
		const rotated = await rotateSecret(partnerCaller(c), readOverlap(form));
		if (rotated.kind === "refused") return errorAnswer(c, rotated.reason);
		const { previousUntil } = rotated;
		return { to: "/console/webhook/secret", shown: { previousUntil } satisfies NewSecret };
	}),
];

type Pinged = Pick<Ping, "outcome" | "httpStatus" | "durationMs">;

/** The notice of a ping that was sent just now. */
async function pingedIn(c: Call): Promise<Shown["notice"]> {
	const pinged = c.req.query("done") === "ping" && (await shownOnce<Pinged>(c))?.shown;
	if (!pinged) return undefined;
	const { outcome, httpStatus, durationMs: ms } = pinged;
	if (outcome === "delivered")
		return { kind: "done", text: fill(T.pingArrived, { status: httpStatus ?? "", ms }) };
	const words = { outcome: outcomeName(outcome, c.get("language")), ms };
	return { kind: "problem", text: fill(T.pingFailed, words) };
}

interface NewSecret {
	/** End of the secret before, epoch milliseconds. */
	previousUntil: number;
}

async function showNewSecret(c: Call, { shown: { previousUntil }, seed }: ShownOnce<NewSecret>) {
	const until = readableTime(previousUntil, c.get("language"));
	return show(
		c,
		{ title: T.newSecret, notice: { kind: "done", text: fill(T.secretOnce, { until }) } },
		<>
			<Secret text={await newWebhookSecret(c.get("platform"), seed)} language={c.get("language")} />
			<p>
				<a href="/console/webhook">{sayIn(c)(T.title)}</a>
			</p>
		</>,
	);
}

interface Shown {
	/** Typed values, to be corrected. */
	sent?: { webhook_url?: string; webhook_events?: string[]; delivery_email?: string };
	problems?: Problems;
	notice?: { kind: "done" | "problem"; text: Text } | undefined;
}

/** Applies a form, or shows it again with its problems. @param field - that of a refusal */
async function save<Schema extends z.ZodType>(
	c: Call,
	sent: NonNullable<Shown["sent"]>,
	schema: Schema,
	wanted: unknown,
	change: (caller: PartnerCaller, data: z.output<Schema>) => ReturnType<typeof changeDeliveryEmail>,
	field?: string,
) {
	const read = checkForm(c, schema, wanted);
	if (!read.ok) return showWebhook(c, { sent, problems: read.problems });
	const changed = await change(partnerCaller(c), read.data);
	if (changed.kind === "done") return goBack("/webhook");
	if (changed.reason === "too_many_delivery_emails") return answerRefused(c, changed);
	return showWebhook(c, { sent, problems: refusedField(c, changed.reason, field) });
}

async function showWebhook(c: Call, { sent = {}, problems = NO_PROBLEMS, notice }: Shown) {
	const say = sayIn(c);
	const csrf = c.get("csrf");
	const caller = partnerCaller(c);
	const partner = await findOwnPartner(caller);
	const pending = pendingEmail(partner, caller.at);
	return show(
		c,
		{ title: T.title, status: problems !== NO_PROBLEMS ? 400 : 200, notice },
		<>
			<Facts
				facts={[
					[
						say(T.address),
						partner.webhookUrl ? (
							<Copyable text={partner.webhookUrl} language={c.get("language")} />
						) : (
							say(T.unset)
						),
					],
					[say(T.state), <State c={c} partner={partner} />],
					[say(T.email), partner.deliveryEmail ?? say(T.unset)],
					...(pending === null ? [] : [[say(T.pending), say(fill(T.openLink, { pending }))] as const]),
				]}
			/>
			<Card title={say(T.change)}>
				<PostForm action="/console/webhook" csrf={csrf}>
					<Field
						name="webhook_url"
						type="url"
						label={say(T.url)}
						hint={say(T.urlHint)}
						value={sent.webhook_url ?? partner.webhookUrl ?? ""}
						problem={problems.webhook_url}
					/>
					<Choices
						name="webhook_events"
						label={say(T.events)}
						options={SUBSCRIPTIONS.map((value) => ({
							value,
							label: value === ALL_EVENTS ? say(T.everything) : <EventName event={value} />,
						}))}
						chosen={sent.webhook_events ?? partner.webhookEvents}
						problem={problems.webhook_events}
					/>
					<button type="submit">{say(T.save)}</button>
				</PostForm>
			</Card>
			{partner.webhookUrl && <WebhookTest c={c} />}
			<div class="cards">
				<Card title={say(T.changeEmail)}>
					<PostForm action="/console/delivery_email" csrf={csrf}>
						<Field
							name="delivery_email"
							type="email"
							label={say(T.email)}
							hint={say(T.emailHint)}
							value={sent.delivery_email ?? partner.deliveryEmail ?? ""}
							problem={problems.delivery_email}
						/>
						<button type="submit">{say(T.save)}</button>
					</PostForm>
				</Card>
				<Card title={say(T.rotate)}>
					<PostForm action="/console/webhook/secret" csrf={csrf}>
						<p>{say(T.rotateHint)}</p>
						<OverlapSelect c={c} label={say(T.overlap)} />
						<button class="quiet" type="submit">
							{say(T.rotateButton)}
						</button>
					</PostForm>
				</Card>
			</div>
		</>,
	);
}

/** Asks for a ping, whose outcome the page of the webhook shows. */
export function WebhookTest({ c }: { c: Call }) {
	const say = sayIn(c);
	return (
		<Card title={say(T.test)}>
			<PostForm action="/console/webhook/test" csrf={c.get("csrf")}>
				<p>{say(T.testHint)}</p>
				<button class="quiet" type="submit">
					{say(T.sendPing)}
				</button>
			</PostForm>
		</Card>
	);
}

function State({ c, partner }: { c: Call; partner: PartnerRow }) {
	const say = sayIn(c);
	const { webhookUrl, webhookOffAt, webhookOffBy } = partner;
	if (webhookUrl === null) return <StatusBadge c={c} status="unset" />;
	if (webhookOffAt === null) return <StatusBadge c={c} status="on" />;
	const at = readableTime(webhookOffAt, c.get("language"));
	const support = c.get("platform").brand.email;
	return (
		<>
			<StatusBadge c={c} status="off" />{" "}
			{say(fill(webhookOffBy === "ops" ? T.offByOps : T.offByEndpoint, { at, support }))}
		</>
	);
}

/** The name of an event. A line may end after its full stop. */
function EventName({ event }: { event: string }) {
	const [subject, verb] = event.split(".");
	return (
		<>
			{subject}.<wbr />
			{verb}
		</>
	);
}
