import type { Child, PropsWithChildren } from "hono/jsx";
import { CONSOLE_PARTS as T } from "../../texts/console-parts.ts";
import { shortTime } from "../../texts/dates.ts";
import type { Language } from "../../texts/language.ts";

/* Parts of pages. Every text that is put into them is escaped; an address that somebody stored is never a link. */

interface TableProps {
	caption: string;
	columns: readonly string[];
	/** The first cell of each row names it. */
	rows: readonly (readonly Child[])[];
	/** Text in place of a table without rows. */
	empty: string;
}

export function Table({ caption, columns, rows, empty }: TableProps) {
	if (rows.length === 0) return <p>{empty}</p>;
	return (
		<section class="scroll" aria-label={caption} tabindex={0}>
			<table>
				<caption>{caption}</caption>
				<thead>
					<tr>
						{columns.map((column) => (
							<th scope="col">{column}</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map(([first, ...rest]) => (
						<tr>
							<th scope="row">{first}</th>
							{rest.map((cell) => (
								<td>{cell}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

/** Names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) {
	return (
		<dl>
			{facts.map(([name, value]) => (
				<>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</>
			))}
		</dl>
	);
}

/** Result or problem; a screen reader says it at once. */
export function Notice({ kind, children }: PropsWithChildren<{ kind: "done" | "problem" }>) {
	return (
		<div class={`notice ${kind}`} role={kind === "done" ? "status" : "alert"}>
			{children}
		</div>
	);
}

/** Reason for a refusal, and the way back. */
export function Refused({ why, home, locale }: { why: readonly string[]; home: string; locale: Language }) {
	return (
		<>
			<Notice kind="problem">
				{why.map((message) => (
					<p>{message}</p>
				))}
			</Notice>
			<p>
				<a href={home}>{T.back[locale]}</a>
			</p>
		</>
	);
}

/** A number with its meaning, and its list where there is one. */
export function Figure({ value, label, href }: { value: string; label: string; href?: string | undefined }) {
	const shown = (
		<>
			<b>{value}</b> {label}
		</>
	);
	return <li>{href ? <a href={href}>{shown}</a> : shown}</li>;
}

export function Figures({ children }: PropsWithChildren) {
	return <ul class="figures">{children}</ul>;
}

interface PagerProps {
	locale: Language;
	/** Addresses; null where there is no such page. */
	previous: string | null;
	next: string | null;
	/** Position of this page in the list. */
	children?: Child;
}

export function Pager({ locale, previous, next, children }: PagerProps) {
	return (
		<nav class="pager" aria-label={T.pager[locale]}>
			{previous && (
				<a href={previous} rel="prev">
					{T.previous[locale]}
				</a>
			)}
			{children && <span>{children}</span>}
			{next && (
				<a href={next} rel="next">
					{T.next[locale]}
				</a>
			)}
		</nav>
	);
}

interface TimeProps {
	/** Epoch milliseconds. */
	at: number;
	locale: Language;
	/** Shown where more than one may happen in a minute. */
	seconds?: boolean;
}

/** Shows a time for people; for programs as RFC 3339. */
export function Time({ at, locale, seconds = false }: TimeProps) {
	return <time datetime={new Date(at).toISOString()}>{shortTime(at, locale, { seconds })}</time>;
}
