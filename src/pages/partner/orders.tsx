import { z } from "@hono/zod-openapi";
import { findBatchesByKeys } from "../../db/batches.ts";
import type { IdempotencyMark } from "../../db/idempotency-keys.ts";
import { BULK_CALLS_PER_MINUTE, BULK_MAX } from "../../domain/limits.ts";
import { PRODUCT_CODES } from "../../domain/products.ts";
import { errorAnswer } from "../../http/errors.ts";
import { admits } from "../../http/rate-limit.ts";
import { rejectionAnswer } from "../../http/rejections.ts";
import { partnerCaller } from "../../services/caller.ts";
import { createCodes, type Made } from "../../services/create-codes.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { PRODUCT_NAMES } from "../../texts/console-words.ts";
import { fill } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { Unavailable } from "../../unavailable.ts";
import type { Call } from "../kit/call.ts";
import { CopyAll, Print } from "../kit/copyable.tsx";
import { Field, PostForm, Select } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Facts, Table } from "../kit/parts.tsx";
import { NO_PROBLEMS, type Problems, problemsOf } from "../kit/problems.ts";
import { page, post, show } from "./console.ts";
import { addressOf } from "./filters.ts";

/*
 * An order of more codes than a batch holds. Its batches are made one after the other. Each has an Idempotency-Key that
 * follows from the order, so that sending it again makes the missing batches and none twice.
 */

/** A third of the batches that a partner may make in a minute; one or two seconds. */
const ORDER_MAX = 10 * BULK_MAX;

const orderFields = z.object({
	order: z.uuid("identifier"),
	product: z.enum(PRODUCT_CODES, "product"),
	quantity: z.coerce.number("quantity").int("quantity").min(1, "quantity").max(ORDER_MAX, "quantity"),
});
type Order = z.output<typeof orderFields>;

export const orderPages = [
	post("/codes/orders", { right: "codes" }, async (c, form) => {
		const sent = {
			order: form.text("order"),
			product: form.text("product"),
			quantity: form.text("quantity"),
		};
		const read = orderFields.safeParse(sent);
		if (!read.success) {
			const problems = problemsOf(c, read.error);
			return show(c, { title: T.order, status: 400 }, <OrderForm c={c} sent={sent} problems={problems} />);
		}
		const order = read.data;
		for (const nth of sizesOf(order).keys()) {
			const refused = await makeBatch(c, order, nth);
			if (refused === null) continue;
			if (nth === 0) return answerRefused(c, refused);
			// The order's page shows its progress and offers to continue.
			break;
		}
		return { to: addressOfOrder(order) };
	}),

	page("/codes/orders/:order", { trips: 2 }, async (c) => {
		const [id, product, quantity] = (c.req.param("order") ?? "").split(".");
		const read = orderFields.safeParse({ order: id, product, quantity });
		if (!read.success) return errorAnswer(c, "not_found");
		const order = read.data;
		const marks = await Promise.all(sizesOf(order).map((_, nth) => markOf(c, order, nth)));
		const { db, partnerId } = c.get("owner");
		const { made, codes } = await findBatchesByKeys(
			db,
			partnerId,
			marks.map(({ keyId }) => keyId),
		);
		return made.length > 0 ? showOrder(c, order, made, codes) : errorAnswer(c, "not_found");
	}),
];

interface OrderFormProps {
	c: Call;
	/** Typed values, to be corrected. */
	sent?: { product: string; quantity: string };
	problems?: Problems;
}

/** The order's own id makes it safe to send twice. */
export function OrderForm({ c, sent, problems = NO_PROBLEMS }: OrderFormProps) {
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
					value={sent?.product ?? "FV01"}
					problem={problems.product}
				/>
				<Field
					name="quantity"
					type="number"
					label={say(T.quantity)}
					hint={say(fill(T.quantityHint, most))}
					value={sent?.quantity ?? ""}
					problem={problems.quantity}
					required
					min={1}
					max={ORDER_MAX}
				/>
				<button type="submit">{say(T.create)}</button>
			</PostForm>
		</>
	);
}

function addressOfOrder({ order, product, quantity }: Order): string {
	return `/console/codes/orders/${order}.${product}.${quantity}`;
}

