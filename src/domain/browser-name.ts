/** Browsers by their mark in a User-Agent; the first that fits counts, since most name others beside themselves. */
const BROWSERS = [
	["Edge", /\bEdg(A|iOS)?\//],
	["Opera", /\bOPR\//],
	["Samsung Internet", /\bSamsungBrowser\//],
	["Firefox", /\b(Firefox|FxiOS)\//],
	["Chrome", /\b(Chrome|CriOS)\//],
	["Safari", /\bVersion\/.* Safari\//],
] as const;

const SYSTEMS = [
	["iPhone", /\biPhone\b/],
	["iPad", /\biPad\b/],
	["Android", /\bAndroid\b/],
	["Windows", /\bWindows\b/],
	["macOS", /\bMacintosh\b/],
	["ChromeOS", /\bCrOS\b/],
	["Linux", /\bLinux\b/],
] as const;

/** `Firefox, Windows`: words of ours alone, of a User-Agent that is kept nowhere. @returns null for one that says neither */
export function browserName(userAgent: string): string | null {
	const named = [BROWSERS, SYSTEMS].flatMap(
		(names) => names.find(([, mark]) => mark.test(userAgent))?.[0] ?? [],
	);
	return named.join(", ") || null;
}
