/* A partner's choices for the widget: where it may be embedded, and its accent colour. */

export const ORIGINS_MAX = 20;

/** A name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/**
 * An origin as browsers name it, or null when the text is none. https; http for this machine alone, where it is allowed.
 */
export function readOrigin(text: string, { allowLoopback }: { allowLoopback: boolean }): string | null {
	const url = URL.parse(text);
	// URL takes ; and * in a host: a Content-Security-Policy would read another directive, or any host.
	if (url === null || text.toLowerCase() !== url.origin || !HOST.test(url.hostname)) return null;
	if (url.protocol === "https:") return url.origin;
	const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
	return url.protocol === "http:" && isLoopback && allowLoopback ? url.origin : null;
}

/** Origins that are all different; null when one is none. */
export function readOrigins(texts: readonly string[], settings: { allowLoopback: boolean }): string[] | null {
	const origins = texts.map((text) => readOrigin(text, settings)).filter((known) => known !== null);
	return new Set(origins).size === texts.length ? origins : null;
}

/** WCAG 2.2, 1.4.3: contrast of text to its background. */
const CONTRAST_MIN = 4.5;
const WHITE = "#ffffff";

/** An accent that is legible on white, and white on it, in lower case; null when the text is none. */
export function readAccent(text: string): string | null {
	if (!/^#[0-9a-f]{6}$/i.test(text)) return null;
	const accent = text.toLowerCase();
	return contrast(accent, WHITE) >= CONTRAST_MIN ? accent : null;
}

/** Contrast ratio of two colours, 1 to 21 (WCAG 2.2). @param first - `#rrggbb` */
export function contrast(first: string, second: string): number {
	const [dark, light] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
	const [red, green, blue] = [1, 3, 5].map((at) => {
		const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
