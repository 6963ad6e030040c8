import type { Child } from "hono/jsx";
import type { OwnCertificate } from "../../db/own-codes.ts";
import { PAGE_SIZE_MAX } from "../../domain/limits.ts";
import { VALIDITIES, validityAt } from "../../domain/validity.ts";
import { rut } from "../../http/holder-fields.ts";
import { partnerCaller } from "../../services/caller.ts";
import { listCertificates, searchCertificates } from "../../services/list-certificates.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { VALIDITY_NAMES } from "../../texts/console-words.ts";
import { certificateQuery } from "../../wire/certificate.ts";
import type { Call } from "../kit/call.ts";
import { Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Table, Time } from "../kit/parts.tsx";
import { page, pageOnce, post, show } from "./console.ts";
import { DateHint, DESCRIBED } from "./date-hint.tsx";
import { readFilters } from "./filters.ts";
import { ListPager } from "./list-pager.tsx";

const PATH = "/console/certificates";
const LABELS = { validity: T.validity, expiring_before: T.endsBefore };

interface Searched {
	dni: string;
}

export const certificatesPages = [
	page("/certificates", { trips: 2 }, async (c) => {
		const say = sayIn(c);
		const { asked, sent, notice } = readFilters(c, certificateQuery, LABELS);
		const caller = partnerCaller(c);
		const { page, next } = await listCertificates(caller, asked);
		const validities = VALIDITIES.map((value) => ({ value, label: say(VALIDITY_NAMES[value]) }));
		return show(
			c,
			{ title: T.certificates, notice },
			<>
				<form class="filters" method="get" action={PATH}>
					<Select
						name="validity"
						label={say(LABELS.validity)}
						options={[{ value: "", label: say(T.any) }, ...validities]}
						value={sent.validity}
					/>
					<Field
						name="expiring_before"
						label={say(LABELS.expiring_before)}
						value={sent.expiring_before ?? ""}
						{...DESCRIBED}
					/>
					<button type="submit">{say(T.apply)}</button>
					<a href={PATH}>{say(T.clear)}</a>
					<DateHint c={c} />
				</form>
				<Certificates c={c} certificates={page} now={caller.now} />
				<ListPager c={c} path={PATH} sent={sent} next={next} />
				<Search c={c} />
			</>,
		);
	}),

	// The RUT goes in the body, so that no address contains it. Nothing is changed.
	post("/certificates/search", {}, (c, form) => {
		const dni = rut.safeParse(form.text("dni"));
		if (!dni.success) return show(c, { title: T.search, status: 400 }, <Search c={c} wrong />);
		return { to: "/console/certificates/search", shown: { dni: dni.data } satisfies Searched };
	}),

	pageOnce<Searched>("/certificates/search", { trips: 2 }, async (c, { shown: { dni } }) => {
		const _say = sayIn(c);
		const caller = partnerCaller(c);
		const { page } = await searchCertificates(caller, { dni, limit: PAGE_SIZE_MAX });
		return show(
			c,
			{ title: T.search },
			<>
				<Certificates c={c} certificates={page} now={caller.now} />
				<Search c={c} />
			</>,
		);
	}),
];

function Certificates({
	c,
	certificates,
	now,
}: {
	c: Call;
	certificates: readonly OwnCertificate[];
	now: number;
}) {
	const say = sayIn(c);
	const locale = c.get("language");
	const rows: Child[][] = certificates.map((certificate) => [
		<code>{certificate.serial}</code>,
		<a href={`/console/codes/${certificate.code}`}>
			<code>{certificate.code}</code>
		</a>,
		certificate.product,
		certificate.externalReferenceId ?? "",
		say(VALIDITY_NAMES[validityAt(certificate, now)]),
		<Time at={certificate.notAfter} locale={locale} />,
	]);
	return (
		<Table
			caption={say(T.certificatesOrder)}
			columns={[T.serial, T.code, T.product, T.reference, T.validity, T.validTo].map(say)}
			rows={rows}
			empty={say(T.none)}
		/>
	);
}

function Search({ c, wrong = false }: { c: Call; wrong?: boolean }) {
	const say = sayIn(c);
	return (
		<>
			<h2>{say(T.search)}</h2>
			<PostForm action="/console/certificates/search" csrf={c.get("csrf")}>
				<Field
					name="dni"
					label={say(T.rut)}
					hint={say(T.rutHint)}
					problem={wrong ? say(T.rutWrong) : undefined}
					required
					maxlength={16}
				/>
				<button type="submit">{say(T.find)}</button>
			</PostForm>
		</>
	);
}
