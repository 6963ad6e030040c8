import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";

/** A figure of docs/contributors/figures. */
export interface Chart {
	/** Name of the SVG, without its ending. */
	file: string;
	title: string;
	subtitle: string;
	/** Data, marks and encoding of Vega-Lite. */
	spec: object;
}

type Axis = { label: string; log?: boolean };
type Names = Pick<Chart, "file" | "title" | "subtitle">;

/** @returns an SVG document on a white ground */
export async function drawChart({ title, subtitle, spec }: Chart): Promise<string> {
	const { spec: drawing } = compile({
		...spec,
		$schema: "https://vega.github.io/schema/vega-lite/v6.json",
		background: "white",
		padding: 20,
		title: { text: title, subtitle, anchor: "start", frame: "bounds", offset: 16, subtitlePadding: 6 },
		config: {
			font: "system-ui, sans-serif",
			title: { fontSize: 17, subtitleFontSize: 11, subtitleColor: "#6d7683" },
			axis: { labelLimit: 0, titleFontWeight: "normal", gridColor: "#e9ecf0", domainColor: "#aab2bd" },
			legend: { orient: "top", columns: 4, offset: 24, labelLimit: 400 },
			view: { stroke: null },
			range: { category: ["#3a7bd5", "#e0793a", "#2a9d7c", "#9a6bc9", "#d1495b", "#7f8894"] },
		},
	} as TopLevelSpec);
	const view = new View(parse(drawing), { renderer: "none" });
	return `${await view.toSVG()}\n`;
}

/** A mark at every figure that was measured, joined by series. */
export function lineChart({
	x,
	y,
	series,
	...names
}: Names & { x: Axis; y: Axis; series: { name: string; points: [x: number, y: number][] }[] }): Chart {
	const values = series.flatMap(({ name, points }) =>
		points.map((point) => ({ name, x: point[0], y: point[1] })),
	);
	const measured = [...new Set(values.map((value) => value.x))];
	return {
		...names,
		spec: {
			width: 520,
			height: 280,
			data: { values },
			mark: { type: "line", point: { filled: true, size: 45 } },
			encoding: {
				x: { ...quantity("x", x), axis: { title: x.label, values: measured, format: ",", grid: false } },
				y: quantity("y", y),
				color: { field: "name", type: "nominal", title: null, sort: null },
			},
		},
	};
}

export interface Bar {
	name: string;
	value: number;
	interval?: [number, number];
	text: string;
}

/**
 * Rows of bars, grouped. They grow from the reference, or without one from zero; a logarithmic axis has no zero, there
 * they are points. A bar of zero is left out.
 */
export function barChart({
	x,
	reference,
	groups,
	...names
}: Names & {
	x: Axis;
	/** Line where the contenders are equal. */
	reference?: { at: number; label: string };
	groups: { name: string; bars: Bar[] }[];
}): Chart {
	const values = groups.flatMap(({ name, bars }) =>
		bars
			.filter(({ value }) => value > 0)
			.map(({ interval, ...bar }) => ({
				...bar,
				group: name,
				low: interval?.[0],
				high: interval?.[1],
				end: Math.max(bar.value, interval?.[1] ?? 0, reference?.at ?? 0),
			})),
	);
	const isGrouped = groups.length > 1;
	const row = isGrouped
		? { y: nominal("group"), yOffset: { field: "name", sort: null }, color: nominal("name") }
		: { y: nominal("name") };
	const start = x.log ? (reference ? { x2: { datum: reference.at } } : {}) : { x2: { datum: 0 } };
	const mark = x.log && !reference ? { type: "point", filled: true, size: 70 } : { type: "bar" };
	return {
		...names,
		spec: {
			width: 480,
			height: { step: isGrouped ? 16 : 24, for: isGrouped ? "offset" : "position" },
			data: { values },
			encoding: row,
			layer: [
				{ mark, encoding: { x: quantity("value", x), ...start } },
				{
					transform: [{ filter: "isValid(datum.low)" }],
					mark: { type: "rule", color: "#161b22", opacity: 0.65 },
					encoding: {
						x: { field: "low", type: "quantitative" },
						x2: { field: "high" },
						color: { value: "#161b22" },
					},
				},
				{
					mark: { type: "text", align: "left", dx: 8 },
					encoding: {
						x: { field: "end", type: "quantitative" },
						text: { field: "text" },
						color: { value: "#49525e" },
					},
				},
				...(reference ? [referenceLine(reference)] : []),
			],
		},
	};
}

function referenceLine({ at, label }: { at: number; label: string }) {
	const none = { y: null, yOffset: null, color: null };
	return {
		data: { values: [{ at, label }] },
		encoding: { x: { field: "at", type: "quantitative" }, ...none },
		layer: [
			{ mark: { type: "rule", color: "#6d7683" } },
			{ mark: { type: "text", y: -8, color: "#6d7683" }, encoding: { text: { field: "label" } } },
		],
	};
}

function quantity(field: string, { label, log }: Axis) {
	return {
		field,
		type: "quantitative",
		title: label,
		scale: log ? { type: "log", nice: false } : { zero: true },
		axis: { title: label, tickCount: 6, format: "~r" },
	};
}

function nominal(field: string) {
	return { field, type: "nominal", title: null, sort: null };
}
