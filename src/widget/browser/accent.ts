/* A partner's colour, made readable wherever the page uses it (WCAG 2.2: 4.5 to 1). */

const READABLE = 4.5;
type Rgb = readonly [number, number, number];

/** Colours of the style sheet that the accent stands on. */
export const SURFACES = { light: "#ffffff", dark: "#16191d" } as const;

/** Black or white, whichever is easier to read on it. */
export function textOn(colour: string): "#000000" | "#ffffff" {
	return contrast(colour, "#ffffff") >= contrast(colour, "#000000") ? "#ffffff" : "#000000";
}

/** The colour, mixed with black or white until it can be read on the surface. */
export function readableOn(colour: string, surface: string): string {
	const goal = textOn(surface);
	for (let share = 0; share < 1; share += 0.05) {
		const mixed = mix(colour, goal, share);
		if (contrast(mixed, surface) >= READABLE) return mixed;
	}
	return goal;
}

/** WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
	const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
	const [red, green, blue] = parse(colour).map((part) => {
		const share = part / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as unknown as Rgb;
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(colour: string, other: string, share: number): string {
	const goal = parse(other);
	const parts = parse(colour).map((part, i) => Math.round(part + (goal[i]! - part) * share));
	return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function parse(colour: string): Rgb {
	return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Rgb;
}
