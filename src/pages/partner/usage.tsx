import { usageQuery } from "../../api/partner/desk/usage.ts";
import { readUsage } from "../../db/usage.ts";
import type { ProductCode } from "../../domain/products.ts";
import { sumUsage, USAGE_KINDS, type UsageCount } from "../../domain/usage.ts";
import { partnerCaller } from "../../services/caller.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { USAGE_COUNTED, USAGE_NAMES } from "../../texts/console-words.ts";
import { fill } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";
import { DayChart } from "../kit/chart.tsx";
import { Field } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { Facts, Pager, Table, Toolbar } from "../kit/parts.tsx";
import { page, show } from "./console.ts";
import { addressOf, readFilters } from "./filters.ts";

export const usagePages = [
	page("/usage", { trips: 2 }, async (c) => {
		const { db, partnerId, now } = partnerCaller(c);
		const say = sayIn(c);
		const language = c.get("language");
		const { asked, sent, notice } = readFilters(c, usageQuery, { month: T.month });
		const { month, counts } = await readUsage(db, { partnerId, month: asked.month ?? "", now });
		const sums = sumUsage(counts);
		const numbers = (of: (kind: (typeof USAGE_KINDS)[number]) => number) =>
			USAGE_KINDS.map((kind) => readableNumber(of(kind), language));
		const [created, ...others] = numbers((kind) => sums.reduce((all, sum) => all + sum[kind], 0));
		const days = emittedByDay(month, counts);
		const total = readableNumber(
			days.reduce((sum, { n }) => sum + n, 0),
			language,
		);
		return show(
			c,
			{ title: T.usage, notice },
			<>
				<Toolbar action="/console/usage">
					<Field
						name="month"
						type="month"
						label={say(T.month)}
						hint={say(T.monthHint)}
						value={sent.month ?? month}
					/>
					<button type="submit">{say(T.show)}</button>
				</Toolbar>
				<p>{say(T.usageCounted)}</p>
				<Table
					caption={`${say(T.usage)}: ${month}`}
					columns={[say(T.product), ...USAGE_KINDS.map((kind) => say(USAGE_NAMES[kind]))]}
					rows={[
						...sums.map((sum) => {
							const [created, ...others] = numbers((kind) => sum[kind]);
							return [sum.product, <a href={createdIn(month, sum.product)}>{created}</a>, ...others];
						}),
						[say(T.total), <a href={createdIn(month)}>{created}</a>, ...others],
					]}
					empty=""
				/>
				<Facts facts={USAGE_KINDS.map((kind) => [say(USAGE_NAMES[kind]), say(USAGE_COUNTED[kind])])} />
				<h2>{say(T.perDay)}</h2>
				<DayChart days={days} label={say(fill(T.perDayOfMonth, { month, total }))} language={language} />
				<Pager locale={language} previous={addressOfMonth(month, -1)} next={addressOfMonth(month, 1)}>
					{month}
				</Pager>
			</>,
		);
	}),
];

/** The list of the codes that were created in a month. The first column of the usage counts them. */
function createdIn(month: string, product?: ProductCode): string {
	const dates = { created_from: `${month}-01`, created_to: `${month}-${lastDayOf(month)}` };
	return addressOf("/console/codes", { product, ...dates });
}

function lastDayOf(month: string): number {
	const [year, number] = month.split("-").map(Number);
	return new Date(Date.UTC(year!, number!, 0)).getUTCDate();
}

/** Every day of the month, including those without an emission. */
function emittedByDay(month: string, counts: readonly UsageCount[]) {
	return Array.from({ length: lastDayOf(month) }, (_, index) => {
		const day = `${month}-${String(index + 1).padStart(2, "0")}`;
		const ofDay = counts.filter((count) => count.day === day && count.kind === "emitted");
		return { day, n: ofDay.reduce((sum, { n }) => sum + n, 0) };
	});
}

/** Address of the month `step` months later; null for one that the API does not take. */
function addressOfMonth(month: string, step: number): string | null {
	const [year, number] = month.split("-").map(Number);
	const then = new Date(Date.UTC(year!, number! - 1 + step)).toISOString().slice(0, 7);
	return then.startsWith("20") ? addressOf("/console/usage", { month: then }) : null;
}
