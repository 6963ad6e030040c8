import type { Axis, LineChart } from "./chart.ts";
import { formatTick, linearScale, logScale, type Scale } from "./scale.ts";
import { COLOURS, dot, frame, label, line, MARGIN, polyline, stroke, TOP, widthOf } from "./svg.ts";

const WIDTH = 760;
const HEIGHT = 400;
const BOTTOM = 52;
const LEFT = 62;
/** Between two names at the right end. */
const NAME_HEIGHT = 15;

/** Lines named at their right ends, a mark at every figure that was measured. */
export function drawLines({ title, subtitle, x, y, series }: LineChart): string {
	const right = Math.max(...series.map(({ name }) => widthOf(name))) + 22;
	const xs = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].toSorted((a, b) => a - b);
	const ys = series.flatMap(({ points }) => points.map(([, value]) => value));
	const across = scaleOf(x, xs, [LEFT, WIDTH - MARGIN - right], xs);
	const up = scaleOf(y, ys, [HEIGHT - BOTTOM, TOP + 12]);
	const lines = series.map(({ name, points }, i) => ({
		name,
		colour: COLOURS[i % COLOURS.length]!,
		points: points.map(([at, value]): [number, number] => [across.at(at), up.at(value)]),
	}));
	return frame({ width: WIDTH, height: HEIGHT }, title, subtitle, [
		...drawAxes(across, up, x, y, WIDTH - MARGIN - right),
		...lines.map(({ points, colour }) => polyline(points, colour)),
		...lines.flatMap(({ points, colour }) => points.map(([px, py]) => dot(px, py, colour))),
		...nameEnds(lines.map((one) => ({ ...one, end: one.points.at(-1)! }))),
	]);
}

function scaleOf(
	{ log }: Axis,
	values: readonly number[],
	pixels: [number, number],
	every?: number[],
): Scale {
	return log ? logScale(values, pixels, every) : linearScale(Math.max(...values), pixels);
}

function drawAxes(across: Scale, up: Scale, x: Axis, y: Axis, end: number): string[] {
	const floor = HEIGHT - BOTTOM;
	return [
		...up.ticks.flatMap((tick) => [
			line(LEFT, up.at(tick), end, up.at(tick), up.at(tick) === floor ? "axis" : "grid"),
			label(LEFT - 8, up.at(tick) + 4, formatTick(tick), {
				anchor: "end",
				className: "faint",
			}),
		]),
		...across.ticks.flatMap((tick) => [
			line(across.at(tick), floor, across.at(tick), floor + 4, "axis"),
			label(across.at(tick), floor + 18, formatTick(tick), { anchor: "middle", className: "faint" }),
		]),
		label(MARGIN, TOP - 6, y.label, { className: "faint" }),
		label((LEFT + end) / 2, HEIGHT - 12, x.label, { anchor: "middle", className: "faint" }),
	];
}

interface End {
	name: string;
	colour: string;
	end: [number, number];
}

/** Names beside the last figures, moved apart where they would lie on one another. */
function nameEnds(ends: readonly End[]): string[] {
	const sorted = ends.toSorted((a, b) => a.end[1] - b.end[1]);
	const places: number[] = [];
	for (const { end } of sorted) places.push(Math.max(end[1], (places.at(-1) ?? -100) + NAME_HEIGHT));
	const excess = Math.max(0, (places.at(-1) ?? 0) - (HEIGHT - BOTTOM));
	for (let i = places.length - 1, limit = Number.POSITIVE_INFINITY; i >= 0 && excess > 0; i--) {
		places[i] = Math.min(i === places.length - 1 ? places[i]! - excess : places[i]!, limit);
		limit = places[i]! - NAME_HEIGHT;
	}
	return sorted.flatMap(({ name, colour, end: [x, y] }, i) => [
		...(Math.abs(places[i]! - y) > 5 ? [stroke(x + 6, y, x + 14, places[i]!, colour, 0.75)] : []),
		label(x + 17, places[i]! + 4, name, { colour }),
	]);
}
