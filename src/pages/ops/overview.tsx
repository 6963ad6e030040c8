import { type OpenRequests, REQUESTS_SHOWN } from "../../db/holder-requests.ts";
import { OPS_OVERVIEW } from "../../db/ops-overview.ts";
import type { PartnerRow } from "../../db/partners.ts";
import { silentDatabases } from "../../directory.ts";
import type { JobName } from "../../domain/audit-actions.ts";
import { bindingOf } from "../../domain/database-names.ts";
import { HOUR_MS } from "../../domain/durations.ts";
import { ANSWER_MS } from "../../domain/holder-requests.ts";
import { jobStates } from "../../jobs/run.ts";
import { authorityDates } from "../../pki/authority-dates.ts";
import { listAllPartners } from "../../services/all-partners.ts";
import { readOverview } from "../../services/ops-overview.ts";
import { askSigner } from "../../signer/signer-state.ts";
import { databaseSize } from "../../telemetry/database-size.ts";
import { fill, type Text } from "../../texts/language.ts";
import { OPS_ACTIVITY } from "../../texts/ops-activity.ts";
import { OPS_CONSOLE, OPS_OVERVIEW as T } from "../../texts/ops-console.ts";
import { OPS_UPKEEP } from "../../texts/ops-console-upkeep.ts";
import { SEVERITIES, SEVERITY_WORDS, type Severity } from "../../texts/status-words.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Card, Figure, Figures } from "../kit/parts.tsx";
import { Steps } from "../kit/steps.tsx";
import { Activity, LatestChanges } from "./activity.tsx";
import { page, show } from "./console.tsx";
import { isWithoutCron, RunAll } from "./jobs.tsx";
import { PARTNER_FILTERS, type PartnerFilter } from "./partner-filters.ts";
import { NOT_SIGNING, Runbook } from "./runbook.tsx";

/** The cron runs every job each hour. */
const LATE_MS = 2 * HOUR_MS;

interface Check {
	value: number | string;
	/** Says what the value counts. */
	label: Text;
	/** Says it where it needs somebody; value and label where it is left out. */
	urgent?: Text;
	/** Its list, below `/ops/console`. */
	href: string;
	/** Null: it needs nobody. */
	severity: Severity | null;
	/** Page that says how to go on, below `docs/operators/`. */
	runbook?: string;
}

/** Overview of open work: what needs somebody comes first, the most severe above; then each figure, which leads to its list. */
export const overviewPages = [
	page("/overview", { trips: 3 }, async (c) => {
		const platform = c.get("platform");
		const [{ partners }, { jobs }, { hours, dead, requests, latest }] = await Promise.all([
			listAllPartners(platform),
			jobStates(platform),
			readOverview(platform),
		]);
		const neverRun = isWithoutCron(c) ? jobs.filter(({ ranAt }) => ranAt === null) : [];
		const checks = [
			...partnerChecks(partners),
			deadCheck(dead),
			requestCheck(requests, platform.clock()),
			reported(jobs, "verify-audit", "faults", T.faults, T.notVerified),
			reported(jobs, "reconcile", "found", T.inconsistencies, T.notReconciled),
			...jobChecks(jobs, neverRun, platform.clock()),
			await endingCheck(c),
			...(await signerCheck(c)),
			...silentCheck(c),
			databaseCheck(),
		];
		const ranAt = Math.max(...jobs.map(({ ranAt }) => ranAt ?? 0));
		return show(
			c,
			{ title: OPS_CONSOLE.overview },
			<>
				<Attention c={c} checks={checks} />
				{neverRun.length > 0 && <RunAll c={c} />}
				<Figures>
					{checks.map(({ value, label, href }) => (
						<Figure value={String(value)} label={sayIn(c)(label)} href={`/ops/console${href}`} />
					))}
				</Figures>
				<Activity c={c} hours={hours} ranAt={ranAt || null} />
				<LatestChanges c={c} changes={latest} />
			</>,
		);
	}),
];

/** The registry, for one, is asked by objects and shows here by nothing. */
const NO_CERTIFICATE = "incidents.md#a-partners-customers-get-no-certificate";

function Attention({ c, checks }: { c: Call; checks: readonly Check[] }) {
	const say = sayIn(c);
	const steps = SEVERITIES.flatMap((severity) =>
		checks
			.filter((check) => check.severity === severity)
			.map(({ value, label, urgent, href, runbook = "" }) => ({
				tone: severity,
				word: say(SEVERITY_WORDS[severity]),
				says: <a href={`/ops/console${href}`}>{urgent ? say(urgent) : `${value} ${say(label)}`}</a>,
				next: <Runbook c={c} page={runbook} />,
			})),
	);
	return (
		<Card title={say(OPS_ACTIVITY.attention)}>
			{steps.length > 0 ? <Steps steps={steps} /> : <p>{say(OPS_ACTIVITY.nothing)}</p>}
			<p class="hint">
				{say(OPS_ACTIVITY.noCertificate)} <Runbook c={c} page={NO_CERTIFICATE} />
			</p>
		</Card>
	);
}

