import { WIDGET_TEXTS } from "../texts/widget.ts";
import { PAGE_DATA_ID, type PageData } from "./browser/page-data.ts";
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH, PAGE_STYLE, PAGE_STYLE_HASH } from "./built-page.ts";

/** The page of a session: it contains style, script and their data, so that it paints with one answer. */
export function renderPage(data: PageData): string {
	const { locale, place } = data;
	const title = escapeHtml(WIDGET_TEXTS.title[locale]);
	// JSON in a script element ends at a tag only.
	const json = JSON.stringify(data).replaceAll("<", "\\u003c");
	return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body class="${place}">
<main aria-busy="true"><p>${escapeHtml(WIDGET_TEXTS.loading[locale])}</p>
<noscript><p>${escapeHtml(WIDGET_TEXTS.noScript[locale])}</p></noscript></main>
<script type="application/json" id="${PAGE_DATA_ID}">${json}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>`;
}

/** @param ancestors - the origins that may show the page in a frame; nobody else may. */
export function pagePolicy(ancestors: readonly string[]): string {
	return [
		"default-src 'none'",
		`script-src ${PAGE_SCRIPT_HASH}`,
		`style-src ${PAGE_STYLE_HASH}`,
		"img-src 'self' data:",
		"connect-src 'self'",
		"frame-src blob:",
		`frame-ancestors ${ancestors.join(" ") || "'none'"}`,
		"form-action 'none'",
		"base-uri 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; ");
}

function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
