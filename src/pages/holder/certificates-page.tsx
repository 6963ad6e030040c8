import type { Child } from "hono/jsx";
import type { ShownCertificate } from "../../db/holders-across-partners.ts";
import { readableDate, readableTime } from "../../texts/dates.ts";
import { HOLDER_REASONS, HOLDER_PAGE as T } from "../../texts/holder-page.ts";
import { fill } from "../../texts/language.ts";
import type { Call } from "../kit/call.ts";
import { Choices, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Notice } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems, statusOf } from "../kit/problems.ts";
import { addressOf, page } from "./layout.ts";
import { Leave } from "./leave.tsx";
import { RevocationReceipt } from "./revocation-receipt.tsx";

interface Revocation {
	/** The one that was revoked just now. */
	done?: ShownCertificate | undefined;
	/** Choice to be corrected. */
	sent?: { serial: string; why: string };
	problems?: Problems;
}

export interface ShownCertificates {
	certificates: readonly ShownCertificate[];
	/** Every database has answered lately, so none is left out. */
	isWhole: boolean;
}

/** The certificates and the reasons. */
export function certificatesPage(
	c: Call,
	{ certificates, isWhole }: ShownCertificates,
	{ done, sent, problems = NO_PROBLEMS }: Revocation = {},
) {
	const say = sayIn(c);
	const open = certificates.filter(({ revokedAt }) => revokedAt === null);
	const closed = certificates.filter(({ revokedAt }) => revokedAt !== null);
	return page(
		c,
		statusOf(problems),
		done ? T.done : T.listTitle,
		<>
			{done ? (
				<>
					<Notice kind="done">
						<p>{say(fill(T.doneNext, { partner: done.partnerName }))}</p>
					</Notice>
					<RevocationReceipt c={c} certificate={done} />
				</>
			) : (
				<p>{say(T.listIntroduction)}</p>
			)}
			{!isWhole && (
				<Notice kind="problem">
					<p>{say(T.incomplete)}</p>
				</Notice>
			)}
			{closed
				.filter((certificate) => certificate !== done)
				.map((certificate) => (
					<p class="choice">
						<span>{describe(c, certificate)}</span>
					</p>
				))}
			{open.length === 0 ? (
				isWhole && <p>{say(T.noneLeft)}</p>
			) : (
				<PostForm action={addressOf(c, "/certificado")} csrf={c.get("csrf")} novalidate>
					<Choices
						name="serial"
						label={say(T.listTitle)}
						options={open.map((one) => ({ value: one.serial, label: describe(c, one) }))}
						chosen={open.length === 1 ? [open[0]!.serial] : [sent?.serial ?? ""]}
						one
						problem={problems.serial}
					/>
					<Select
						name="why"
						label={say(T.reason)}
						options={[
							{ value: "", label: "" },
							...Object.entries(HOLDER_REASONS).map(([value, text]) => ({ value, label: say(text) })),
						]}
						value={sent?.why}
						problem={problems.why}
					/>
					<Choices
						name="understood"
						options={[{ value: "1", label: say(T.understand) }]}
						chosen={[]}
						problem={problems.understood}
					/>
					<button type="submit">{say(T.revoke)}</button>
				</PostForm>
			)}
			<p>
				<a href={addressOf(c, "/datos")}>{say(T.toData)}</a>
			</p>
			<Leave c={c} />
		</>,
	);
}

function describe(c: Call, certificate: ShownCertificate): Child {
	const { serial, partnerName, issuedAt, notAfter, revokedAt } = certificate;
	const say = sayIn(c);
	const language = c.get("language");
	const [from, to] = [readableDate(issuedAt, language), readableDate(notAfter, language)];
	return (
		<>
			<b>{say(fill(T.soldBy, { partner: partnerName }))}</b>
			{say(fill(T.dates, { from, to }))}
			<br />
			{say(fill(T.serial, { serial }))}
			{revokedAt !== null && (
				<>
					<br />
					{say(fill(T.revokedOn, { at: readableTime(revokedAt, language) }))}
				</>
			)}
		</>
	);
}
