/** A way from figures to places along an axis, and the figures worth marking. */
export interface Scale {
	/** @returns pixels */
	at(value: number): number;
	ticks: number[];
	from: number;
	to: number;
}

/** From zero up, to a round figure at or above the largest. */
export function linearScale(largest: number, pixels: [number, number]): Scale {
	const step = roundStep(largest / 4);
	const to = Math.ceil(largest / step - 1e-9) * step;
	const ticks = Array.from({ length: Math.round(to / step) + 1 }, (_, i) => i * step);
	return { at: (value) => interpolate(pixels, value / to), ticks, from: 0, to };
}

/** From the mark below the smallest figure to the one above the largest; marks at 1, 2, 5 or powers of ten alone. */
export function logScale(
	values: readonly number[],
	pixels: [number, number],
	every?: readonly number[],
): Scale {
	const positive = values.filter((value) => value > 0);
	const [low, high] = [Math.min(...positive), Math.max(...positive)];
	const steps = high / low > 300 ? [1] : high / low > 30 ? [1, 3] : [1, 2, 5];
	const marks = powers(low, high).flatMap((power) => steps.map((step) => step * power));
	const from = every ? low : marks.findLast((mark) => mark <= low * 1.001)!;
	const to = every ? high : marks.find((mark) => mark >= high * 0.999)!;
	const share = (value: number) =>
		to === from ? 0.5 : (Math.log(Math.max(value, from)) - Math.log(from)) / (Math.log(to) - Math.log(from));
	const ticks = every ? [...every] : marks.filter((mark) => mark >= from && mark <= to);
	return { at: (value) => interpolate(pixels, share(value)), ticks, from, to };
}

function powers(low: number, high: number): number[] {
	const first = Math.floor(Math.log10(low)) - 1;
	const last = Math.ceil(Math.log10(high)) + 1;
	return Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
}

function roundStep(rough: number): number {
	const power = 10 ** Math.floor(Math.log10(rough));
	return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= rough * 0.999)!;
}

function interpolate([start, end]: [number, number], share: number): number {
	return start + (end - start) * share;
}

/** As few digits as tell it. */
export function formatTick(value: number): string {
	return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}
