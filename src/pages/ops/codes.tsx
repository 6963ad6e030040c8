import type { Child } from "hono/jsx";
import { codeChange } from "../../api/ops/purchase-codes.ts";
import { homeOf } from "../../directory.ts";
import { decideOps, type OpsVerb } from "../../domain/decide-ops.ts";
import { DEFAULT_REVOCATION_REASON, REVOCATION_REASONS } from "../../domain/revocation-reason.ts";
import { processing } from "../../domain/status-tables.ts";
import { errorAnswer } from "../../http/errors.ts";
import { nowFor, onBehalfOf, opsCaller } from "../../services/caller.ts";
import { changeCode, findCode, replaceCode } from "../../services/change-code.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CONSOLE, OPS_CODES as T } from "../../texts/ops-console.ts";
import type { Call } from "../kit/call.ts";
import { CodeFacts } from "../kit/code-facts.tsx";
import { Choices, Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { NO_PROBLEMS, type Problems, problemsOf, statusOf } from "../kit/problems.ts";
import { goBack, may, page, post, show } from "./console.tsx";
import { partnerLink } from "./partners.tsx";
import { showSearch } from "./search.tsx";
import { ahead, when, yesOrNo } from "./words.tsx";

const VERBS = {
	block: { label: T.block, why: T.blockWhy, forGood: false },
	unblock: { label: T.unblock, why: T.unblockWhy, forGood: false },
	replace: { label: T.replace, why: T.replaceWhy, forGood: true },
	cancel: { label: T.cancel, why: T.cancelWhy, forGood: true },
} as const;

/** A purchase code of any partner: its stored facts, and ops' actions on it. */
export const codePages = [
	page("/codes", { trips: 1 }, async (c) => {
		const typed = c.req.query("code") ?? "";
		const facts = typed ? await findCode(c.get("platform"), typed) : null;
		if (facts) return c.redirect(`/ops/console/codes/${facts.code}`, 303);
		const label = T.findCode;
		return showSearch(c, { title: OPS_CONSOLE.codes, path: "/codes", name: "code", label, typed });
	}),

	page("/codes/:code", { trips: 2 }, async (c) => {
		const facts = await find(c);
		return facts ? showCode(c, facts) : errorAnswer(c, "not_found");
	}),

	post("/codes/:code", {}, async (c, form) => {
		const facts = await find(c);
		if (!facts) return errorAnswer(c, "not_found");
		const verb = form.text("verb");
		const problems = {
			...(!isVerb(verb) && { verb: sayIn(c)(T.chooseAction) }),
			...(isVerb(verb) && VERBS[verb].forGood && !form.text("understood") && confirmation(c)),
		};
		const read = codeChange.safeParse({
			reason: form.text("reason"),
			revocation_reason: form.text("revocation_reason") || undefined,
		});
		if (!isVerb(verb) || !read.success || Object.keys(problems).length > 0)
			return showCode(
				c,
				facts,
				{ ...(read.error && problemsOf(c, read.error)), ...problems },
				{ verb, reason: form.text("reason") },
			);
		const { reason, revocation_reason: revocationReason } = read.data;
		const caller = onBehalfOf(opsCaller(c), await homeOf(c.get("platform"), facts.partnerId));
		if (verb === "replace") {
			const replaced = await replaceCode(caller, facts.code, reason);
			if (replaced.kind === "rejected")
				return goBack(`/codes/${facts.code}`, { problem: replaced.rejection.reason });
			return goBack(`/codes/${replaced.replacement}`, "replacement");
		}
		const answer = await changeCode(caller, facts.code, { verb, reason, revocationReason });
		const outcome = answer.kind === "rejected" ? { problem: answer.rejection.reason } : undefined;
		return goBack(`/codes/${facts.code}`, outcome);
	}),
];

type FoundCode = NonNullable<Awaited<ReturnType<typeof findCode>>>;

function find(c: Call) {
	return findCode(c.get("platform"), c.req.param("code") ?? "");
}

function isVerb(text: string): text is keyof typeof VERBS {
	return Object.hasOwn(VERBS, text);
}

/** Problem of a box that was not ticked. */
export function confirmation(c: Call): Problems {
	return { understood: sayIn(c)(T.confirm) };
}

async function showCode(c: Call, facts: FoundCode, problems = NO_PROBLEMS, sent = { verb: "", reason: "" }) {
	const partner = await partnerLink(c, facts.partnerId);
	const isReplacement = c.req.query("done") === "replacement";
	const replaced = { kind: "done", text: fill(T.replacement, { code: facts.code }) } as const;
	return show(
		c,
		{
			title: facts.code,
			status: statusOf(problems),
			...(isReplacement && { notice: replaced }),
		},
		<>
			<CodeFactsList c={c} facts={facts} partner={partner} />
			{may(c, "operate") && <ChangeForm c={c} facts={facts} problems={problems} sent={sent} />}
		</>,
	);
}

function CodeFactsList({ c, facts, partner }: { c: Call; facts: FoundCode; partner: Child }) {
	const now = nowFor(opsCaller(c), facts);
	const { code, certificateSerial: serial } = facts;
	const link = (path: string, text: string) => <a href={`/ops/console${path}`}>{text}</a>;
	return (
		<CodeFacts
			c={c}
			code={facts}
			now={now}
			nothing={OPS_CONSOLE.nothing}
			words={{ ...T, usableUntil: T.window }}
			own={[
				[OPS_CONSOLE.partner, [partner, ahead(c, facts)]],
				[T.processing, yesOrNo(c, processing(facts, now) === 1)],
			]}
			more={[
				[T.itsCertificate, serial && link(`/certificates/${serial}`, serial)],
				[T.failures, `${facts.validationFailures}, ${facts.claimFailures}`],
				[T.locks, `${facts.validationLocks}, ${facts.claimLocks}`],
				[OPS_CONSOLE.changed, when(c, facts.updatedAt)],
				[T.itsAudit, link(`/audit/chain?entity=code:${code}`, `code:${code}`)],
			]}
		/>
	);
}

interface ChangeFormProps {
	c: Call;
	facts: FoundCode;
	problems: Problems;
	sent: { verb: string; reason: string };
}

function ChangeForm({ c, facts, problems, sent: { verb, reason } }: ChangeFormProps) {
	const say = sayIn(c);
	const now = nowFor(opsCaller(c), facts);
	const verbs = Object.entries(VERBS)
		.filter(([verb]) => verb === "replace" || decideOps(verb as OpsVerb, facts, now).kind !== "rejected")
		.map(([value, { label, why }]) => ({ value, label: say(label), hint: say(why) }));
	return (
		<PostForm action={`/ops/console/codes/${facts.code}`} csrf={c.get("csrf")}>
			<h2>{say(OPS_CONSOLE.action)}</h2>
			<Choices
				name="verb"
				label={say(OPS_CONSOLE.action)}
				options={verbs}
				chosen={[verb]}
				one
				problem={problems.verb}
			/>
			<Field
				name="reason"
				label={say(OPS_CONSOLE.reason)}
				hint={say(OPS_CONSOLE.reasonHint)}
				value={reason}
				problem={problems.reason}
				required
				maxlength={128}
			/>
			<RevocationReasons c={c} label={say(T.cancelReason)} value={DEFAULT_REVOCATION_REASON} />
			<Understood c={c} problem={problems.understood} />
			<button type="submit">{say(OPS_CONSOLE.doIt)}</button>
		</PostForm>
	);
}

/** RFC 5280's names, which are the same in every language. */
export function RevocationReasons({ c, label, value }: { c: Call; label: string; value: string }) {
	const options = REVOCATION_REASONS.map((reason) => ({ value: reason, label: reason }));
	return (
		<Select name="revocation_reason" label={label} hint={sayIn(c)(T.rfc)} options={options} value={value} />
	);
}

/** A box to tick before an irreversible action. */
export function Understood({ c, problem }: { c: Call; problem: string | undefined }) {
	const label = sayIn(c)(T.understood);
	return (
		<Choices
			name="understood"
			label={sayIn(c)(T.confirmation)}
			options={[{ value: "1", label }]}
			chosen={[]}
			problem={problem}
		/>
	);
}
