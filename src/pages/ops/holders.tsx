import { holderSearch } from "../../api/ops/holders.ts";
import type { HeldCode } from "../../db/holders-across-partners.ts";
import { listStatus } from "../../domain/status-tables.ts";
import { nowFor, opsCaller } from "../../services/caller.ts";
import { type FoundHolder, findAgain, findHolder, foundCodes } from "../../services/find-holder.ts";
import { type Erasure, eraseHolderData, showHolderData } from "../../services/holder-data.ts";
import { countRequests } from "../../services/holder-requests.ts";
import { fill } from "../../texts/language.ts";
import { OPS_CODES, OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_HOLDERS as T } from "../../texts/ops-holders.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import type { Done } from "../kit/first-answer.ts";
import { Choices, Field, PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Notice, Table } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems, problemsOf, statusOf } from "../kit/problems.ts";
import type { Form } from "../kit/read-form.ts";
import { page, pageOnce, post, show } from "./console.tsx";
import { ahead, when } from "./words.tsx";

/** Digits that tell the certificates of one person apart; the whole number is on the certificate's page. */
const SERIAL_SHOWN = 8;

interface Searched {
	dni: string;
	reason: string;
	/** Which hundred of the codes. */
	page?: number | undefined;
	/** Outcome of an erasure. */
	erased?: Record<Erasure, number>;
}

const EMPTY: Searched = { dni: "", reason: "" };

/** A holder by RUT. The RUT is posted, and in no address; every search is in the audit. */
export const holderPages = [
	page("/holders", { right: "operate", trips: 1 }, (c) => showSearch(c, EMPTY)),

	search("/holders", async (c, sent) => {
		await findHolder(opsCaller(c), { ...sent, rut: sent.dni });
		return { to: "/ops/console/holders/found", shown: sent };
	}),

	pageOnce<Searched>("/holders/found", { right: "operate", trips: 3 }, async (c, { shown }) =>
		showSearch(c, shown, NO_PROBLEMS, await findAgain(opsCaller(c), { ...shown, rut: shown.dni })),
	),

	search("/holders/data", async (c, sent) => {
		await findHolder(opsCaller(c), { ...sent, rut: sent.dni }, "holder_shown");
		return { to: "/ops/console/holders/data", shown: sent };
	}),

	pageOnce<Searched>("/holders/data", { right: "operate", trips: 3 }, async (c, { shown }) => {
		const found = await findAgain(opsCaller(c), { ...shown, rut: shown.dni });
		const { codes, requests, more } = await showHolderData(c.get("platform"), foundCodes(found), "ops");
		const say = sayIn(c);
		return show(
			c,
			{ title: say(T.shown) },
			<>
				<p>RUT {shown.dni}</p>
				<p>{say(T.masked)}</p>
				{more && <More c={c} action="/data" sent={shown} />}
				<Card title={say(T.json)}>
					<pre class="scroll">{JSON.stringify({ codes, requests }, null, 2)}</pre>
				</Card>
			</>,
		);
	}),

	search("/holders/erase", async (c, { dni: rut, reason }, form) => {
		const caller = opsCaller(c);
		if (form.text("understood") !== "1") {
			const problems = { understood: sayIn(c)(OPS_CODES.confirm) };
			return showSearch(c, { dni: rut, reason }, problems, await findAgain(caller, { rut }));
		}
		const found = await findHolder(caller, { rut, reason }, "holder_erasure_asked");
		const erasures = await eraseHolderData(caller, foundCodes(found).codes);
		const count = (kind: Erasure) => erasures.filter((erasure) => erasure === kind).length;
		const erased = { erased: count("erased"), kept: count("kept"), busy: count("busy") };
		return {
			to: "/ops/console/holders/found",
			shown: { dni: rut, reason, erased } satisfies Searched,
		};
	}),
];

/** Declares a form that names a holder and the reason of the search; what was sent wrong is shown again. */
function search(
	path: string,
	answer: (c: Call, sent: Searched, form: Form) => Promise<Response | Done>,
): ReturnType<typeof post> {
	return post(path, {}, async (c, form) => {
		const page = form.text("page");
		const sent = { dni: form.text("dni"), reason: form.text("reason"), ...(page && { page: Number(page) }) };
		const read = holderSearch.safeParse(sent);
		return read.success ? answer(c, read.data, form) : showSearch(c, sent, problemsOf(c, read.error));
	});
}

