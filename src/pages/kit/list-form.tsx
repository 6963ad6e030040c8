import type { PropsWithChildren } from "hono/jsx";
import { chileDayOf, readChileDay, readInstant } from "../../domain/dates.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../../domain/limits.ts";
import { LISTS as T } from "../../texts/console-find.ts";
import type { Call } from "./call.ts";
import { Field, Select } from "./forms.tsx";
import { sayIn } from "./language.ts";
import { Toolbar } from "./parts.tsx";

/* Forms above and below a list. They are sent by GET, so that the address of what they show can be shared. */

const PAGE_SIZES = [25, PAGE_SIZE_DEFAULT, 100, PAGE_SIZE_MAX].map(String);

interface ListFormProps {
	c: Call;
	/** Address of the list. */
	path: string;
	/** Page size as it was sent. */
	limit: string | undefined;
}

/** The filters of a list, with its page size. */
export function ListForm({ c, path, limit, children }: PropsWithChildren<ListFormProps>) {
	const say = sayIn(c);
	const sizes = limit && !PAGE_SIZES.includes(limit) ? [limit, ...PAGE_SIZES] : PAGE_SIZES;
	return (
		<Toolbar action={path}>
			{children}
			<Select
				name="limit"
				label={say(T.perPage)}
				options={sizes.map((value) => ({ value, label: value }))}
				value={limit ?? String(PAGE_SIZE_DEFAULT)}
			/>
			<button type="submit">{say(T.filter)}</button>
			<ClearFilters c={c} path={path} />
		</Toolbar>
	);
}

/** Leads to the list without filters; nothing where none is set. */
export function ClearFilters({ c, path }: Pick<ListFormProps, "c" | "path">) {
	const isFiltered = Object.entries(c.req.query()).some(([name, value]) => name !== "page" && value !== "");
	return isFiltered ? <a href={path}>{sayIn(c)(T.clear)}</a> : null;
}

interface DayFieldProps {
	name: string;
	label: string;
	/** A day, also day first, or a moment as the API takes it, whose day is shown. */
	value: string | undefined;
}

/** A day of Chile, chosen from a calendar. */
export function DayField({ name, label, value = "" }: DayFieldProps) {
	const range = readChileDay(value) ?? readInstant(value);
	return <Field name={name} type="date" label={label} value={range ? chileDayOf(range.first) : ""} />;
}

interface PageJumpProps {
	c: Call;
	path: string;
	/** Query of the list. */
	sent: Readonly<Record<string, string | undefined>>;
	last: number;
}

/** Leads to a page by its number, under the same filters. */
export function PageJump({ c, path, sent, last }: PageJumpProps) {
	const say = sayIn(c);
	return (
		<Toolbar action={path}>
			{Object.entries(sent).map(
				([name, value]) => name !== "page" && <input type="hidden" name={name} value={value} />,
			)}
			<Field
				name="page"
				type="number"
				label={say(T.toPage)}
				value={sent.page ?? "1"}
				min={1}
				max={last}
				required
			/>
			<button class="quiet" type="submit">
				{say(T.go)}
			</button>
		</Toolbar>
	);
}
