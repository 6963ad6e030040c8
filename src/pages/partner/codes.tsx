import { z } from "@hono/zod-openapi";
import {
	COLUMNS,
	type CodesFile,
	codesAsCsv,
	listCodes,
	listQuery,
} from "../../api/partner/purchase-codes/list.ts";
import type { ListedCode } from "../../db/list-purchase-codes.ts";
import { expiresAt } from "../../domain/code-facts.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import { LIST_STATUSES, listStatus } from "../../domain/status-tables.ts";
import { limitBulk } from "../../http/rate-limit.ts";
import { LISTS } from "../../texts/console-find.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { PRODUCT_NAMES } from "../../texts/console-words.ts";
import { sheetTime } from "../../texts/dates.ts";
import { fill, type Text } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { STATUS_WORDS } from "../../texts/status-words.ts";
import { presentListedCode } from "../../wire/purchase-code.ts";
import { StatusBadge } from "../kit/badge.tsx";
import type { Call } from "../kit/call.ts";
import { Copyable } from "../kit/copyable.tsx";
import { Field, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { DayField, ListForm, PageJump } from "../kit/list-form.tsx";
import { Nothing } from "../kit/nothing.tsx";
import { Pager, Table, Time } from "../kit/parts.tsx";
import { page, show } from "./console.ts";
import { addressOf, type Query, readFilters } from "./filters.ts";
import { OrderForm } from "./orders.tsx";

const PATH = "/console/codes";
/** The API's filters and two more (docs/decisions/0022-finding-things.md). */
const codesQuery = listQuery.safeExtend({
	product_code: z.enum(PRODUCT_CODES, "product").optional(),
	sort: z.enum(["newest", "oldest"], "product").optional(),
});
type Asked = z.output<typeof codesQuery>;

const LABELS = {
	status: T.status,
	product_code: T.product,
	external_reference_id: T.reference,
	batch_id: T.batch,
	created_from: T.createdFrom,
	created_to: T.createdTo,
	sort: LISTS.sort,
};

export const codesPages = [
	page("/codes", { trips: 3 }, async (c) => {
		const say = sayIn(c);
		const language = c.get("language");
		const { asked, sent, notice } = readFilters(c, codesQuery, LABELS);
		if (c.req.query("format") === "csv" && !notice) return file(c, asked);
		const { total, codes, page, limit, now } = await listCodes(c, asked);
		const last = Math.max(1, Math.ceil(total / limit));
		if (page > last) return c.redirect(addressOf(PATH, { ...sent, page: String(last) }), 303);
		const { page: _, limit: __, sort: ___, ...filters } = sent;
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
				<CodesTable
					c={c}
					codes={codes}
					now={now}
					caption={fill(T.codesTotal, { total: readableNumber(total, language) })}
					clear={Object.keys(sent).length > 0 ? PATH : null}
				/>
				<Pager locale={language} previous={at(page - 1)} next={at(page + 1)}>
					{say(fill(T.pageOf, { page, last: readableNumber(last, language) }))}
				</Pager>
				{last > 2 && <PageJump c={c} path={PATH} sent={sent} last={last} />}
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
async function file(c: Call, { page: _, limit: __, sort: ___, ...asked }: Asked): Promise<Response> {
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
	const any = { value: "", label: say(LISTS.any) };
	const statuses = LIST_STATUSES.map((value) => ({ value, label: say(STATUS_WORDS[value].name) }));
	const products = PRODUCT_CODES.map((value) => ({ value, label: say(PRODUCT_NAMES[value]) }));
	const sorts = (["newest", "oldest"] as const).map((value) => ({ value, label: say(LISTS[value]) }));
	const text = (name: "external_reference_id" | "batch_id") => (
		<Field name={name} label={say(LABELS[name])} value={sent[name] ?? ""} maxlength={128} />
	);
	const day = (name: "created_from" | "created_to") => (
		<DayField name={name} label={say(LABELS[name])} value={sent[name]} />
	);
	return (
		<ListForm c={c} path={PATH} limit={sent.limit}>
			<Select name="status" label={say(LABELS.status)} options={[any, ...statuses]} value={sent.status} />
			<Select
				name="product_code"
				label={say(LABELS.product_code)}
				options={[any, ...products]}
				value={sent.product_code}
			/>
			{text("external_reference_id")}
			{text("batch_id")}
			{day("created_from")}
			{day("created_to")}
			<Select name="sort" label={say(LABELS.sort)} options={sorts} value={sent.sort} />
		</ListForm>
	);
}

interface CodesTableProps {
	c: Call;
	caption: Text;
	codes: readonly ListedCode[];
	/** The partner's time. */
	now: number;
	/** Address of the list without its filters; null where it has none. */
	clear?: string | null;
}

/** Codes as their partner sees them in a list. */
export function CodesTable({ c, caption, codes, now, clear = null }: CodesTableProps) {
	const say = sayIn(c);
	const language = c.get("language");
	return (
		<Table
			caption={say(caption)}
			columns={[T.code, T.status, T.product, T.reference, T.created, T.usableUntil, T.batch].map(say)}
			rows={codes.map((code) => [
				<Copyable text={code.code} language={language} href={`${PATH}/${code.code}`} />,
				<StatusBadge c={c} status={listStatus(code, now)} />,
				code.product,
				code.externalReferenceId ?? "",
				<Time at={code.createdAt} locale={language} />,
				<Time at={expiresAt(code.createdAt)} locale={language} />,
				<a href={addressOf(PATH, { batch_id: code.batchId })}>{code.batchId}</a>,
			])}
			empty={<Nothing c={c} of="codes" clear={clear} />}
		/>
	);
}
