import { REQUEST_KINDS, REQUEST_MAX } from "../../domain/holder-requests.ts";
import { readableDate, readableTime } from "../../texts/dates.ts";
import {
	KEPT_BESIDES,
	KEPT_WHY,
	REQUEST_KIND_TEXTS,
	REQUEST_OUTCOME_TEXTS,
	HOLDER_DATA as T,
} from "../../texts/holder-data.ts";
import { fill } from "../../texts/language.ts";
import type { ShownCode, ShownData, ShownRequest } from "../../wire/holder-data.ts";
import type { Call } from "../kit/call.ts";
import { Choices, Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Card, Facts, Notice, Table } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems, statusOf } from "../kit/problems.ts";
import { addressOf, page, pageOf } from "./layout.ts";
import { Leave } from "./leave.tsx";

export interface DataShown {
	data: ShownData;
	/** Outcome of the form that led here. */
	done?: { kind: "sent" } | { kind: "erased"; erased: number; busy: number } | undefined;
	/** Request to be corrected. */
	sent?: { kind: string; code: string; detail: string } | undefined;
	problems?: Problems;
}

/** Everything that is kept of a holder, and what it may do about it. */
export function dataPage(c: Call, { data, done, sent, problems = NO_PROBLEMS }: DataShown) {
	const say = sayIn(c);
	const { codes, requests, more } = data;
	const at = pageOf(c);
	return page(
		c,
		statusOf(problems),
		T.title,
		<>
			{done && (
				<Notice kind="done">
					<p>{say(done.kind === "sent" ? T.sent : fill(T.erased, done))}</p>
					{done.kind === "erased" && done.busy > 0 && <p>{say(fill(T.busy, done))}</p>}
				</Notice>
			)}
			<p>{say(codes.length > 0 ? T.introduction : T.nothing)}</p>
			{codes.map((code) => (
				<Kept c={c} code={code} />
			))}
			{(more || at > 1) && (
				<p>
					{say(fill(T.partShown, { page: at }))}{" "}
					{at > 1 && <a href={addressOf(c, "/datos", { page: `${at - 1}` })}>{say(T.earlier)}</a>}{" "}
					{more && <a href={addressOf(c, "/datos", { page: `${at + 1}` })}>{say(T.later)}</a>}
				</p>
			)}
			<Table
				caption={say(T.besides)}
				columns={[T.what, T.forWhat, T.untilWhen].map(say)}
				rows={Object.values(KEPT_BESIDES).map((texts) => texts.map(say))}
				empty=""
			/>
			<p>
				<a href={addressOf(c, "/datos/archivo")} download="mis-datos.json">
					{say(T.download)}
				</a>
			</p>
			{requests.length > 0 && (
				<Table
					caption={say(T.requests)}
					columns={[T.asked, T.code, T.request, T.answer].map(say)}
					rows={requests.map((request) => requestRow(c, request))}
					empty=""
				/>
			)}
			{codes.length > 0 && (
				<>
					<Ask c={c} codes={codes} sent={sent} problems={problems} />
					<Erase c={c} codes={codes} problems={problems} />
				</>
			)}
			<p>
				<a href={addressOf(c, "/certificado")}>{say(T.back)}</a>
			</p>
			<Leave c={c} />
		</>,
	);
}

