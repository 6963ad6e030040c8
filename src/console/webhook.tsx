import {
	changeDeliveryEmail,
	changeWebhook,
	deliveryEmailChange,
	webhookChange,
} from "../accounts/own-settings.ts";
import type { SettingsRefusal } from "../accounts/settings.ts";
import { rotateSecret } from "../accounts/webhook-secret.ts";
import type { Call } from "../console-parts/call.ts";
import { checkForm, type Problems } from "../console-parts/check-form.ts";
import { Choices, Field, PostForm } from "../console-parts/forms.tsx";
import { sayIn } from "../console-parts/language.ts";
import { Facts } from "../console-parts/parts.tsx";
import type { PartnerRow } from "../db/partners.ts";
import { pingWebhook } from "../delivery/ping.ts";
import { callOf, findCaller } from "../desk/caller.ts";
import { ALL_EVENTS, SUBSCRIPTIONS } from "../domain/webhook-events.ts";
import { errorAnswer } from "../http/errors.ts";
import { platformIn } from "../http/platform-in.ts";
import { WEBHOOK_PAGE as T } from "../texts/console-settings.ts";
import { outcomeName } from "../texts/console-words.ts";
import { readableTime } from "../texts/dates.ts";
import { fill, type Text } from "../texts/language.ts";
import { OverlapSelect, readOverlap } from "./overlap.tsx";
import { page, post } from "./routes.ts";
import { show } from "./show.tsx";

const WRONG = { webhook_url: T.badUrl, webhook_events: T.badEvents, delivery_email: T.badEmail };

export const webhookPages = [
	page("/webhook", { trips: 2 }, (c) =>
		showWebhook(c, { notice: c.req.query("done") ? { kind: "done", text: T.done } : undefined }),
	),

	post("/webhook", {}, async (c, form) => {
		const sent = { webhook_url: form.text("webhook_url"), webhook_events: form.all("webhook_events") };
		const wanted = { ...sent, webhook_url: sent.webhook_url || null };
		const read = checkForm(webhookChange, wanted, WRONG);
		if (!read.ok) return showWebhook(c, { sent, problems: read.problems });
		const changed = await changeWebhook(platformIn(c), callOf(c), read.data);
		if (changed.kind === "not_found") return errorAnswer(c, "not_found");
		if (changed.kind === "done") return c.redirect("/console/webhook?done=1", 303);
		return showWebhook(c, { sent, problems: { webhook_url: problemOf(changed.problem, T.badUrl) } });
	}),

	post("/delivery_email", {}, async (c, form) => {
		const sent = { delivery_email: form.text("delivery_email") };
		const read = checkForm(deliveryEmailChange, { delivery_email: sent.delivery_email || null }, WRONG);
		if (!read.ok) return showWebhook(c, { sent, problems: read.problems });
		const changed = await changeDeliveryEmail(platformIn(c), callOf(c), read.data);
		if (changed.kind === "not_found") return errorAnswer(c, "not_found");
		if (changed.kind === "done") return c.redirect("/console/webhook?done=1", 303);
		return showWebhook(c, { sent, problems: { delivery_email: problemOf(changed.problem, T.badEmail) } });
	}),

	post("/webhook/test", {}, async (c) => {
		const ping = await pingWebhook(platformIn(c), c.get("owner").partnerId);
		if (!ping) return errorAnswer(c, "webhook_missing");
		const { outcome, httpStatus, durationMs: ms } = ping;
		const arrived = outcome === "delivered";
		const text = arrived
			? fill(T.pingArrived, { status: httpStatus ?? "", ms })
			: fill(T.pingFailed, { outcome: outcomeName(outcome, c.get("language")), ms });
		return showWebhook(c, { notice: { kind: arrived ? "done" : "problem", text } });
	}),

	post("/webhook/secret", {}, async (c, form) => {
		const rotated = await rotateSecret(platformIn(c), callOf(c), readOverlap(form));
		if (!rotated) return errorAnswer(c, "not_found");
		const until = readableTime(rotated.previousUntil, c.get("language"));
		const say = sayIn(c);
		return show(
			c,
			{ title: T.newSecret, notice: { kind: "done", text: fill(T.secretOnce, { until }) } },
			<>
				<code class="secret">{rotated.secret}</code>
				<p>
					<a href="/console/webhook">{say(T.title)}</a>
				</p>
			</>,
		);
	}),
];

