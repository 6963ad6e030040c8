import { OVERVIEW, type Overview } from "../../db/overview.ts";
import { type Attention, attentionOf } from "../../domain/attention.ts";
import { DAY_MS } from "../../domain/durations.ts";
import { ATTENTION, OVERVIEW_PAGE as T } from "../../texts/console-overview.ts";
import { CONSOLE_PAGES } from "../../texts/console-pages.ts";
import { outcomeName } from "../../texts/console-words.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill, type Language } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { SEVERITY_WORDS, type Severity } from "../../texts/status-words.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Card } from "../kit/parts.tsx";
import { Steps } from "../kit/steps.tsx";
import { capped, codesEndingAt, deliveriesAt } from "./overview-links.ts";

const { recentMs, codesEndMs } = OVERVIEW;

const TONES: Record<Attention["kind"], Severity> = {
	no_address: "bad",
	webhook_off: "bad",
	webhook_failing: "bad",
	deliveries_dead: "warn",
	codes_ending: "warn",
	key_ending: "warn",
	email_waiting: "info",
};

/** Lists all that needs attention, the most urgent first, each with the page of its next step. @param now - the partner's time */
export function AttentionList({ c, overview, now }: { c: Call; overview: Overview; now: number }) {
	const say = sayIn(c);
	const language = c.get("language");
	const { partner, webhook, deliveries, endingSoon, keysEnding } = overview;
	const facts = { partner, webhook, dead: deliveries.dead, codesEnding: endingSoon, keysEnding };
	const items = attentionOf(facts, c.get("platform").clock());
	const steps = items.map((item) => {
		const tone = TONES[item.kind];
		const next = <a href={nextOf(item, now)}>{say(ATTENTION[item.kind].next)}</a>;
		return { tone, word: say(SEVERITY_WORDS[tone]), says: wordsOf(item, language), next };
	});
	return (
		<Card title={say(T.attention)}>
			{steps.length > 0 ? <Steps steps={steps} /> : <p>{say(T.nothing)}</p>}
		</Card>
	);
}

function wordsOf(item: Attention, language: Language): string {
	const says =
		item.kind === "webhook_off" && item.by === "ops"
			? CONSOLE_PAGES.webhookOffOps
			: ATTENTION[item.kind].says;
	const days = (item.kind === "codes_ending" ? codesEndMs : recentMs) / DAY_MS;
	return fill(says, {
		...item,
		days,
		...("at" in item && { at: readableTime(item.at, language) }),
		...(item.kind === "codes_ending" && { n: readableNumber(item.n, language) }),
		...(item.kind === "deliveries_dead" && { n: capped(item.n, language) }),
		...("outcome" in item && { outcome: outcomeName(item.outcome, language) }),
	})[language];
}

function nextOf(item: Attention, now: number): string {
	if (item.kind === "deliveries_dead") return deliveriesAt("dead", now);
	if (item.kind === "codes_ending") return codesEndingAt(now);
	return item.kind === "key_ending" ? `/console/keys/${item.id}` : "/console/webhook";
}