async function showSearch(c: Call, sent: Searched, problems = NO_PROBLEMS, found?: FoundHolder) {
	const say = sayIn(c);
	const open = await countRequests(opsCaller(c));
	return show(
		c,
		{ title: OPS_CONSOLE.holders, status: statusOf(problems) },
		<>
			{sent.erased && (
				<Notice kind="done">
					<p>{say(fill(T.erased, sent.erased))}</p>
				</Notice>
			)}
			<p>{say(OPS_CODES.holderWhy)}</p>
			<p>
				<a href="/ops/console/holders/requests">{say(fill(T.requestsOpen, { open }))}</a>
			</p>
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
			{found && <Found c={c} sent={sent} found={found} />}
			{found && found.codes.length > 0 && <Acts c={c} sent={sent} problems={problems} />}
		</>,
	);
}

/** Asks for the next hundred codes, for the reason of the search. */
function More({ c, action, sent }: { c: Call; action: "" | "/data"; sent: Searched }) {
	const { dni, reason, page = 1 } = sent;
	return (
		<Notice kind="warning">
			<PostForm action={`/ops/console/holders${action}`} csrf={c.get("csrf")}>
				{Object.entries({ dni, reason, page: page + 1 }).map(([name, value]) => (
					<input type="hidden" name={name} value={value} />
				))}
				{sayIn(c)(OPS_CODES.heldMore)} <button type="submit">{sayIn(c)(OPS_CODES.heldNext)}</button>
			</PostForm>
		</Notice>
	);
}

function Found({ c, sent, found: { codes, more } }: { c: Call; sent: Searched; found: FoundHolder }) {
	const say = sayIn(c);
	const columns = [
		...[OPS_CONSOLE.code, OPS_CONSOLE.partner, OPS_CONSOLE.product, OPS_CONSOLE.state],
		...[OPS_CODES.issued, OPS_CODES.validUntil, OPS_CODES.revoked, OPS_CODES.itsCertificate],
	];
	return (
		<>
			{more && <More c={c} action="" sent={sent} />}
			<Table
				caption={`${say(OPS_CODES.held)}: ${sent.dni}`}
				columns={columns.map(say)}
				rows={codes.map((held) => rowOf(c, held))}
				empty={say(OPS_CODES.heldNone)}
			/>
		</>
	);
}

/** Forms of what may be done about the holder that was found, each for the reason of the search. */
function Acts({ c, sent: { dni, reason, page }, problems }: { c: Call; sent: Searched; problems: Problems }) {
	const say = sayIn(c);
	const who = (
		<>
			<input type="hidden" name="dni" value={dni} />
			<input type="hidden" name="reason" value={reason} />
		</>
	);
	return (
		<>
			<PostForm action="/ops/console/holders/data" csrf={c.get("csrf")}>
				{who}
				{page && <input type="hidden" name="page" value={page} />}
				<button type="submit">{say(T.show)}</button>
			</PostForm>
			<Card title={say(T.erase)}>
				<p>{say(T.eraseWhy)}</p>
				<PostForm action="/ops/console/holders/erase" csrf={c.get("csrf")}>
					{who}
					<Choices
						name="understood"
						options={[{ value: "1", label: say(OPS_CODES.understood) }]}
						chosen={[]}
						problem={problems.understood}
					/>
					<button type="submit">{say(T.erase)}</button>
				</PostForm>
			</Card>
		</>
	);
}

function rowOf(c: Call, held: HeldCode) {
	const { code, partnerId, partnerName, product, certificateSerial: serial } = held;
	return [
		<Copyable text={code} href={`/ops/console/codes/${code}`} language={c.get("language")} />,
		[<a href={`/ops/console/partners/${partnerId}`}>{partnerName}</a>, ahead(c, held)],
		product,
		<StatusBadge c={c} status={listStatus(held, nowFor(opsCaller(c), held))} />,
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
