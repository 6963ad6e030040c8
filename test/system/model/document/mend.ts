import { cleared } from "./attempts.ts";
import { momentOf } from "./authenticate.ts";
import type { CallOf } from "./calls.ts";
import { COUNT, made, type Outcome, success, unanswered } from "./expected.ts";
import { type CodeState, changeCode, freeEmail, type Ledger } from "./ledger.ts";
import type { Rules } from "./rules.ts";

/* Item 9 of issue 10: D1 is set back to an earlier moment, and the codes' objects remember what they issued. */

export function applyDeploy(ledger: Ledger, { frozen }: { frozen: boolean }): Outcome {
	const expected = unanswered(frozen ? "service frozen" : "service thawed");
	return { ledger: { ...ledger, frozen }, expected };
}

export function applyKeepDatabase(ledger: Ledger, now: number): Outcome {
	return { ledger: { ...ledger, copy: { at: now, ledger } }, expected: unanswered("database kept") };
}

/** Everything is as it was, but what is not in D1: the count of requests, and what codes' objects know. */
export function applySetBack(ledger: Ledger, rules: Rules): Outcome {
	const { ledger: then } = ledger.copy!;
	const codes = Object.entries(then.codes).map(([name, code]) => {
		const forgotten = rules.objectsRemember ? forgottenOf(code, ledger.codes[name]!) : null;
		return [name, { ...code, forgotten }] as const;
	});
	const partners = Object.entries(then.partners).map(([name, partner]) => {
		const { emissions } = ledger.partners[name]!;
		return [name, { ...partner, emissions }] as const;
	});
	const { copy, frozen, restores, mending } = ledger;
	const setBack = {
		...then,
		codes: Object.fromEntries(codes),
		partners: Object.fromEntries(partners),
		copy,
		frozen,
		restores: restores + 1,
		mending,
		listed: rules.crlRemembers ? listedNow(ledger) : [],
	};
	return { ledger: setBack, expected: unanswered("database set back") };
}

function forgottenOf(then: CodeState, { certificate, cancelledAt }: CodeState): CodeState["forgotten"] {
	if (certificate === null) return null;
	const [known, remembered] = [then, { certificate, cancelledAt }].map((code) =>
		JSON.stringify([code.certificate, code.cancelledAt]),
	);
	return known === remembered ? null : { certificate, cancelledAt };
}

/** The day's digest begins anew. */
export function applyRecordRestore(ledger: Ledger, { to }: CallOf<"record restore">): Outcome {
	const digest = { restored_to: to, superseded: false };
	const data = { digest: { $: "with", fields: digest } } as const;
	return { ledger: { ...ledger, mending: true }, expected: success("record restore", 201, data) };
}

/** Other sequences' codes are looked at too, and have forgotten nothing. */
export function applyMend(ledger: Ledger, at: number, rules: Rules): Outcome {
	const names = Object.keys(ledger.codes).filter((name) => ledger.codes[name]!.forgotten);
	const mended = names.reduce((changed, name) => {
		const { now } = momentOf(changed, changed.codes[name]!.partner, at, rules);
		return mendCode(changed, name, now);
	}, ledger);
	const of = names.map((name) => made("code", name));
	const data = {
		looked_at: COUNT,
		mended: { $: "set", of },
		failed: [],
		mending: false,
		next: null,
	} as const;
	const expected = success(names.length > 0 ? "mend of codes" : "mend", 200, data);
	return { ledger: { ...mended, mending: false }, expected };
}

/** Each revoked serial is on the CRL of the same minute, and stays on it. */
function listedNow({ codes, listed }: Ledger): string[] {
	const revoked = Object.keys(codes).filter((name) => codes[name]!.certificate?.revokedAt != null);
	return [...new Set([...listed, ...revoked])];
}

/** The certificate has not ended. */
export function applyJudge(ledger: Ledger, { code }: CallOf<"judge certificate">, rules: Rules): Outcome {
	const listed = listedNow(ledger);
	const holdsBack = rules.mendingHoldsBack && (ledger.frozen || ledger.mending);
	const otherwise = ledger.codes[code]!.certificate ? "good" : "unknown";
	const ocsp = listed.includes(code) ? "revoked" : holdsBack ? "tryLater" : otherwise;
	const body = { ocsp, listed: listed.includes(code) };
	const expected = { outcome: `judge certificate ${ocsp}`, status: 200, body, headers: {} };
	return { ledger: { ...ledger, listed }, expected };
}

/** The code is EMITTED again, or revoked and cancelled as it was. */
export function mendCode(ledger: Ledger, name: string, now: number): Ledger {
	const code = ledger.codes[name]!;
	if (!code.forgotten) return ledger;
	const { certificate, cancelledAt } = code.forgotten;
	const isNew = code.certificate === null;
	return changeCode(ledger, name, {
		certificate,
		...(isNew && { claimLockedUntil: null, claimAttempts: cleared(code.claimAttempts) }),
		...(cancelledAt !== null && { cancelledAt, ...freeEmail(code) }),
		forgotten: null,
		updatedAt: now,
	});
}
