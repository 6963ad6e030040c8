import { reopen } from "./apply-ops-partners.ts";
import { statusOf, switchOff } from "./attempt-delivery.ts";
import type { CallOf } from "./calls.ts";
import type { Desk } from "./desk.ts";
import {
	badShape,
	businessRejection,
	COUNT,
	made,
	type Outcome,
	type Shape,
	success,
	TEXT,
	time,
} from "./expected.ts";
import { changePartner, type Ledger, record } from "./ledger.ts";
import { tell } from "./notices.ts";
import { rightsOf, settingsFacts } from "./partner-facts.ts";
import { change, type SentSettings } from "./settings.ts";

/* Where and what is delivered to the partner, as it sees and sets it itself. */

const HOUR = 3_600_000;

export function applyOwnWebhook(ledger: Ledger, desk: Desk): Outcome {
	return { ledger, expected: success(desk.kind, 200, webhookFacts(ledger, desk)) };
}

function webhookFacts(ledger: Ledger, { id, rules }: Desk): Shape {
	const { webhook_url, webhook_events, webhook_off_since, webhook_off_by } = settingsFacts(
		id,
		ledger.partners[id]!.settings,
		rules,
	);
	return { webhook_url, webhook_events, webhook_off_since, webhook_off_by };
}

export function applySetWebhook(ledger: Ledger, { url, events }: CallOf<"set webhook">, desk: Desk): Outcome {
	const problems = url?.startsWith("http:") ? ["webhook_url"] : [];
	if (problems.length > 0) return { ledger, expected: badShape(desk.kind, problems) };
	const isNew = url !== desk.partner.settings.webhook_url;
	const sent = { webhook_url: url, webhook_events: events };
	return changeOwn(ledger, sent, desk, isNew ? "webhook" : null, (to) => webhookFacts(to, desk));
}

export function applySetEmail(ledger: Ledger, email: string | null, desk: Desk): Outcome {
	if (email !== null && !email.includes("@"))
		return { ledger, expected: badShape(desk.kind, ["delivery_email"]) };
	const isNew = email !== desk.partner.settings.delivery_email;
	const data = { delivery_email: email };
	return changeOwn(ledger, data, desk, isNew ? "email" : null, () => data);
}

export function applySetReminders(ledger: Ledger, on: unknown, desk: Desk): Outcome {
	if (typeof on !== "boolean") return { ledger, expected: badShape(desk.kind, ["holder_reminders"]) };
	const data = { holder_reminders: on };
	return changeOwn(ledger, data, desk, null, () => data);
}

function changeOwn(
	ledger: Ledger,
	sent: SentSettings,
	desk: Desk,
	told: "webhook" | "email" | null,
	tellAnswer: (changed: Ledger) => Shape,
): Outcome {
	const { id, partner, kind, now, at, rules } = desk;
	const before = partner.settings;
	const { settings, problems, switchedOn } = change(before, sent, { by: "partner", now: at, rules });
	if (problems.length > 0)
		return { ledger, expected: { ...badShape(kind, problems), outcome: `${kind} 400 without an address` } };
	const noticed = told ? tell(ledger, id, told, { before, now, rules }) : ledger;
	const reopened = reopen(noticed, id, { switchedOn, email: sent.delivery_email }, now);
	const changed = noted(changePartner(reopened, id, { settings }), "changed", desk);
	const waits = reopened.deliveries !== noticed.deliveries ? `${kind} with what waits` : kind;
	return { ledger: changed, expected: success(waits, 200, tellAnswer(changed)) };
}

export function applyOwnSecret(ledger: Ledger, overlapHours: number, desk: Desk): Outcome {
	const { id, partner, kind, now, at, rules } = desk;
	if (overlapHours > 168) return { ledger, expected: badShape(kind, ["overlap_hours"]) };
	const told = tell(ledger, id, "webhook", { before: partner.settings, now, rules });
	const data = {
		webhook_secret: made("secret", `${id} ${at}`),
		previous_valid_until: time(at + overlapHours * HOUR),
	};
	return { ledger: noted(told, "webhook_secret_rotated", desk), expected: success(kind, 201, data) };
}

/** Nothing is recorded or switched by it, whatever the endpoint answers. */
export function applyTestWebhook(ledger: Ledger, { id, partner, kind, at, rules }: Desk): Outcome {
	const { webhook_url: url } = partner.settings;
	if (url === null) return { ledger, expected: businessRejection(kind, "WEBHOOK_MISSING") };
	const status = statusOf(url);
	const outcome = status === 410 ? "gone" : status < 300 ? "delivered" : `http ${status}`;
	const data = { webhook_id: TEXT, webhook_url: url, outcome, http_status: status, duration_ms: COUNT };
	const switched = status === 410 && rules.testSwitchesOff ? switchOff(ledger, id, at) : ledger;
	return { ledger: switched, expected: success(kind, 200, data) };
}

export function applyOwnSettings(ledger: Ledger, { id, partner, key, kind, rules }: Desk): Outcome {
	const data = {
		settings: settingsFacts(id, partner.settings, rules),
		key: { id: made("keyId", key), ...rightsOf(ledger.keys[key]!) },
		limits: {
			calls_per_minute: 600,
			bulk_calls_per_minute: 30,
			certificate_requests_per_minute: rules.emissions,
			codes_per_batch: rules.bulkMaximum,
		},
	};
	return { ledger, expected: success(kind, 200, data) };
}

function noted(ledger: Ledger, action: string, { id, key, at }: Desk): Ledger {
	const changed = changePartner(ledger, id, { updatedAt: at });
	return record(changed, `partner ${id}`, { at, by: "partner", key, action });
}
