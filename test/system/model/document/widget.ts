/* widget.md, "Looks": what a partner chooses of the widget. */

export interface WidgetState {
	origins: readonly string[];
	accent: string | null;
	/** What the file is called by here. */
	logo: string | null;
}

export interface SentWidget {
	origins: readonly string[];
	accent: string | null;
	logo?: string | null;
}

export const NO_WIDGET: WidgetState = { origins: [], accent: null, logo: null };

const ORIGINS_MAX = 20;
/** WCAG 2.2, 1.4.3. */
const CONTRAST_MIN = 4.5;

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toBase64();
const WEBP = new TextEncoder().encode("RIFF\0\0\0\0WEBPVP8 ").toBase64();

/** What is sent, by what the file is called; null: no picture of these kinds. */
export const LOGOS: Record<string, string | null> = {
	[PNG]: "png",
	[`data:image/png;base64,${PNG}`]: "png",
	[WEBP]: "webp",
	[`data:image/png;base64,${WEBP}`]: null,
	"R0lGODlhAQABAA==": null,
};

/** @returns the fields that are refused. */
export function widgetProblems({ origins, accent, logo }: SentWidget): string[] {
	const isWrong =
		origins.length > ORIGINS_MAX || !origins.every(isOrigin) || new Set(origins).size < origins.length;
	return [
		...(isWrong ? ["origins"] : []),
		...(accent === null || isReadable(accent) ? [] : ["accent"]),
		...(logo == null || LOGOS[logo] ? [] : ["logo"]),
	];
}

export function changeWidget(widget: WidgetState, { origins, accent, logo }: SentWidget): WidgetState {
	return {
		origins,
		accent: accent?.toLowerCase() ?? null,
		logo: logo === undefined ? widget.logo : logo === null ? null : LOGOS[logo]!,
	};
}

/** https without a path; http for this machine alone. */
function isOrigin(text: string): boolean {
	return (
		/^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(text) || /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(text)
	);
}

/** On white. */
function isReadable(colour: string): boolean {
	if (!/^#[0-9a-f]{6}$/i.test(colour)) return false;
	const channels = [colour.slice(1, 3), colour.slice(3, 5), colour.slice(5)];
	const [red, green, blue] = channels.map((hex) => {
		const share = Number.parseInt(hex, 16) / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as [number, number, number];
	const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	return 1.05 / (luminance + 0.05) >= CONTRAST_MIN;
}