function showOrder(
	c: Call,
	order: Order,
	batches: readonly { id: string; quantity: number }[],
	codes: readonly string[],
) {
	const made = batches.reduce((sum, { quantity }) => sum + quantity, 0);
	const isWhole = made >= order.quantity;
	const say = sayIn(c);
	const language = c.get("language");
	const numbers = { made: readableNumber(made, language), wanted: readableNumber(order.quantity, language) };
	return show(
		c,
		{ title: isWhole ? T.ordered : T.orderedInPart },
		<>
			<p role="status">
				{say(fill(T.orderProgress, numbers))}{" "}
				{!isWhole && <progress value={made} max={order.quantity} aria-label={say(T.order)} />}
			</p>
			{!isWhole && (
				<PostForm action="/console/codes/orders" csrf={c.get("csrf")}>
					<p>{say(T.orderStopped)}</p>
					{Object.entries(order).map(([name, value]) => (
						<input type="hidden" name={name} value={String(value)} />
					))}
					<button type="submit">{say(T.orderNext)}</button>
				</PostForm>
			)}
			<Facts facts={factsOf(c, order, batches)} />
			<Table
				caption={say(T.batches)}
				columns={[say(T.batch), say(T.count), say(T.csv)]}
				rows={batches.map(({ id, quantity }) => [
					<a href={addressOf("/console/codes", { batch_id: id })}>{id}</a>,
					readableNumber(quantity, language),
					<a href={addressOf("/console/codes", { batch_id: id, format: "csv" })}>CSV</a>,
				])}
				empty={say(T.none)}
			/>
			{codes.length > 0 && (
				<>
					<h2>{say(T.itsCodes)}</h2>
					<p>
						<CopyAll of="codes" label={say(T.copyCodes)} /> <Print label={say(T.print)} />
					</p>
					<pre class="secret codes" id="codes">
						{codes.join("\n")}
					</pre>
				</>
			)}
			<p>
				<a href="/console/codes">{say(T.backToCodes)}</a>
			</p>
		</>,
	);
}

/** Summary above a table that a telephone does not show whole. */
function factsOf(c: Call, { product }: Order, batches: readonly { id: string }[]) {
	const say = sayIn(c);
	const [first, ...more] = batches;
	return [
		[say(T.product), say(PRODUCT_NAMES[product])] as const,
		more.length === 0
			? ([say(T.batch), <code>{first!.id}</code>] as const)
			: ([say(T.batches), batches.length] as const),
	];
}

function sizesOf({ quantity }: Order): number[] {
	const batches = Math.ceil(quantity / BULK_MAX);
	return Array.from({ length: batches }, (_, nth) => Math.min(BULK_MAX, quantity - nth * BULK_MAX));
}

async function markOf(c: Call, { order, product, quantity }: Order, nth: number): Promise<IdempotencyMark> {
	const { index } = c.get("platform");
	const { partnerId } = c.get("owner");
	const key = `${order} ${nth}`;
	const [keyId, fingerprint] = await Promise.all([
		index.of("console-order", partnerId, key),
		index.of("console-order-body", partnerId, key, product, String(quantity)),
	]);
	return { partnerId, keyId, fingerprint };
}

type Refused =
	| Extract<Made, { kind: "rejected" }>["rejection"]
	| { reason: "rate_limit_exceeded" }
	| { reason: Unavailable["reason"] };

/** @returns why it was not made, or null */
async function makeBatch(c: Call, order: Order, nth: number): Promise<Refused | null> {
	const caller = partnerCaller(c);
	if (!(await admits(c.env.BULK_RATE, caller.partnerId))) return { reason: "rate_limit_exceeded" };
	const batch = { productCode: order.product, quantity: sizesOf(order)[nth]! };
	try {
		const made = await createCodes(caller, { ...batch, idempotency: await markOf(c, order, nth) });
		return made.kind === "rejected" ? made.rejection : null;
	} catch (error) {
		if (!(error instanceof Unavailable)) throw error;
		return { reason: error.reason };
	}
}

function answerRefused(c: Call, refused: Refused): Response {
	if (refused.reason !== "rate_limit_exceeded") return rejectionAnswer(c, refused);
	c.header("Retry-After", "60");
	return errorAnswer(c, "rate_limit_exceeded", { values: { quota: BULK_CALLS_PER_MINUTE } });
}
