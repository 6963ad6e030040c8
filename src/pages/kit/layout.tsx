import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/app-env.ts";
import type { Brand } from "../../settings/brand.ts";
import { supportLine } from "../../texts/brand.ts";
import { CONSOLE_PARTS as T } from "../../texts/console-parts.ts";
import { COPYING, ENVIRONMENTS } from "../../texts/kit.ts";
import type { Language, Text } from "../../texts/language.ts";
import { Badge } from "./badge.tsx";
import { PostForm } from "./forms.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { inLanguage } from "./language.ts";
import { Notice } from "./parts.tsx";
import { SCRIPT } from "./script.ts";
import { policy, STYLE_NAME } from "./style.ts";

interface LayoutProps {
	/** The page's name and heading. */
	title: string;
	/** Name of the console, or of the group of pages. */
	name: string;
	brand: Brand;
	environment: "local" | "dev" | "prod";
	locale: Language;
	/** The other language's address of this page. */
	otherLanguage: string;
	/** Path of this page; its navigation entry, or its parent's, is the current one. */
	path: string;
	/** Navigation and user of a console's page; null for a page of one column without them. */
	console: Around | null;
	/** Names the clock of the page's times, where it is not the real one, or what the page may lack. */
	remark?: string | null;
	/** Result or problem of an action. */
	notice?: { kind: "done" | "problem"; text: string } | undefined;
	children?: Child;
}

interface Around {
	home: string;
	/** Empty before somebody is signed in. */
	nav: readonly NavPage[];
	/** The form that finds things; null before somebody is signed in. */
	search: { action: string; label: string; csrf: string } | null;
	/** The signed-in user; null for nobody. */
	user: User | null;
}

/** An entry of the navigation. */
export interface NavPage {
	path: string;
	label: Text;
	icon: IconName;
	/** Heading of the entries from this one on. */
	group?: Text;
}

interface User {
	name: string;
	/** A form's action or a page; null where nothing signs out. */
	signOut: { action: string; csrf: string } | { href: string } | null;
}

/** A whole page without its doctype. */
function Layout(props: LayoutProps) {
	const { title, name, brand, locale, path, remark, notice, children } = props;
	const { nav = [] } = props.console ?? {};
	const shape = props.console === null ? "narrow" : nav.length > 0 ? "with" : "entry";
	const fullName = props.console === null ? brand.name : `${name} - ${brand.name}`;
	return (
		<html lang={locale}>
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="robots" content="noindex" />
				<title>{`${title} - ${fullName}`}</title>
				<link rel="icon" href="/brand/favicon.svg" type="image/svg+xml" />
				<link rel="stylesheet" href={`/assets/${STYLE_NAME}`} />
			</head>
			<body class={shape}>
				<a class="skip" href="#content">
					{T.skip[locale]}
				</a>
				<Top {...props} nav={nav} />
				<div class={`shell ${shape}`}>
					{nav.length > 0 && <Navigation nav={nav} path={path} locale={locale} />}
					<div>
						<main id="content" tabindex={-1}>
							<h1>{title}</h1>
							{remark && <p class="hint">{remark}</p>}
							{notice && (
								<Notice kind={notice.kind}>
									<p>{notice.text}</p>
								</Notice>
							)}
							{children}
						</main>
						<footer>
							<p>
								{brand.name}. {supportLine(brand, locale)} {nav.length > 0 && T.chileTime[locale]}
							</p>
						</footer>
					</div>
				</div>
				<p class="unseen" id="said" role="status" data-copied={COPYING.copied[locale]} />
				<script>{raw(SCRIPT)}</script>
			</body>
		</html>
	);
}

