import type { BarChart } from "./chart.ts";
import { formatTick, linearScale, logScale, type Scale } from "./scale.ts";
import { bar, COLOURS, dot, frame, label, line, MARGIN, stroke, TOP, widthOf } from "./svg.ts";

const WIDTH = 760;
const ROW = 19;
const GAP = 12;
const BOTTOM = 46;
/** For the figure behind a bar. */
const TEXT_ROOM = 70;
const FASTER = COLOURS[2];
const SLOWER = COLOURS[1];

type Bar = BarChart["groups"][number]["bars"][number];

/**
 * Rows of bars, grouped. On a log axis with a reference they grow from it to either side, without one they are dots
 * (a log axis has no zero for a bar to stand on); on a linear axis they grow from zero.
 */
export function drawBars(chart: BarChart): string {
	const { title, subtitle, x, reference, groups } = chart;
	const isSingle = groups.length === 1;
	const names = isSingle ? groups[0]!.bars.map(({ name }) => name) : groups.map(({ name }) => name);
	const left = MARGIN + Math.max(...names.map(widthOf)) + 14;
	const rows = groups.reduce((sum, { bars }) => sum + bars.length, 0);
	const top = TOP + (isSingle ? 0 : 22);
	const height = top + rows * ROW + (groups.length - 1) * GAP + BOTTOM;
	const values = groups.flatMap(({ bars }) =>
		bars.flatMap(({ value, interval = [] }) => [value, ...interval]),
	);
	const pixels: [number, number] = [left, WIDTH - MARGIN - TEXT_ROOM];
	const marked = reference ? [...values, reference.at] : values;
	const scale = x.log ? logScale(marked, pixels) : linearScale(Math.max(...marked), pixels);
	const floor = height - BOTTOM + 4;
	const body: string[] = [
		...drawAxis(chart, scale, top, floor),
		...(isSingle ? [] : drawLegend(groups[0]!.bars)),
	];
	let y = top;
	for (const { name, bars } of groups) {
		const middle = y + (bars.length * ROW) / 2;
		if (!isSingle) body.push(label(left - 10, middle + 4, name, { anchor: "end", className: "strong" }));
		for (const [i, one] of bars.entries()) {
			if (isSingle)
				body.push(label(left - 10, y + ROW / 2 + 4, one.name, { anchor: "end", className: "strong" }));
			const colour =
				reference && x.log ? (one.value <= reference.at ? FASTER : SLOWER) : COLOURS[isSingle ? 0 : i]!;
			body.push(...drawBar(one, chart, scale, y, colour));
			y += ROW;
		}
		y += GAP;
	}
	return frame({ width: WIDTH, height }, title, subtitle, body);
}

function drawBar(
	{ value, interval, text }: Bar,
	{ x, reference }: BarChart,
	scale: Scale,
	y: number,
	colour: string,
): string[] {
	const middle = y + ROW / 2;
	const isDot = x.log === true && !reference;
	if (value === 0) return [label(scale.at(scale.from) + 6, middle + 4, text, { className: "faint" })];
	const end = scale.at(value);
	const start = scale.at(reference && x.log ? reference.at : scale.from);
	const whisker = interval
		? [line(scale.at(interval[0]), middle, scale.at(interval[1]), middle, "whisker")]
		: [];
	const reach = Math.max(end, start, interval ? scale.at(interval[1]) : 0);
	return [
		...(isDot
			? [stroke(start, middle, end, middle, colour, 0.75), dot(end, middle, colour, 5)]
			: [bar(Math.min(start, end), y + 3, Math.abs(end - start), ROW - 6, colour)]),
		...whisker,
		label(reach + 9, middle + 4, text, { className: "strong" }),
	];
}

function drawAxis({ x, reference }: BarChart, scale: Scale, top: number, floor: number): string[] {
	const [start, end] = [scale.at(scale.from), scale.at(scale.to)];
	return [
		...scale.ticks.flatMap((tick) => [
			line(scale.at(tick), top - 2, scale.at(tick), floor, "grid"),
			label(scale.at(tick), floor + 15, formatTick(tick), { anchor: "middle", className: "faint" }),
		]),
		label((start + end) / 2, floor + 33, x.label, { anchor: "middle", className: "faint" }),
		...(reference
			? [
					line(scale.at(reference.at), top - 6, scale.at(reference.at), floor, "axis"),
					label(scale.at(reference.at), top - 10, reference.label, { anchor: "middle", className: "faint" }),
				]
			: []),
	];
}

function drawLegend(bars: readonly Bar[]): string[] {
	let x = MARGIN;
	return bars.flatMap(({ name }, i) => {
		const at = x;
		x += widthOf(name) + 34;
		return [dot(at + 5, TOP - 8, COLOURS[i]!, 5), label(at + 15, TOP - 4, name, { colour: COLOURS[i]! })];
	});
}
