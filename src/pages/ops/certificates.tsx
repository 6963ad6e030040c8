import { homeOf } from "../../directory.ts";
import type { CertificateFacts as Certificate } from "../../domain/decide-revocation.ts";
import { validityAt } from "../../domain/validity.ts";
import { errorAnswer } from "../../http/errors.ts";
import { revocationReason } from "../../http/revocation-field.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { findTypedCertificate, revokeCertificate } from "../../services/revoke-certificate.ts";
import { OPS_CONSOLE, OPS_CODES as T } from "../../texts/ops-console.ts";
import { Badge, StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { CertificateFacts } from "../kit/code-facts.tsx";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { NO_PROBLEMS, statusOf } from "../kit/problems.ts";
import { confirmation, RevocationReasons, Understood } from "./codes.tsx";
import { goBack, may, page, post, show } from "./console.tsx";
import { partnerLink } from "./partners.tsx";
import { showSearch } from "./search.tsx";
import { when } from "./words.tsx";

/** A certificate of any partner by its serial; revoking it does not change its code. */
export const certificatePages = [
	page("/certificates", { trips: 1 }, async (c) => {
		const typed = c.req.query("serial") ?? "";
		const facts = typed ? await findTypedCertificate(c.get("platform"), typed) : null;
		if (facts) return c.redirect(`/ops/console/certificates/${facts.serial}`, 303);
		const label = T.findCertificate;
		const title = OPS_CONSOLE.certificates;
		return showSearch(c, { title, path: "/certificates", name: "serial", label, typed });
	}),

	page("/certificates/:serial", { trips: 2 }, async (c) => {
		const facts = await find(c);
		return facts ? showCertificate(c, facts) : errorAnswer(c, "not_found");
	}),

	post("/certificates/:serial", {}, async (c, form) => {
		const facts = await find(c);
		if (!facts) return errorAnswer(c, "not_found");
		const reason = revocationReason.safeParse(form.text("revocation_reason"));
		if (!form.text("understood") || !reason.success) return showCertificate(c, facts, confirmation(c));
		const caller = onBehalfOf(opsCaller(c), await homeOf(c.get("platform"), facts.partnerId));
		const answer = await revokeCertificate(caller, facts, reason.data);
		const outcome = answer.kind === "rejected" ? { problem: answer.rejection.reason } : undefined;
		return goBack(`/certificates/${facts.serial}`, outcome);
	}),
];

function find(c: Call) {
	return findTypedCertificate(c.get("platform"), c.req.param("serial") ?? "");
}

async function showCertificate(c: Call, facts: Certificate, problems = NO_PROBLEMS) {
	const say = sayIn(c);
	const { serial, code, revokedAt, revocationReason } = facts;
	const partner = await partnerLink(c, facts.partnerId);
	const link = (path: string, text: string) => <a href={`/ops/console${path}`}>{text}</a>;
	return show(
		c,
		{ title: serial, status: statusOf(problems) },
		<>
			<CertificateFacts
				c={c}
				certificate={facts}
				nothing={OPS_CONSOLE.nothing}
				reason={revocationReason}
				words={{ validity: OPS_CONSOLE.state, reason: T.revocationReason }}
				validity={<State c={c} certificate={facts} />}
				own={[
					[OPS_CONSOLE.partner, partner],
					[OPS_CONSOLE.code, link(`/codes/${code}`, code)],
					[T.issued, when(c, facts.issuedAt)],
				]}
				more={[[T.renews, facts.renews ? link(`/certificates/${facts.renews}`, facts.renews) : null]]}
			/>
			{revokedAt === null && may(c, "operate") && (
				<PostForm action={`/ops/console/certificates/${serial}`} csrf={c.get("csrf")}>
					<h2>{say(T.revoke)}</h2>
					<p>{say(T.revokeWhy)}</p>
					<RevocationReasons c={c} label={say(T.revocationReason)} value="unspecified" />
					<Understood c={c} problem={problems.understood} />
					<button type="submit" class="danger">
						{say(T.revoke)}
					</button>
				</PostForm>
			)}
		</>,
	);
}

function State({ c, certificate }: { c: Call; certificate: Certificate }) {
	const { issuedAt, notAfter, revokedAt } = certificate;
	if (issuedAt === null || notAfter === null) return <Badge tone="quiet">{sayIn(c)(T.neverIssued)}</Badge>;
	return <StatusBadge c={c} status={validityAt({ notAfter, revokedAt }, c.get("platform").clock())} />;
}
