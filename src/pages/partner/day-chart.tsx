import type { DayCount } from "../../db/overview.ts";
import { CONSOLE_PAGES as TEXTS } from "../../texts/console-pages.ts";
import type { Language } from "../../texts/language.ts";

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;

/** Bars by day, also as a table; the bars' name says what they count. */
export function DayChart({
	days,
	label,
	language,
}: {
	days: readonly DayCount[];
	label: string;
	language: Language;
}) {
	const most = Math.max(1, ...days.map(({ n }) => n));
	const step = WIDTH / Math.max(1, days.length);
	return (
		<figure class="chart">
			<figcaption>{label}</figcaption>
			<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
				{days.map(({ day, n }, index) => {
					const height = (n / most) * (HEIGHT - 1);
					return (
						<rect x={index * step} y={HEIGHT - height} width={step - GAP} height={height} fill="currentColor">
							<title>{`${day}: ${n}`}</title>
						</rect>
					);
				})}
				<line x1="0" y1={HEIGHT} x2={WIDTH} y2={HEIGHT} stroke="currentColor" />
			</svg>
			<p class="ends">
				<span>{days.at(0)?.day}</span>
				<span>{days.at(-1)?.day}</span>
			</p>
			<details>
				<summary>{TEXTS.asTable[language]}</summary>
				<table>
					<thead>
						<tr>
							<th scope="col">{TEXTS.day[language]}</th>
							<th scope="col">{TEXTS.issued[language]}</th>
						</tr>
					</thead>
					<tbody>
						{days.map(({ day, n }) => (
							<tr>
								<th scope="row">{day}</th>
								<td>{n}</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</figure>
	);
}