function Kept({ c, code }: { c: Call; code: ShownCode }) {
	const say = sayIn(c);
	const language = c.get("language");
	const day = (time: string) => readableDate(Date.parse(time), language);
	const { certificate, terms_version: version, terms_accepted_at: at } = code;
	const facts: [string, string | null][] = [
		[say(T.name), code.rut === null ? say(T.unopenable) : code.name],
		["RUT", code.rut],
		["E-mail", code.email],
		[say(T.phone), code.phone],
		[say(T.copy), code.copy_email],
		[say(T.validated), readableTime(Date.parse(code.validated_at), language)],
		[say(T.terms), version && at && say(fill(T.termsValue, { version, at: day(at) }))],
		[say(T.renews), code.renews],
		[say(T.reference), code.external_reference_id],
		[say(T.pin), code.pin_hash_kept ? say(T.pinKept) : null],
		[say(T.failed), code.failed_validations > 0 ? String(code.failed_validations) : null],
		[
			say(T.certificate),
			certificate &&
				say(
					fill(T.certificateValue, {
						serial: certificate.serialNumber,
						to: day(certificate.validTo ?? certificate.issued_at),
					}),
				),
		],
		[say(T.pictures), code.pictures.map(({ created_at }) => day(created_at)).join(", ") || null],
		[say(T.deliveries), code.deliveries.length > 0 ? String(code.deliveries.length) : null],
		[say(T.why), say(fill(KEPT_WHY[code.kept_for], { until: day(code.kept_until) }))],
	];
	return (
		<Card title={say(fill(T.soldBy, { code: code.p_code, partner: code.seller }))}>
			<Facts facts={facts.filter(([, value]) => value !== null)} />
		</Card>
	);
}

function requestRow(c: Call, { asked_at, p_code, kind, detail, answer_by, outcome, answer }: ShownRequest) {
	const say = sayIn(c);
	const language = c.get("language");
	const by = readableDate(Date.parse(answer_by), language);
	return [
		readableDate(Date.parse(asked_at), language),
		p_code,
		`${say(REQUEST_KIND_TEXTS[kind])}: ${detail ?? say(T.unopenable)}`,
		outcome
			? `${say(REQUEST_OUTCOME_TEXTS[outcome])}: ${answer ?? say(T.unopenable)}`
			: say(fill(T.pending, { at: by })),
	];
}

interface FormProps extends Pick<DataShown, "sent"> {
	c: Call;
	codes: readonly ShownCode[];
	problems: Problems;
}

function Ask({ c, codes, sent, problems }: FormProps) {
	const say = sayIn(c);
	const empty = { value: "", label: "" };
	const [only] = codes;
	return (
		<Card title={say(T.askTitle)}>
			<p>{say(T.askHint)}</p>
			<PostForm action={addressOf(c, "/datos/solicitud")} csrf={c.get("csrf")} novalidate>
				<Select
					name="kind"
					label={say(T.kind)}
					options={[
						empty,
						...REQUEST_KINDS.map((value) => ({ value, label: say(REQUEST_KIND_TEXTS[value]) })),
					]}
					value={sent?.kind}
					problem={problems.kind}
				/>
				<Select
					name="p_code"
					label={say(T.code)}
					options={[
						empty,
						...codes.map(({ p_code, seller }) => ({ value: p_code, label: `${p_code}, ${seller}` })),
					]}
					value={sent?.code ?? (codes.length === 1 ? only!.p_code : "")}
					problem={problems.p_code}
				/>
				<Field
					name="detail"
					label={say(T.detail)}
					value={sent?.detail ?? ""}
					problem={problems.detail}
					rows={4}
					required
					maxlength={REQUEST_MAX}
				/>
				<button type="submit">{say(T.send)}</button>
			</PostForm>
		</Card>
	);
}

function Erase({ c, codes, problems }: FormProps) {
	const say = sayIn(c);
	return (
		<Card title={say(T.eraseTitle)}>
			{codes.every(({ kept_for }) => kept_for !== "claim") ? (
				<p>{say(T.nothingToErase)}</p>
			) : (
				<>
					<p>{say(T.eraseHint)}</p>
					<PostForm action={addressOf(c, "/datos/borrar")} csrf={c.get("csrf")} novalidate>
						<Choices
							name="understood"
							options={[{ value: "1", label: say(T.understand) }]}
							chosen={[]}
							problem={problems.understood}
						/>
						<button type="submit">{say(T.erase)}</button>
					</PostForm>
				</>
			)}
		</Card>
	);
}
