import type { Child } from "hono/jsx";
import type { OwnCertificate } from "../../db/own-certificates.ts";
import type { OwnCode, TimelineEntry } from "../../db/own-code.ts";
import { showActor } from "../../domain/actor.ts";
import { expiresAt } from "../../domain/code-facts.ts";
import { nextStep } from "../../domain/next-step.ts";
import { codeStatus, listStatus } from "../../domain/status-tables.ts";
import { validityAt } from "../../domain/validity.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import {
	ACTION_NAMES,
	ACTOR_NAMES,
	FAILURE_NAMES,
	NEXT_STEPS,
	PRODUCT_NAMES,
	REVOCATION_NAMES,
	VALIDITY_NAMES,
} from "../../texts/console-words.ts";
import { readableTime } from "../../texts/dates.ts";
import { fill, type Language, type Text } from "../../texts/language.ts";
import { Time } from "../kit/parts.tsx";
import { addressOf } from "./filters.ts";

/* What is known of a code, for its page. */

type Fact = readonly [name: string, value: Child];

export function codeFacts(facts: OwnCode["facts"], now: number, language: Language): Fact[] {
	const fact = (name: Text, value: Child): Fact => [name[language], value];
	const times = [
		[T.validatedAt, facts.validatedAt],
		[T.issuedAt, facts.issuedAt],
		[T.cancelledAt, facts.cancelledAt],
		[T.blockedAt, facts.blockedAt],
		[T.lockedUntil, (facts.lockedUntil ?? 0) > now ? facts.lockedUntil : null],
	] as const;
	return [
		fact(T.apiStatus, <code>{codeStatus(facts, now)}</code>),
		fact(T.listStatus, <code>{listStatus(facts, now)}</code>),
		fact(T.product, PRODUCT_NAMES[facts.product][language]),
		fact(T.batch, <a href={addressOf("/console/codes", { batch_id: facts.batchId })}>{facts.batchId}</a>),
		...(facts.externalReferenceId === null ? [] : [fact(T.reference, facts.externalReferenceId)]),
		fact(T.created, <Time at={facts.createdAt} locale={language} />),
		fact(T.usableUntil, <Time at={expiresAt(facts.createdAt)} locale={language} />),
		...times.flatMap(([name, at]) => (at === null ? [] : [fact(name, <Time at={at} locale={language} />)])),
		...(facts.validationFailures + facts.validationLocks > 0
			? [fact(T.validationFailures, `${facts.validationFailures} (${facts.validationLocks})`)]
			: []),
		...(facts.claimFailures + facts.claimLocks > 0
			? [fact(T.claimFailures, `${facts.claimFailures} (${facts.claimLocks})`)]
			: []),
	];
}

export function certificateFacts(certificate: OwnCertificate, now: number, language: Language): Fact[] {
	const { serial, notBefore, notAfter, revokedAt, revocationReason } = certificate;
	const time = (name: Text, at: number | null): Fact[] =>
		at === null ? [] : [[name[language], <Time at={at} locale={language} />]];
	return [
		[T.serial[language], <code>{serial}</code>],
		[T.validity[language], VALIDITY_NAMES[validityAt(certificate, now)][language]],
		...time(T.validFrom, notBefore),
		...time(T.validTo, notAfter),
		...time(T.revokedAt, revokedAt),
		...(revocationReason === null
			? []
			: [[T.reason[language], REVOCATION_NAMES[revocationReason][language]] as const]),
	];
}

/** What to do next, in words. */
export function nextWords({ facts, certificate }: OwnCode, now: number, language: Language): string {
	const step = nextStep(facts, certificate, now);
	const values = {
		...("until" in step && { until: readableTime(step.until, language) }),
		...("left" in step && { left: step.left }),
	};
	return fill(NEXT_STEPS[step.kind], values)[language];
}

/** What happened, how it ended, who did it. */
export function timelineRow({ actor, action, outcome }: TimelineEntry, language: Language): Child[] {
	const shown = showActor(actor);
	const who = shown.keyId ? fill(T.withKey, { key: shown.keyId }) : ACTOR_NAMES[shown.actor];
	const ended = outcome === null || outcome === "ok" ? "" : (FAILURE_NAMES[outcome]?.[language] ?? outcome);
	return [ACTION_NAMES[action]?.[language] ?? action, ended, who[language]];
}
