import { findOwnCertificate, type OwnCertificate } from "../../db/own-codes.ts";
import { readSerial } from "../../domain/certificate-serial.ts";
import { REVOCATION_REASONS } from "../../domain/revocation-reason.ts";
import { errorAnswer } from "../../http/errors.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { revocationReason } from "../../http/revocation-field.ts";
import { partnerCaller } from "../../services/caller.ts";
import { findReceipt } from "../../services/find-receipt.ts";
import { listDeliveries } from "../../services/list-deliveries.ts";
import { revokeOwnCertificate } from "../../services/revoke-certificate.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { PRODUCT_NAMES, REVOCATION_NAMES } from "../../texts/console-words.ts";
import { fill } from "../../texts/language.ts";
import { RECEIPT } from "../../texts/widget-receipt.ts";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems } from "../kit/problems.ts";
import { Receipt } from "../kit/receipt.tsx";
import { OwnCertificateFacts } from "./code-details.tsx";
import { goBack, page, post, show } from "./console.ts";
import { OwnDeliveries } from "./deliveries.tsx";
import { addressOf } from "./filters.ts";
import { Sure, unsure } from "./sure.tsx";

const DELIVERIES_SHOWN = 20;

/** A certificate of the partner by its serial. Its path comes after those of `/certificates` that name something else. */
export const certificatePages = [
	page("/certificates/:serial", { trips: 3 }, (c) => showCertificate(c)),

	page("/certificates/:serial/receipt", { trips: 3 }, async (c) => {
		const certificate = await findAsked(c);
		const receipt = certificate && (await findReceipt(partnerCaller(c), certificate.code));
		if (!receipt) return errorAnswer(c, "not_found");
		return show(
			c,
			{ title: RECEIPT.title },
			<>
				<Receipt c={c} receipt={receipt} />
				<p>
					<a href={`/console/certificates/${receipt.serialNumber}`}>{sayIn(c)(T.certificate)}</a>
				</p>
			</>,
		);
	}),

	post("/certificates/:serial/revoke", {}, async (c, form) => {
		const why = revocationReason.safeParse(form.text("revocation"));
		const problems: Problems = {
			...(!why.success && { revocation: sayIn(c)(T.reasonWrong) }),
			...unsure(c, form, "revoke"),
		};
		if (!why.success || problems.revoke) return showCertificate(c, problems);
		const answer = await revokeOwnCertificate(partnerCaller(c), c.req.param("serial")!, why.data);
		if (answer.kind === "rejected") return rejectionAnswer(c, answer.rejection);
		return goBack(`/certificates/${answer.certificate.serial}`, "revoke");
	}),
];

/** The certificate of this partner that the path names. */
async function findAsked(c: Call): Promise<OwnCertificate | null> {
	const { db, partnerId } = partnerCaller(c);
	const serial = readSerial(c.req.param("serial") ?? "");
	return serial === null ? null : findOwnCertificate(db, partnerId, serial);
}

async function showCertificate(c: Call, problems: Problems = NO_PROBLEMS): Promise<Response> {
	const caller = partnerCaller(c);
	const certificate = await findAsked(c);
	if (!certificate) return errorAnswer(c, "not_found");
	const { code, product, externalReferenceId, revokedAt } = certificate;
	const { page } = await listDeliveries(caller, { p_code: code, limit: DELIVERIES_SHOWN });
	const say = sayIn(c);
	const isWrong = problems !== NO_PROBLEMS;
	const isRevokedNow = c.req.query("done") === "revoke" && revokedAt !== null;
	return show(
		c,
		{
			title: fill(T.oneCertificate, { serial: certificate.serial }),
			status: isWrong ? 400 : 200,
			notice: isWrong
				? { kind: "problem", text: T.notDone }
				: isRevokedNow
					? { kind: "done", text: T.revokedNow }
					: undefined,
		},
		<>
			<OwnCertificateFacts
				c={c}
				certificate={certificate}
				now={caller.now}
				own={[
					[T.code, <Copyable text={code} language={c.get("language")} href={`/console/codes/${code}`} />],
					[T.product, say(PRODUCT_NAMES[product])],
					[T.reference, externalReferenceId],
				]}
			/>
			<p>
				<a href={`/console/certificates/${certificate.serial}/receipt`}>{say(RECEIPT.title)}</a>
			</p>
			<h2>{say(T.itsCodesDeliveries)}</h2>
			<OwnDeliveries c={c} deliveries={page} />
			{page.length === DELIVERIES_SHOWN && (
				<p>
					<a href={addressOf("/console/deliveries", { p_code: code })}>{say(T.itsDeliveries)}</a>
				</p>
			)}
			<RevokeForm c={c} certificate={certificate} problems={problems} />
		</>,
	);
}

interface RevokeFormProps {
	c: Call;
	certificate: OwnCertificate;
	problems?: Problems;
}

/** The form that revokes a certificate which is not revoked yet. */
export function RevokeForm({ c, certificate, problems = NO_PROBLEMS }: RevokeFormProps) {
	if (certificate.revokedAt !== null) return null;
	const say = sayIn(c);
	return (
		<Card title={say(T.revokeTitle)}>
			<p>{say(T.revokeWarning)}</p>
			<PostForm action={`/console/certificates/${certificate.serial}/revoke`} csrf={c.get("csrf")}>
				<Select
					name="revocation"
					label={say(T.reason)}
					options={REVOCATION_REASONS.map((value) => ({ value, label: say(REVOCATION_NAMES[value]) }))}
					problem={problems.revocation}
				/>
				<Sure c={c} name="revoke" problem={problems.revoke} />
				<button class="danger" type="submit">
					{say(T.revoke)}
				</button>
			</PostForm>
		</Card>
	);
}
