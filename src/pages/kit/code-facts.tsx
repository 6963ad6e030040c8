import type { Child } from "hono/jsx";
import type { CodeFacts as Code } from "../../domain/code-facts.ts";
import { expiresAt } from "../../domain/code-facts.ts";
import type { CertificateFacts as Certificate } from "../../domain/decide-revocation.ts";
import type { RevocationReason } from "../../domain/revocation-reason.ts";
import { codeStatus, listStatus } from "../../domain/status-tables.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { PRODUCT_NAMES } from "../../texts/console-words.ts";
import type { Text } from "../../texts/language.ts";
import { StatusBadge } from "./badge.tsx";
import type { Call } from "./call.ts";
import { Copyable } from "./copyable.tsx";
import { sayIn } from "./language.ts";
import { Facts, Time } from "./parts.tsx";

/* Facts of a code and of a certificate, for a partner and for ops. */

type Fact = readonly [name: Text, value: Child | null];

interface Viewer {
	c: Call;
	/** Text for an unknown fact; null: the fact is left out. */
	nothing: Text | null;
	/** Facts that this viewer alone sees, after what the others see. */
	more: readonly Fact[];
}

interface CodeFactsProps extends Viewer {
	code: Code;
	/** The partner's time. */
	now: number;
	words: Readonly<Record<"reference" | "usableUntil", Text>>;
	/** Facts that this viewer alone sees, between the product and the times. */
	own: readonly Fact[];
}

export function CodeFacts({ c, code, now, words, own, ...viewer }: CodeFactsProps) {
	const { validatedAt, issuedAt, cancelledAt, blockedAt } = code;
	const lock = (until: number | null) =>
		viewer.nothing !== null || (until ?? 0) > now ? time(c, until) : null;
	return (
		<Known
			c={c}
			facts={[
				[T.code, <Copyable text={code.code} language={c.get("language")} />],
				[T.status, <StatusBadge c={c} status={listStatus(code, now)} />],
				[T.apiStatus, <code>{codeStatus(code, now)}</code>],
				[T.product, sayIn(c)(PRODUCT_NAMES[code.product])],
				...own,
				[words.reference, code.externalReferenceId],
				[T.created, time(c, code.createdAt)],
				[words.usableUntil, time(c, expiresAt(code.createdAt))],
				[T.validatedAt, time(c, validatedAt)],
				[T.issuedAt, time(c, issuedAt)],
				[T.cancelledAt, time(c, cancelledAt)],
				[T.blockedAt, time(c, blockedAt)],
				[T.validationLockedUntil, lock(code.validationLockedUntil)],
				[T.validationBlockedAt, time(c, code.validationBlockedAt)],
				[T.claimLockedUntil, lock(code.claimLockedUntil)],
			]}
			{...viewer}
		/>
	);
}

interface CertificateFactsProps extends Viewer {
	certificate: Pick<Certificate, "notBefore" | "notAfter" | "revokedAt">;
	/** Its status, as a badge. */
	validity: Child;
	words: Readonly<Record<"validity" | "reason", Text>>;
	/** Why it was revoked, as this viewer names it. */
	reason: Text | RevocationReason | null;
	/** Facts that this viewer alone sees, before the times. */
	own: readonly Fact[];
}

export function CertificateFacts(props: CertificateFactsProps) {
	const { c, certificate, validity, words, reason, own, ...viewer } = props;
	const say = sayIn(c);
	return (
		<Known
			c={c}
			facts={[
				[words.validity, validity],
				...own,
				[T.validFrom, time(c, certificate.notBefore)],
				[T.validTo, time(c, certificate.notAfter)],
				[T.revokedAt, time(c, certificate.revokedAt)],
				[words.reason, reason && (typeof reason === "string" ? reason : say(reason))],
			]}
			{...viewer}
		/>
	);
}

function Known({ c, facts, more, nothing }: Viewer & { facts: readonly Fact[] }) {
	const say = sayIn(c);
	const shown = [...facts, ...more].filter(([, value]) => value !== null || nothing !== null);
	return <Facts facts={shown.map(([name, value]) => [say(name), value ?? say(nothing!)])} />;
}

function time(c: Call, at: number | null): Child | null {
	return at === null ? null : <Time at={at} locale={c.get("language")} />;
}
