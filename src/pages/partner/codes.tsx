import type { z } from "@hono/zod-openapi";
import { codesAsCsv, listCodes, listQuery } from "../../api/partner/purchase-codes/list.ts";
import type { ListedCode } from "../../db/list-purchase-codes.ts";
import { expiresAt } from "../../domain/code-facts.ts";
import { BULK_MAX } from "../../domain/limits.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import { LIST_STATUSES, listStatus } from "../../domain/status-tables.ts";
import { invalidField } from "../../http/api.ts";
import { limitBulk } from "../../http/rate-limit.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { PRODUCT_NAMES, STATUS_NAMES } from "../../texts/console-words.ts";
import { fill } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import type { Call } from "../kit/call.ts";
import { Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Pager, Table, Time } from "../kit/parts.tsx";
import { page, show } from "./console.ts";
import { DateHint, DESCRIBED } from "./date-hint.tsx";
import { addressOf, readFilters } from "./filters.ts";
import { ORDER_MAX } from "./orders.tsx";

const PATH = "/console/codes";

export const codesPages = [
	page("/codes", { trips: 3 }, async (c) => {
		const say = sayIn(c);
		const language = c.get("language");
		const { asked, sent, problem } = readFilters(c, listQuery);
		if (c.req.query("format") === "csv" && !problem) return file(c, asked);
		const { total, codes, page, limit, now } = await listCodes(c, asked);
		const last = Math.max(1, Math.ceil(total / limit));
		const { page: _, limit: __, ...filters } = sent;
		const at = (page: number) =>
			page >= 1 && page <= last ? addressOf(PATH, { ...sent, page: String(page) }) : null;
		return show(
			c,
			{ title: T.codes, notice: problem ? { kind: "problem", text: problem } : undefined },
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

/** One trip, and one for each thousand codes, made while the file is sent; it counts as the API's does. */
async function file(c: Call, asked: z.output<typeof listQuery>): Promise<Response> {
	let answer: Response | undefined;
	const refused = await limitBulk.middleware(c, async () => {
		answer = (await codesAsCsv(c, asked)) ?? invalidField(c, "created_from", "csvRows");
	});
	return refused ?? answer!;
}

function Filters({ c, sent }: { c: Call; sent: Readonly<Record<string, string | undefined>> }) {
	const say = sayIn(c);
	const statuses = LIST_STATUSES.map((value) => ({ value, label: say(STATUS_NAMES[value]) }));
	return (
		<form class="filters" method="get" action={PATH}>
			<Select
				name="status"
				label={say(T.status)}
				options={[{ value: "", label: say(T.any) }, ...statuses]}
				value={sent.status}
			/>
			<Field
				name="external_reference_id"
				label={say(T.reference)}
				value={sent.external_reference_id ?? ""}
				maxlength={128}
			/>
			<Field name="batch_id" label={say(T.batch)} value={sent.batch_id ?? ""} maxlength={128} />
			<Field name="created_from" label={say(T.createdFrom)} value={sent.created_from ?? ""} {...DESCRIBED} />
			<Field name="created_to" label={say(T.createdTo)} value={sent.created_to ?? ""} {...DESCRIBED} />
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

/** The order's own id makes it safe to send twice. */
function OrderForm({ c }: { c: Call }) {
	const say = sayIn(c);
	const language = c.get("language");
	const most = { most: readableNumber(ORDER_MAX, language), batch: BULK_MAX };
	return (
		<>
			<h2 id="order">{say(T.order)}</h2>
			<PostForm action="/console/codes/orders" csrf={c.get("csrf")}>
				<input type="hidden" name="order" value={crypto.randomUUID()} />
				<Select
					name="product"
					label={say(T.product)}
					options={PRODUCT_CODES.map((value) => ({ value, label: say(PRODUCT_NAMES[value]) }))}
					value="FV01"
				/>
				<Field
					name="quantity"
					type="number"
					label={say(T.quantity)}
					hint={say(fill(T.quantityHint, most))}
					required
					min={1}
					max={ORDER_MAX}
				/>
				<button type="submit">{say(T.create)}</button>
			</PostForm>
		</>
	);
}
