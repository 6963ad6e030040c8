import type { Child, PropsWithChildren } from "hono/jsx";
import { CONSOLE_PARTS as T } from "../../texts/console-parts.ts";
import { shortTime } from "../../texts/dates.ts";
import type { Language } from "../../texts/language.ts";
import { Icon } from "./icon.tsx";

/* Parts of pages. Every text that is put into them is escaped; an address that somebody stored is never a link. */

interface TableProps {
	caption: string;
	columns: readonly string[];
	/** The first cell of each row names it. */
	rows: readonly (readonly Child[])[];
	/** Shown in place of a table without rows: a text, or an {@link EmptyState}. */
	empty: Child;
}

/** A telephone shows each row as a card, whose cells have their columns' names. */
export function Table({ caption, columns, rows, empty }: TableProps) {
	if (rows.length === 0) return typeof empty === "string" ? <EmptyState title={empty} /> : <div>{empty}</div>;
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
							{rest.map((cell, i) => (
								<td data-label={columns[i + 1]}>{cell}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}

interface EmptyStateProps {
	/** Names what is not here yet. */
	title: string;
	/** The step that brings it. */
	next?: { href: string; label: string };
}

/** Stands where a list would be. Its children say what would be here and how to get it. */
export function EmptyState({ title, next, children }: PropsWithChildren<EmptyStateProps>) {
	if (!title) return null;
	return (
		<div class="empty">
			{(children || next) && <Icon name="inbox" />}
			<p class="title">{title}</p>
			{children && <p>{children}</p>}
			{next && (
				<a class="button quiet" href={next.href}>
					{next.label}
				</a>
			)}
		</div>
	);
}

/** A section of a page. @param action - a link or button beside the title */
export function Card({ title, action, children }: PropsWithChildren<{ title: string; action?: Child }>) {
	return (
		<section class="card">
			<header>
				<h2>{title}</h2>
				{action}
			</header>
			{children}
		</section>
	);
}

/** The form that filters a list: its fields and button in a line. */
export function Toolbar({ action, children }: PropsWithChildren<{ action: string }>) {
	return (
		<form class="toolbar" method="get" action={action}>
			{children}
		</form>
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

const NOTICES = {
	done: { tone: "good", icon: "circle-check", role: "status" },
	problem: { tone: "bad", icon: "circle-alert", role: "alert" },
	warning: { tone: "warn", icon: "triangle-alert", role: undefined },
	info: { tone: "info", icon: "info", role: undefined },
} as const;

/** A result or a problem, which a screen reader says at once; a warning or a hint, which it reads in its place. */
export function Notice({ kind, children }: PropsWithChildren<{ kind: keyof typeof NOTICES }>) {
	const { tone, icon, role } = NOTICES[kind];
	return (
		<div class={`notice ${tone}`} role={role}>
			<Icon name={icon} />
			<div>{children}</div>
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

interface FigureProps {
	value: string;
	label: string;
	/** Its list. */
	href?: string | undefined;
	/** Against the week before. */
	change?: number | undefined;
}

/** A number with its meaning, and its list where there is one. */
export function Figure({ value, label, href, change }: FigureProps) {
	const shown = (
		<>
			<b>
				{value}
				{change !== undefined && <small> {change > 0 ? `+${change}` : `${change}`.replace("-", "−")}</small>}
			</b>{" "}
			{label}
		</>
	);
	return <li>{href ? <a href={href}>{shown}</a> : <span>{shown}</span>}</li>;
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