function Top({ name, brand, environment, locale, otherLanguage, nav, ...props }: LayoutProps & { nav: Nav }) {
	const { home = null, search = null, user = null } = props.console ?? {};
	const mark = (
		<>
			<img src="/brand/mark.svg" alt="" width="28" height="28" /> <b>{brand.name}</b>
			{home && <span>{name}</span>}
		</>
	);
	const other = <OtherLanguage href={otherLanguage} locale={locale} />;
	return (
		<header class="top">
			{nav.length > 0 && (
				<button class="quiet menu" type="button" popovertarget="pages" aria-label={T.menu[locale]}>
					<Icon name="menu" />
				</button>
			)}
			{home ? (
				<a class="brand" href={home}>
					{mark}
				</a>
			) : (
				<span class="brand">{mark}</span>
			)}
			{environment !== "prod" && <Badge tone="warn">{ENVIRONMENTS[environment][locale]}</Badge>}
			{search && <Search {...search} />}
			<div class="end">{user ? <Account {...user} other={other} locale={locale} /> : other}</div>
		</header>
	);
}

function Search({ action, label, csrf }: NonNullable<Around["search"]>) {
	return (
		<search class="search">
			<PostForm action={action} csrf={csrf}>
				<Icon name="search" />
				<input
					id="q"
					name="q"
					type="search"
					aria-label={label}
					placeholder={label}
					maxlength={128}
					required
				/>
			</PostForm>
		</search>
	);
}

function OtherLanguage({ href, locale }: { href: string; locale: Language }) {
	const other = locale === "es" ? "en" : "es";
	return (
		<a href={href} hreflang={other} lang={other}>
			{T.other[locale]}
		</a>
	);
}

function Account({ name, signOut, other, locale }: User & { other: Child; locale: Language }) {
	return (
		<>
			<button class="quiet" type="button" popovertarget="account">
				<Icon name="circle-user" />
				<span class="who">{name}</span>
				<Icon name="chevron-down" />
			</button>
			<div class="account" id="account" popover="auto">
				<p>{name}</p>
				{other}
				{signOut &&
					("href" in signOut ? (
						<a href={signOut.href}>{T.signOut[locale]}</a>
					) : (
						<PostForm action={signOut.action} csrf={signOut.csrf}>
							<button type="submit">{T.signOut[locale]}</button>
						</PostForm>
					))}
			</div>
		</>
	);
}

/** A column beside the page; on a telephone a menu, which needs no script either. */
function Navigation({ nav, path, locale }: { nav: Nav; path: string; locale: Language }) {
	const current = entryOf(nav, path);
	const starts = nav.flatMap(({ group }, i) => (i === 0 || group !== undefined ? [i] : []));
	return (
		<nav class="pages" id="pages" popover="auto" aria-label={T.navigation[locale]}>
			{starts.map((start, i) => (
				<>
					{nav[start]!.group && <h2>{nav[start]!.group[locale]}</h2>}
					<ul>
						{nav.slice(start, starts[i + 1]).map((entry) => (
							<li>
								<a href={entry.path} {...(entry.path === current && { "aria-current": "page" })}>
									<Icon name={entry.icon} />
									{entry.label[locale]}
								</a>
							</li>
						))}
					</ul>
				</>
			))}
		</nav>
	);
}

type Nav = readonly NavPage[];

/** The navigation entry of a path or of its parent; '' for none. */
function entryOf(nav: Nav, path: string): string {
	const entries = nav.filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
	return entries.reduce((longest, entry) => (entry.path.length > longest.length ? entry.path : longest), "");
}

/** Answers with a {@link Layout}. */
export function answerPage(
	c: Context<AppEnv>,
	props: Omit<LayoutProps, "brand" | "environment" | "locale" | "otherLanguage" | "path"> & {
		otherLanguage?: string;
	},
	status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
	const language = c.get("language");
	const { brand, settings } = c.get("platform");
	// The other language's link is a GET: a form is not posted again for it.
	const address =
		c.req.method === "GET"
			? c.req.url
			: new URL(entryOf(props.console?.nav ?? [], c.req.path) || c.req.path, c.req.url);
	const otherLanguage = inLanguage(address, language === "es" ? "en" : "es");
	c.header("Content-Security-Policy", policy());
	c.header("Content-Language", language);
	const own = { brand, environment: settings.environment, locale: language, path: c.req.path };
	const page = <Layout otherLanguage={otherLanguage} {...props} {...own} />;
	return c.html(html`<!doctype html>${page}`, status);
}