function problemOf(problem: SettingsRefusal, otherwise: Text): Text {
	return problem === "delivery_address_required" ? T.addressRequired : otherwise;
}

interface Shown {
	/** What was typed, to be mended. */
	sent?: { webhook_url?: string; webhook_events?: string[]; delivery_email?: string };
	problems?: Problems;
	notice?: { kind: "done" | "problem"; text: Text } | undefined;
}

async function showWebhook(c: Call, { sent = {}, problems = {}, notice }: Shown) {
	const say = sayIn(c);
	const csrf = c.get("csrf");
	const partner = await findCaller(c);
	const wrong = (field: string) => problems[field]?.[c.get("language")];
	return show(
		c,
		{ title: T.title, status: Object.keys(problems).length > 0 ? 400 : 200, notice },
		<>
			<Facts
				facts={[
					[say(T.address), partner.webhookUrl ? <code>{partner.webhookUrl}</code> : say(T.unset)],
					[say(T.state), <State c={c} partner={partner} />],
					[say(T.email), partner.deliveryEmail ?? say(T.unset)],
				]}
			/>
			<h2>{say(T.change)}</h2>
			<PostForm action="/console/webhook" csrf={csrf}>
				<Field
					name="webhook_url"
					type="url"
					label={say(T.url)}
					hint={say(T.urlHint)}
					value={sent.webhook_url ?? partner.webhookUrl ?? ""}
					problem={wrong("webhook_url")}
				/>
				<Choices
					name="webhook_events"
					label={say(T.events)}
					options={SUBSCRIPTIONS.map((value) => ({
						value,
						label: value === ALL_EVENTS ? say(T.everything) : value,
					}))}
					chosen={sent.webhook_events ?? partner.webhookEvents}
					problem={wrong("webhook_events")}
				/>
				<button type="submit">{say(T.save)}</button>
			</PostForm>
			{partner.webhookUrl && <WebhookTest c={c} />}
			<h2>{say(T.changeEmail)}</h2>
			<PostForm action="/console/delivery_email" csrf={csrf}>
				<Field
					name="delivery_email"
					type="email"
					label={say(T.email)}
					hint={say(T.emailHint)}
					value={sent.delivery_email ?? partner.deliveryEmail ?? ""}
					problem={wrong("delivery_email")}
				/>
				<button type="submit">{say(T.save)}</button>
			</PostForm>
			<h2>{say(T.rotate)}</h2>
			<PostForm action="/console/webhook/secret" csrf={csrf}>
				<p>{say(T.rotateHint)}</p>
				<OverlapSelect c={c} label={say(T.overlap)} />
				<button type="submit">{say(T.rotateButton)}</button>
			</PostForm>
		</>,
	);
}

/** Asks for a ping, whose outcome the page of the webhook shows. */
export function WebhookTest({ c }: { c: Call }) {
	const say = sayIn(c);
	return (
		<>
			<h2>{say(T.test)}</h2>
			<PostForm action="/console/webhook/test" csrf={c.get("csrf")}>
				<p>{say(T.testHint)}</p>
				<button type="submit">{say(T.sendPing)}</button>
			</PostForm>
		</>
	);
}

function State({ c, partner }: { c: Call; partner: PartnerRow }) {
	const say = sayIn(c);
	const { webhookUrl, webhookOffAt, webhookOffBy } = partner;
	if (webhookUrl === null) return <>{say(T.unset)}</>;
	if (webhookOffAt === null) return <>{say(T.on)}</>;
	const at = readableTime(webhookOffAt, c.get("language"));
	return <>{say(fill(webhookOffBy === "ops" ? T.offByOps : T.offByEndpoint, { at }))}</>;
}
