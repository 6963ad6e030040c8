import type { Child } from "hono/jsx";
import type { OwnCertificate, OwnCode, TimelineEntry } from "../../db/own-codes.ts";
import { showActor } from "../../domain/actor.ts";
import { nextStep } from "../../domain/next-step.ts";
import { validityAt } from "../../domain/validity.ts";
import { actionName } from "../../texts/audit.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { ACTOR_NAMES, FAILURE_NAMES, NEXT_STEPS, REVOCATION_NAMES } from "../../texts/console-words.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill, type Language, type Text } from "../../texts/language.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { CertificateFacts, CodeFacts } from "../kit/code-facts.tsx";
import { Copyable } from "../kit/copyable.tsx";
import { addressOf } from "./filters.ts";

/* Facts of a code for its partner. Unknown ones are left out. */

export function OwnCodeFacts({ c, facts, now }: { c: Call; facts: OwnCode["facts"]; now: number }) {
	const { batchId, validationFailures, validationLocks, claimFailures, claimLocks } = facts;
	const counted = (failures: number, locks: number) =>
		failures + locks > 0 ? `${failures} (${locks})` : null;
	return (
		<CodeFacts
			c={c}
			code={facts}
			now={now}
			nothing={null}
			words={T}
			own={[[T.batch, <a href={addressOf("/console/codes", { batch_id: batchId })}>{batchId}</a>]]}
			more={[
				[T.validationFailures, counted(validationFailures, validationLocks)],
				[T.claimFailures, counted(claimFailures, claimLocks)],
			]}
		/>
	);
}

interface OwnCertificateFactsProps {
	c: Call;
	certificate: OwnCertificate;
	now: number;
	/** Facts that the page does not show elsewhere. */
	own: readonly (readonly [Text, Child | null])[];
}

export function OwnCertificateFacts({ c, certificate, now, own }: OwnCertificateFactsProps) {
	const { revocationReason } = certificate;
	return (
		<CertificateFacts
			c={c}
			certificate={certificate}
			nothing={null}
			words={T}
			more={[]}
			validity={<StatusBadge c={c} status={validityAt(certificate, now)} />}
			reason={revocationReason && REVOCATION_NAMES[revocationReason]}
			own={own}
		/>
	);
}

/** Leads to the page of a certificate. */
export function SerialLink({ c, serial }: { c: Call; serial: string }) {
	return <Copyable text={serial} language={c.get("language")} href={`/console/certificates/${serial}`} />;
}

/** Names the next step. */
export function nextWords(
	{ facts, certificate }: OwnCode,
	now: number,
	{ language, support }: { language: Language; support: string },
): string {
	const step = nextStep(facts, certificate, now);
	const values = {
		support,
		...("until" in step && { until: readableTime(step.until, language) }),
		...("left" in step && { left: step.left }),
	};
	return fill(NEXT_STEPS[step.kind], values)[language];
}

/** Cells: the event, its outcome, its actor. */
export function timelineRow({ actor, action, outcome }: TimelineEntry, language: Language): Child[] {
	const shown = showActor(actor);
	const who = shown.keyId ? fill(T.withKey, { key: shown.keyId }) : ACTOR_NAMES[shown.actor];
	const ended = outcome === null || outcome === "ok" ? "" : (FAILURE_NAMES[outcome]?.[language] ?? outcome);
	return [actionName(action, language), ended, who[language]];
}
