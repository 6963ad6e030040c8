import { readFile } from "node:fs/promises";
import type { LineChart } from "../../../bench/plot/chart.ts";
import { figure, markdownTable } from "./tables.ts";

/**
 * The measured growth of clients beside what one server would give that takes one call at a time: as many answers a
 * second for n clients as for one.
 * @param file - docs/figures/bench.json.
 */
export async function clientsTable(file: string): Promise<string> {
	const parts = JSON.parse(await readFile(file, "utf8")) as Record<string, { charts?: LineChart[] }>;
	const chart = Object.values(parts)
		.flatMap(({ charts }) => charts ?? [])
		.find((chart) => chart.file === "bench-clients");
	const points = chart?.series[0]?.points ?? [];
	const [first] = points;
	if (!first) return "The bench has not measured the growth of clients.";
	const alone = first[1] / first[0];
	return markdownTable(
		["clients at once", "`status` a second, measured", "one server", "measured / one server"],
		points.map(([clients, answers]) => [clients, figure(answers), figure(alone), figure(answers / alone)]),
	);
}