const PARTNER_CHECKS = [
	["unreachable", T.unreachable, "bad", "incidents.md#severity-2"],
	["weak", T.weak, "info", "people.md#partners"],
	["sso_alone", T.ssoAlone, "info", "people.md#partners"],
	["webhook_off", T.webhooksOff, "warn", "people.md#partners"],
	["suspended", T.suspended, "info", "people.md#partners"],
] as const satisfies readonly (readonly [PartnerFilter, Text, Severity, string])[];

function partnerChecks(partners: readonly PartnerRow[]): Check[] {
	const all: Check = { value: partners.length, label: T.partners, href: "/partners", severity: null };
	const filtered = PARTNER_CHECKS.map(([filter, label, severity, runbook]) =>
		counted(partners.filter(PARTNER_FILTERS[filter].has).length, {
			label,
			href: `/partners?only=${filter}`,
			severity,
			runbook,
		}),
	);
	return [all, ...filtered];
}

/** A count that needs somebody unless it is 0. */
function counted(n: number, check: Omit<Check, "value">): Check {
	return { ...check, value: n, severity: n > 0 ? check.severity : null };
}

function deadCheck(dead: number): Check {
	const check = counted(dead, {
		label: T.dead,
		href: "/deliveries?state=dead",
		severity: "warn",
		runbook: "people.md#in-a-browser",
	});
	return dead > OPS_OVERVIEW.deadCap ? { ...check, value: `${OPS_OVERVIEW.deadCap}+` } : check;
}

/** The oldest request is late once a sixth of its time is left. */
function requestCheck({ n, oldest }: OpenRequests, now: number): Check {
	const isLate = oldest !== null && oldest < now - (ANSWER_MS / 6) * 5;
	const check = counted(n, {
		label: T.requests,
		href: "/holders/requests",
		severity: isLate ? "bad" : "warn",
		runbook: "people.md#requests-of-holders",
	});
	return n < REQUESTS_SHOWN ? check : { ...check, value: `${n}+` };
}

type Jobs = Awaited<ReturnType<typeof jobStates>>["jobs"];

function reported(jobs: Jobs, job: JobName, count: string, label: Text, unknown: Text): Check {
	const value = jobs.find(({ name }) => name === job)?.report?.[count];
	if (value === undefined)
		return {
			...{ value: "—", label: unknown, urgent: unknown },
			...{ href: "/audit", severity: "info", runbook: "jobs.md" },
		};
	return counted(Number(value), {
		label,
		href: "/audit",
		severity: "bad",
		runbook: "incidents.md#severity-1",
	});
}

function jobChecks(jobs: Jobs, neverRun: Jobs, now: number): Check[] {
	const late = jobs.filter((job) => !neverRun.includes(job) && (job.ranAt ?? 0) < now - LATE_MS);
	const at = { href: "/jobs", runbook: "jobs.md" };
	const never = counted(neverRun.length, { ...at, label: T.neverRun, severity: "info" });
	return [
		...(neverRun.length > 0 ? [never] : []),
		counted(late.length, { ...at, label: T.late, severity: "bad" }),
	];
}

async function endingCheck(c: Call): Promise<Check> {
	const platform = c.get("platform");
	const near = (await authorityDates(platform, platform.clock())).filter(({ isNear }) => isNear);
	return counted(near.length, {
		label: T.ending,
		href: "/authority",
		severity: "warn",
		runbook: "authority.md#every-year",
	});
}

/** Place of the issuing key: local and dev may have it in the Worker. */
async function signerCheck(c: Call): Promise<Check[]> {
	const platform = c.get("platform");
	const signer = await askSigner(platform);
	const at = { href: "/authority", runbook: "signer.md" };
	if (signer === null)
		return platform.settings.environment === "prod"
			? [{ ...at, value: "1", label: T.keyInWorker, severity: "warn" }]
			: [];
	const value = sayIn(c)(OPS_UPKEEP.signerStates[signer.state]);
	const urgent = fill(T.signerUrgent, { state: value });
	const runbook = NOT_SIGNING;
	return [{ ...at, value, label: T.signer, urgent, runbook, severity: signer.state === "ok" ? null : "bad" }];
}

/** Databases that did not answer when they were last asked: their partners get 503. */
function silentCheck(c: Call): Check[] {
	const silent = silentDatabases(c.get("platform"));
	if (silent.length === 0) return [];
	const value = silent.map(bindingOf).join(", ");
	const at = { href: "/databases", runbook: "databases.md#a-database-that-does-not-answer" };
	return [{ ...at, value, label: T.silentDatabases, severity: "bad" }];
}

const FULLNESS = {
	normal: { severity: null },
	high: { severity: "warn", runbook: "incidents.md#severity-3-and-information" },
	critical: { severity: "bad", runbook: "incidents.md#severity-2" },
} as const;

function databaseCheck(): Check {
	const { bytes, limit, level } = databaseSize();
	const value = `${Math.floor((bytes / limit) * 100)} %`;
	return { value, label: T.database[level], href: "/databases", ...FULLNESS[level] };
}
