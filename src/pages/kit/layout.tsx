import type { Context } from "hono";
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/app-env.ts";
import { CONSOLE_PARTS as T } from "../../texts/console-parts.ts";
import type { Language } from "../../texts/language.ts";
import { PostForm } from "./forms.tsx";
import { inLanguage } from "./language.ts";
import { Notice } from "./parts.tsx";
import { policy, STYLE } from "./style.ts";

interface LayoutProps {
	/** The page's name and heading. */
	title: string;
	/** Name of the console, or of the group of pages. */
	name: string;
	locale: Language;
	/** The other language's address of this page. */
	otherLanguage: string;
	/** Path of this page; its navigation entry, or its parent's, is the current one. */
	path: string;
	/** Navigation and user of a console's page; null for a page of one column without them. */
	console: Around | null;
	/** Names the clock of the page's times, where it is not the real one. */
	clock?: string | null;
	/** Result or problem of an action. */
	notice?: { kind: "done" | "problem"; text: string } | undefined;
	children?: Child;
}

interface Around {
	/** Empty before somebody is signed in. */
	nav: readonly { path: string; label: string }[];
	/** Name of the signed-in user; null for nobody. */
	who: Child | null;
	/** The form that signs out; null where nothing signs out. */
	signOut: { action: string; csrf: string } | null;
}

const NOTHING: Around = { nav: [], who: null, signOut: null };

/** A whole page without its doctype. */
function Layout(props: LayoutProps) {
	const { title, name, locale, otherLanguage, path, clock, notice, children } = props;
	const { nav, who, signOut } = props.console ?? NOTHING;
	const other = locale === "es" ? "en" : "es";
	const current = entryOf(nav, path);
	return (
		<html lang={locale}>
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="robots" content="noindex" />
				<title>{title === name ? title : `${title} - ${name}`}</title>
				<style>{raw(STYLE)}</style>
			</head>
			<body {...(props.console === null && { class: "narrow" })}>
				{props.console && (
					<a class="skip" href="#content">
						{T.skip[locale]}
					</a>
				)}
				<header class="top">
					{props.console && <b>{name}</b>}
					{who !== null && <span class="who">{who}</span>}
					<a href={otherLanguage} hreflang={other} lang={other}>
						{T.other[locale]}
					</a>
					{signOut && (
						<PostForm action={signOut.action} csrf={signOut.csrf}>
							<button class="plain" type="submit">
								{T.signOut[locale]}
							</button>
						</PostForm>
					)}
				</header>
				{nav.length > 0 && (
					<nav class="pages" aria-label={T.navigation[locale]}>
						<ul>
							{nav.map((entry) => (
								<li>
									<a href={entry.path} {...(entry.path === current && { "aria-current": "page" })}>
										{entry.label}
									</a>
								</li>
							))}
						</ul>
					</nav>
				)}
				<main id="content" tabindex={-1}>
					<h1>{title}</h1>
					{clock && <p class="hint">{clock}</p>}
					{notice && (
						<Notice kind={notice.kind}>
							<p>{notice.text}</p>
						</Notice>
					)}
					{children}
				</main>
				{nav.length > 0 && <footer>{T.chileTime[locale]}</footer>}
			</body>
		</html>
	);
}

type Nav = Around["nav"];

/** The navigation entry of a path or of its parent; '' for none. */
function entryOf(nav: Nav, path: string): string {
	const entries = nav.filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
	return entries.reduce((longest, entry) => (entry.path.length > longest.length ? entry.path : longest), "");
}

/** Answers with a {@link Layout}. */
export function answerPage(
	c: Context<AppEnv>,
	props: Omit<LayoutProps, "locale" | "otherLanguage" | "path"> & { otherLanguage?: string },
	status: ContentfulStatusCode = 200,
): Response | Promise<Response> {
	const language = c.get("language");
	// The other language's link is a GET: a form is not posted again for it.
	const address =
		c.req.method === "GET"
			? c.req.url
			: new URL(entryOf(props.console?.nav ?? [], c.req.path) || c.req.path, c.req.url);
	const otherLanguage = inLanguage(address, language === "es" ? "en" : "es");
	c.header("Content-Security-Policy", policy());
	c.header("Content-Language", language);
	const page = <Layout otherLanguage={otherLanguage} {...props} locale={language} path={c.req.path} />;
	return c.html(html`<!doctype html>${page}`, status);
}
