import type { z } from "@hono/zod-openapi";
import {
	COLUMNS,
	type CodesFile,
	codesAsCsv,
	listCodes,
	listQuery,
} from "../../api/partner/purchase-codes/list.ts";
import type { ListedCode } from "../../db/list-purchase-codes.ts";
import { expiresAt } from "../../domain/code-facts.ts";
import { LIST_STATUSES, listStatus } from "../../domain/status-tables.ts";
import { limitBulk } from "../../http/rate-limit.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { STATUS_NAMES } from "../../texts/console-words.ts";
import { sheetTime } from "../../texts/dates.ts";
import { fill } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { presentListedCode } from "../../wire/purchase-code.ts";
import type { Call } from "../kit/call.ts";
import { Field, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Pager, Table, Time } from "../kit/parts.tsx";
import { page, show } from "./console.ts";
import { DateHint, DESCRIBED } from "./date-hint.tsx";
import { addressOf, type Query, readFilters } from "./filters.ts";
import { OrderForm } from "./orders.tsx";

const PATH = "/console/codes";
const LABELS = {
	status: T.status,
	external_reference_id: T.reference,
	batch_id: T.batch,
	created_from: T.createdFrom,
	created_to: T.createdTo,
};

export const codesPages = [
	page("/codes", { trips: 3 }, async (c) => {
		const say = sayIn(c);
		const language = c.get("language");
		const { asked, sent, notice } = readFilters(c, listQuery, LABELS);
		if (c.req.query("format") === "csv" && !notice) return file(c, asked);
		const { total, codes, page, limit, now } = await listCodes(c, asked);
		const last = Math.max(1, Math.ceil(total / limit));
		if (page > last) return c.redirect(addressOf(PATH, { ...sent, page: String(last) }), 303);
		const { page: _, limit: __, ...filters } = sent;
		const at = (page: number) =>
			page >= 1 && page <= last ? addressOf(PATH, { ...sent, page: String(page) }) : null;
		return show(
			c,
			{ title: T.codes, notice },
			<>
				<Filters c={c} sent={sent} />
				<p>
					<a href={addressOf(PATH, { ...filters, format: "csv" })}>{say(T.csv)}</a>
					<span class="hint">{say(T.csvLimit)}</span>
				</p>
				<p>
					<a href="#order">{say(T.order)}</a>
				</p>
				<Table
					caption={say(fill(T.codesTotal, { total: readableNumber(total, language) }))}
					columns={[T.code, T.status, T.product, T.reference, T.created, T.usableUntil, T.batch].map(say)}
					rows={codes.map((code) => rowOf(c, code, now))}
					empty={say(T.none)}
				/>
				<Pager locale={language} previous={at(page - 1)} next={at(page + 1)}>
					{say(fill(T.pageOf, { page, last: readableNumber(last, language) }))}
				</Pager>
				<OrderForm c={c} />
			</>,
		);
	}),
];

/** The API's columns, as Excel in Chile opens them: product codes, and times by the clock of Chile. */
const FILE: CodesFile = {
	separator: ";",
	columns: COLUMNS.map((name) => (name === "category" ? "product" : name)),
	present: (code, partnerName, now) => ({
		...presentListedCode(code, partnerName, now),
		product: code.product,
		expires_at: sheetTime(expiresAt(code.createdAt)),
		created_at: sheetTime(code.createdAt),
		updated_at: sheetTime(code.updatedAt),
	}),
};

/** One trip, and one for each thousand codes, made while the file is sent; it counts as the API's does. */
async function file(c: Call, asked: z.output<typeof listQuery>): Promise<Response> {
	let answer: Response | undefined;
	const refused = await limitBulk.middleware(c, async () => {
		answer = (await codesAsCsv(c, asked, FILE)) ?? (await refuseFile(c));
	});
	return refused ?? answer!;
}

function refuseFile(c: Call) {
	const say = sayIn(c);
	return show(
		c,
		{ title: T.csv, status: 400, notice: { kind: "problem", text: T.csvLimit } },
		<a href={PATH}>{say(T.backToCodes)}</a>,
	);
}

function Filters({ c, sent }: { c: Call; sent: Query }) {
	const say = sayIn(c);
	const statuses = LIST_STATUSES.map((value) => ({ value, label: say(STATUS_NAMES[value]) }));
	return (
		<form class="filters" method="get" action={PATH}>
			<Select
				name="status"
				label={say(LABELS.status)}
				options={[{ value: "", label: say(T.any) }, ...statuses]}
				value={sent.status}
			/>
			<Field
				name="external_reference_id"
				label={say(LABELS.external_reference_id)}
				value={sent.external_reference_id ?? ""}
				maxlength={128}
			/>
			<Field name="batch_id" label={say(LABELS.batch_id)} value={sent.batch_id ?? ""} maxlength={128} />
			<Field
				name="created_from"
				label={say(LABELS.created_from)}
				value={sent.created_from ?? ""}
				{...DESCRIBED}
			/>
			<Field name="created_to" label={say(LABELS.created_to)} value={sent.created_to ?? ""} {...DESCRIBED} />
			<button type="submit">{say(T.apply)}</button>
			<a href={PATH}>{say(T.clear)}</a>
			<DateHint c={c} />
		</form>
	);
}

function rowOf(c: Call, code: ListedCode, now: number) {
	const say = sayIn(c);
	const locale = c.get("language");
	return [
		<a href={`${PATH}/${code.code}`}>
			<code>{code.code}</code>
		</a>,
		say(STATUS_NAMES[listStatus(code, now)]),
		code.product,
		code.externalReferenceId ?? "",
		<Time at={code.createdAt} locale={locale} />,
		<Time at={expiresAt(code.createdAt)} locale={locale} />,
		<a href={addressOf(PATH, { batch_id: code.batchId })}>{code.batchId}</a>,
	];
}
