/* Strings of SVG; numbers are pixels. Colours are legible on white and on near-black. */

export const COLOURS = ["#3a7bd5", "#e0793a", "#2a9d7c", "#9a6bc9", "#d1495b", "#7f8894"] as const;

const FONT = `system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif`;

/** The card follows the reader's colour scheme, and carries its own ground: it stands on any page. */
const STYLE = `
text { font-family: ${FONT}; font-size: 12px; fill: #49525e; }
.title { font-size: 17px; font-weight: 600; fill: #161b22; }
.strong { fill: #161b22; }
.faint { font-size: 11px; fill: #6d7683; }
.card { fill: #ffffff; stroke: #dfe3e8; }
.grid { stroke: #e9ecf0; }
.axis { stroke: #aab2bd; }
.ground { stroke: #ffffff; }
.whisker { stroke: #161b22; stroke-opacity: 0.65; }
@media (prefers-color-scheme: dark) {
	text { fill: #b3bbc6; }
	.title, .strong { fill: #eef1f5; }
	.faint { fill: #98a1ad; }
	.card { fill: #14181e; stroke: #2d343d; }
	.grid { stroke: #262c34; }
	.axis { stroke: #59626e; }
	.ground { stroke: #14181e; }
	.whisker { stroke: #eef1f5; }
}`;

export const MARGIN = 24;
/** Where the drawing begins below title and subtitle. */
export const TOP = 82;

export interface Size {
	width: number;
	height: number;
}

/** The whole picture around what is drawn in it. */
export function frame(
	{ width, height }: Size,
	title: string,
	subtitle: string,
	body: readonly string[],
): string {
	const text = `${escapeText(title)}. ${escapeText(subtitle)}`;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${text}">`,
		`<style>${STYLE}\n</style>`,
		`<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
		label(MARGIN, 34, title, { className: "title" }),
		label(MARGIN, 54, subtitle, { className: "faint" }),
		...body,
		"</svg>\n",
	].join("\n");
}

interface LabelOptions {
	anchor?: "start" | "middle" | "end";
	className?: string;
	colour?: string;
}

/** Text whose baseline starts, is centred or ends there. */
export function label(x: number, y: number, text: string, options: LabelOptions = {}): string {
	const { anchor = "start", className, colour } = options;
	const look = [
		anchor === "start" ? "" : ` text-anchor="${anchor}"`,
		className ? ` class="${className}"` : "",
		colour ? ` style="fill:${colour};font-weight:600"` : "",
	].join("");
	return `<text x="${round(x)}" y="${round(y)}"${look}>${escapeText(text)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, className: string): string {
	return `<line class="${className}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

/** A line in a colour, `width` thick. */
export function stroke(x1: number, y1: number, x2: number, y2: number, colour: string, width = 1): string {
	return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}" stroke-width="${width}"/>`;
}

export function polyline(points: readonly [number, number][], colour: string): string {
	const path = points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
	return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2.25" stroke-linejoin="round" stroke-linecap="round"/>`;
}

export function dot(x: number, y: number, colour: string, radius = 4): string {
	return `<circle class="ground" cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${colour}" stroke-width="1.5"/>`;
}

export function bar(x: number, y: number, width: number, height: number, colour: string): string {
	return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(width, 1))}" height="${round(height)}" rx="2" fill="${colour}"/>`;
}

/** How wide a text of 12 px is, roughly. */
export function widthOf(text: string): number {
	return text.length * 6.7;
}

function escapeText(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
