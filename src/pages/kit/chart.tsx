import type { DayCount } from "../../db/overview.ts";
import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import { dayAndMonth, shortDay } from "../../texts/dates.ts";
import type { Language } from "../../texts/language.ts";
import { readableNumber } from "../../texts/numbers.ts";

const WIDTH = 600;
const HEIGHT = 144;

interface DayChartProps {
	days: readonly DayCount[];
	/** Name of what the bars count. */
	label: string;
	language: Language;
}

/** Bars by day with their axis, also as a table. The drawing has no text: it is stretched to its place. */
export function DayChart({ days, label, language }: DayChartProps) {
	const top = topOf(Math.max(0, ...days.map(({ n }) => n)));
	const step = WIDTH / Math.max(1, days.length);
	const middle = days[Math.floor((days.length - 1) / 2)];
	const ends = [days[0], middle, days.at(-1)].flatMap((one) => (one ? [one.day] : []));
	return (
		<figure class="chart">
			<figcaption>{label}</figcaption>
			<div class="plot">
				<div class="values" aria-hidden="true">
					{[top, top / 2, 0].map((value) => (
						<span>{readableNumber(value, language)}</span>
					))}
				</div>
				<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
					{[0, 0.5, 1].map((part) => (
						<line x1="0" y1={part * HEIGHT} x2={WIDTH} y2={part * HEIGHT} />
					))}
					{days.map(({ day, n }, i) => (
						<rect
							x={round(i * step + step * 0.15)}
							y={round(HEIGHT * (1 - n / top))}
							width={round(step * 0.7)}
							height={round((HEIGHT * n) / top)}
							fill="currentColor"
						>
							<title>{`${shortDay(day, language)}: ${readableNumber(n, language)}`}</title>
						</rect>
					))}
				</svg>
				<div class="days" aria-hidden="true">
					{[...new Set(ends)].map((day) => (
						<span>{dayAndMonth(day, language)}</span>
					))}
				</div>
			</div>
			<details>
				<summary>{T.asTable[language]}</summary>
				<table>
					<thead>
						<tr>
							<th scope="col">{T.day[language]}</th>
							<th scope="col">{T.issued[language]}</th>
						</tr>
					</thead>
					<tbody>
						{days.map(({ day, n }) => (
							<tr>
								<th scope="row">{shortDay(day, language)}</th>
								<td>{readableNumber(n, language)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</figure>
	);
}

/** A line without an axis. @param label - says its values */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
	const top = Math.max(1, ...values);
	const step = 100 / Math.max(1, values.length - 1);
	const points = values.map((value, i) => `${round(i * step)},${round(27 - (26 * value) / top)}`);
	return (
		<svg class="spark" viewBox="0 0 100 28" role="img" aria-label={label} preserveAspectRatio="none">
			<polyline points={points.join(" ")} />
		</svg>
	);
}

/** The axis' end: an even number with one digit that is not 0, so that its half is a whole number too. */
function topOf(most: number): number {
	const ten = 10 ** Math.floor(Math.log10(Math.max(1, most)));
	const ends = Array.from({ length: 10 }, (_, i) => (i + 1) * ten);
	return ends.find((end) => end >= most && end % 2 === 0)!;
}

function round(value: number): number {
	return Math.round(value * 10) / 10;
}
