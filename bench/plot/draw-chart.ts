import { drawBars } from "./bar-chart.ts";
import type { Chart } from "./chart.ts";
import { drawLines } from "./line-chart.ts";

/** @returns an SVG document */
export function drawChart(chart: Chart): string {
	return chart.kind === "lines" ? drawLines(chart) : drawBars(chart);
}
