import { holderSearch } from "../../api/ops/holders.ts";
import type { HeldCode } from "../../db/holders-across-partners.ts";
import { listStatus } from "../../domain/status-tables.ts";
import { onBehalfOf, opsCaller } from "../../services/caller.ts";
import { type FoundHolder, findAgain, findHolder } from "../../services/find-holder.ts";
import { OPS_CODES, OPS_CONSOLE } from "../../texts/ops-console.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Notice, Table } from "../kit/parts.tsx";
import { NO_PROBLEMS, problemsOf } from "../kit/problems.ts";
import { page, pageOnce, post, show } from "./console.tsx";
import { ahead, when } from "./words.tsx";

/** Digits that tell the certificates of one person apart; the whole number is on the certificate's page. */
const SERIAL_SHOWN = 8;

const EMPTY = { dni: "", reason: "" };

/** A holder by RUT. The RUT is posted, and in no address; every search is in the audit. */
export const holderPages = [
	page("/holders", { right: "operate", trips: 0 }, (c) => showSearch(c, EMPTY)),

	post("/holders", {}, async (c, form) => {
		const sent = { dni: form.text("dni"), reason: form.text("reason") };
		const read = holderSearch.safeParse(sent);
		if (!read.success) return showSearch(c, sent, problemsOf(c, read.error));
		const { dni: rut, reason } = read.data;
		await findHolder(opsCaller(c), { rut, reason });
		return { to: "/ops/console/holders/found", shown: { dni: rut, reason } satisfies typeof EMPTY };
	}),

	pageOnce<typeof EMPTY>("/holders/found", { right: "operate", trips: 2 }, async (c, { shown }) =>
		showSearch(c, shown, NO_PROBLEMS, await findAgain(opsCaller(c), shown.dni)),
	),
];

function showSearch(c: Call, sent: typeof EMPTY, problems = NO_PROBLEMS, found?: FoundHolder) {
	const say = sayIn(c);
	return show(
		c,
		{ title: OPS_CONSOLE.holders, status: problems === NO_PROBLEMS ? 200 : 400 },
		<>
			<p>{say(OPS_CODES.holderWhy)}</p>
			<PostForm action="/ops/console/holders" csrf={c.get("csrf")}>
				<Field
					name="dni"
					label={say(OPS_CODES.holder)}
					value={sent.dni}
					problem={problems.dni}
					required
					maxlength={16}
				/>
				<Field
					name="reason"
					label={say(OPS_CONSOLE.reason)}
					hint={say(OPS_CONSOLE.reasonHint)}
					value={sent.reason}
					problem={problems.reason}
					required
					maxlength={128}
				/>
				<button type="submit">{say(OPS_CONSOLE.find)}</button>
			</PostForm>
			{found && <Found c={c} rut={sent.dni} found={found} />}
		</>,
	);
}

function Found({ c, rut, found: { codes, more } }: { c: Call; rut: string; found: FoundHolder }) {
	const say = sayIn(c);
	const columns = [
		...[OPS_CONSOLE.code, OPS_CONSOLE.partner, OPS_CONSOLE.product, OPS_CONSOLE.state],
		...[OPS_CODES.issued, OPS_CODES.validUntil, OPS_CODES.revoked, OPS_CODES.itsCertificate],
	];
	return (
		<>
			{more && <Notice kind="warning">{say(OPS_CODES.heldMore)}</Notice>}
			<Table
				caption={`${say(OPS_CODES.held)}: ${rut}`}
				columns={columns.map(say)}
				rows={codes.map((held) => rowOf(c, held))}
				empty={say(OPS_CODES.heldNone)}
			/>
		</>
	);
}

function rowOf(c: Call, held: HeldCode) {
	const { code, partnerId, partnerName, product, certificateSerial: serial } = held;
	return [
		<Copyable text={code} href={`/ops/console/codes/${code}`} language={c.get("language")} />,
		[<a href={`/ops/console/partners/${partnerId}`}>{partnerName}</a>, ahead(c, held)],
		product,
		<StatusBadge c={c} status={listStatus(held, onBehalfOf(opsCaller(c), partnerId, held).now)} />,
		when(c, held.issuedAt),
		when(c, held.certificateNotAfter),
		when(c, held.revokedAt),
		serial === null ? (
			""
		) : (
			<a href={`/ops/console/certificates/${serial}`}>{`${serial.slice(0, SERIAL_SHOWN)}…`}</a>
		),
	];
}
