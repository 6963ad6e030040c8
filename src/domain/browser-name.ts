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
	const { browser, system } = readUserAgent(userAgent);
	return [browser, system].filter((name) => name !== null).join(", ") || null;
}

/** Reads browser and system; null: not known. An iPad that calls itself a Mac is one here too. */
export function readUserAgent(userAgent: string) {
	const firstOf = <Name>(names: readonly (readonly [Name, RegExp])[]) =>
		names.find(([, mark]) => mark.test(userAgent))?.[0] ?? null;
	return { browser: firstOf(BROWSERS), system: firstOf(SYSTEMS) };
}
