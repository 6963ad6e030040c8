/* What a figure shows, as data: it is kept beside the SVG that it became. */

export interface Axis {
	label: string;
	log?: boolean;
}

export interface LineChart {
	kind: "lines";
	/** Name of the SVG in docs/figures, without its ending. */
	file: string;
	title: string;
	subtitle: string;
	x: Axis;
	y: Axis;
	series: { name: string; points: [x: number, y: number][] }[];
}

export interface BarChart {
	kind: "bars";
	file: string;
	title: string;
	subtitle: string;
	x: Axis;
	/** A line across all bars where the contenders are equal. */
	reference?: { at: number; label: string };
	groups: {
		name: string;
		bars: { name: string; value: number; interval?: [number, number]; text: string }[];
	}[];
}

export type Chart = LineChart | BarChart;
