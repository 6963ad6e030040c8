import { type DayUse, OVERVIEW, type Overview, readOverview, type WebhookHealth } from "../../db/overview.ts";
import type { PartnerRow } from "../../db/partners.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { ListStatus } from "../../domain/status-tables.ts";
import { timestamp } from "../../http/timestamp.ts";
import { partnerCaller } from "../../services/caller.ts";
import { OVERVIEW_PAGE } from "../../texts/console-overview.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { WEBHOOK_PAGE } from "../../texts/console-settings.ts";
import { DELIVERY_FIGURES, FAILURE_NAMES, outcomeName, STATUS_FIGURES } from "../../texts/console-words.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill, type Language } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import type { Call } from "../kit/call.ts";
import { DayChart } from "../kit/chart.tsx";
import { sayIn } from "../kit/language.ts";
import { Figure, Figures, Table } from "../kit/parts.tsx";
import { AttentionList } from "./attention.tsx";
import { page, show } from "./console.ts";
import { addressOf } from "./filters.ts";
import { FirstSteps } from "./first-steps.tsx";
import { capped, codesEndingAt, deliveriesAt } from "./overview-links.ts";

const { cap, recentMs, codesEndMs, certificatesEndMs } = OVERVIEW;

export const overviewPages = [
	page("/overview", { trips: 2 }, async (c) => {
		const { db, partnerId, now, at } = partnerCaller(c);
		const overview = await readOverview(db, { partnerId, now, realNow: at });
		return show(
			c,
			{ title: T.overview },
			<>
				<FirstSteps c={c} overview={overview} />
				<AttentionList c={c} overview={overview} now={now} />
				<Week c={c} overview={overview} />
				<Codes c={c} overview={overview} />
				<Issued c={c} overview={overview} />
				<Ending c={c} overview={overview} now={now} />
				<Failures c={c} overview={overview} />
				<Health c={c} overview={overview} now={now} />
			</>,
		);
	}),
];

/** Ordered by a code's life. */
const STATUSES = Object.keys(STATUS_FIGURES) as ListStatus[];

interface Part {
	c: Call;
	overview: Overview;
}

const WEEK = 7;

/** The last week beside the one before. */
function Week({ c, overview: { use } }: Part) {
	const say = sayIn(c);
	const days = { days: WEEK };
	const sum = (of: readonly DayUse[], kind: "created" | "validated" | "emitted") =>
		of.reduce((all, day) => all + day[kind], 0);
	return (
		<>
			<h2>{say(fill(OVERVIEW_PAGE.week, days))}</h2>
			<p>{say(fill(OVERVIEW_PAGE.weekCounted, days))}</p>
			<Figures>
				{(["created", "validated", "emitted"] as const).map((kind) => {
					const n = sum(use.slice(-WEEK), kind);
					return (
						<Figure
							value={readableNumber(n, c.get("language"))}
							label={say(OVERVIEW_PAGE[kind])}
							change={n - sum(use.slice(-2 * WEEK, -WEEK), kind)}
							href="/console/usage"
						/>
					);
				})}
			</Figures>
		</>
	);
}

function Codes({ c, overview: { statuses } }: Part) {
	const say = sayIn(c);
	return (
		<>
			<h2>{say(T.codesByStatus)}</h2>
			<p>{say(T.codesCounted)}</p>
			<Figures>
				{STATUSES.map((status) => (
					<Figure
						value={readableNumber(statuses[status], c.get("language"))}
						label={say(STATUS_FIGURES[status])}
						href={addressOf("/console/codes", { status })}
					/>
				))}
			</Figures>
		</>
	);
}

function Issued({ c, overview: { use } }: Part) {
	const language = c.get("language");
	const emitted = use.map(({ day, emitted }) => ({ day, n: emitted }));
	const total = emitted.reduce((sum, { n }) => sum + n, 0);
	const most = Math.max(...emitted.map(({ n }) => n));
	const counted = {
		days: OVERVIEW.chartDays,
		total: readableNumber(total, language),
		most: readableNumber(most, language),
	};
	return (
		<>
			<h2>{T.perDay[language]}</h2>
			<DayChart days={emitted} label={fill(T.perDayCounted, counted)[language]} language={language} />
		</>
	);
}

function Ending({ c, overview, now }: Part & { now: number }) {
	const say = sayIn(c);
	const language = c.get("language");
	const certificates = { validity: "valid", expiring_before: timestamp(now + certificatesEndMs) };
	return (
		<>
			<h2>{say(T.ending)}</h2>
			<Figures>
				<Figure
					value={capped(overview.certificatesEnding, language)}
					label={say(fill(T.certificatesEnding, { days: certificatesEndMs / DAY_MS }))}
					href={addressOf("/console/certificates", certificates)}
				/>
				<Figure
					value={readableNumber(overview.endingSoon, language)}
					label={say(fill(T.codesEnding, { days: codesEndMs / DAY_MS }))}
					href={codesEndingAt(now)}
				/>
			</Figures>
		</>
	);
}

function Failures({ c, overview: { failures } }: Part) {
	const say = sayIn(c);
	const language = c.get("language");
	const isCapped = failures.reduce((sum, { n }) => sum + n, 0) === cap;
	return (
		<>
			<h2>{say(fill(T.failures, { days: recentMs / DAY_MS }))}</h2>
			{isCapped && <p>{say(fill(T.failuresCapped, { n: readableNumber(cap, language) }))}</p>}
			<Table
				caption={say(T.failuresCounted)}
				columns={[say(T.reason), say(T.count)]}
				rows={failures.map(({ reason, n }) => [
					FAILURE_NAMES[reason]?.[language] ?? reason,
					readableNumber(n, language),
				])}
				empty={say(T.noFailures)}
			/>
		</>
	);
}

function Health({ c, overview: { deliveries, partner, webhook }, now }: Part & { now: number }) {
	const say = sayIn(c);
	const language = c.get("language");
	return (
		<>
			<h2>{say(T.health)}</h2>
			<p>
				{webhookState(partner, language)} <a href="/console/webhook">{say(WEBHOOK_PAGE.title)}</a>
			</p>
			{webhook.tried > 0 && <p>{lastWebhooks(webhook, language)}</p>}
			<p>{say(fill(T.deliveriesCounted, { days: recentMs / DAY_MS }))}</p>
			<Figures>
				{(["delivered", "pending", "dead"] as const).map((state) => (
					<Figure
						value={capped(deliveries[state], language)}
						label={say(DELIVERY_FIGURES[state])}
						href={deliveriesAt(state, now)}
					/>
				))}
			</Figures>
		</>
	);
}

function webhookState(partner: PartnerRow, language: Language): string {
	const { webhookUrl, webhookOffAt, webhookOffBy, deliveryEmail } = partner;
	const off = webhookOffBy === "ops" ? T.webhookOffOps : T.webhookOffEndpoint;
	const state =
		webhookUrl === null
			? T.webhookNone
			: webhookOffAt === null
				? T.webhookOn
				: fill(off, { at: readableTime(webhookOffAt, language) });
	return deliveryEmail === null ? state[language] : `${state[language]} ${T.emailToo[language]}`;
}

function lastWebhooks({ tried, arrived, lastAt, lastOutcome }: WebhookHealth, language: Language): string {
	const at = readableTime(lastAt!, language);
	return fill(T.lastWebhooks, { tried, arrived, at, outcome: outcomeName(lastOutcome, language) })[language];
}
