import type { Child } from "hono/jsx";
import type { OwnCertificate } from "../../db/own-codes.ts";
import { PAGE_SIZE_MAX } from "../../domain/limits.ts";
import { VALIDITIES, validityAt } from "../../domain/validity.ts";
import { rut } from "../../http/holder-fields.ts";
import { partnerCaller } from "../../services/caller.ts";
import { listCertificates, searchCertificates } from "../../services/list-certificates.ts";
import { LISTS } from "../../texts/console-find.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import type { Text } from "../../texts/language.ts";
import { STATUS_WORDS } from "../../texts/status-words.ts";
import { certificateQuery } from "../../wire/certificate.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { DayField, ListForm } from "../kit/list-form.tsx";
import { Nothing } from "../kit/nothing.tsx";
import { Table, Time } from "../kit/parts.tsx";
import { SerialLink } from "./code-details.tsx";
import { page, pageOnce, post, show } from "./console.ts";
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
		const validities = VALIDITIES.map((value) => ({ value, label: say(STATUS_WORDS[value].name) }));
		return show(
			c,
			{ title: T.certificates, notice },
			<>
				<ListForm c={c} path={PATH} limit={sent.limit}>
					<Select
						name="validity"
						label={say(LABELS.validity)}
						options={[{ value: "", label: say(LISTS.any) }, ...validities]}
						value={sent.validity}
					/>
					<DayField name="expiring_before" label={say(LABELS.expiring_before)} value={sent.expiring_before} />
				</ListForm>
				<Certificates
					c={c}
					certificates={page}
					now={caller.now}
					empty={<Nothing c={c} of="certificates" clear={Object.keys(sent).length > 0 ? PATH : null} />}
				/>
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
		const caller = partnerCaller(c);
		const { page } = await searchCertificates(caller, { dni, limit: PAGE_SIZE_MAX });
		return show(
			c,
			{ title: T.search },
			<>
				<Certificates c={c} certificates={page} now={caller.now} empty={<Nothing c={c} of="ofRut" />} />
				<Search c={c} />
			</>,
		);
	}),
];

interface CertificatesProps {
	c: Call;
	certificates: readonly OwnCertificate[];
	/** The partner's time. */
	now: number;
	caption?: Text;
	/** Shown in place of a list without rows. */
	empty?: Child;
}

export function Certificates({
	c,
	certificates,
	now,
	caption = T.certificatesOrder,
	empty = "",
}: CertificatesProps) {
	const say = sayIn(c);
	const locale = c.get("language");
	const rows: Child[][] = certificates.map((certificate) => [
		<SerialLink c={c} serial={certificate.serial} />,
		<Copyable text={certificate.code} language={locale} href={`/console/codes/${certificate.code}`} />,
		certificate.product,
		certificate.externalReferenceId ?? "",
		<StatusBadge c={c} status={validityAt(certificate, now)} />,
		<Time at={certificate.notAfter} locale={locale} />,
	]);
	return (
		<Table
			caption={say(caption)}
			columns={[T.serial, T.code, T.product, T.reference, T.validity, T.validTo].map(say)}
			rows={rows}
			empty={empty}
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
