const ZONE = "America/Santiago";

/**
 * When a month of Chile begins and ends, as the filters of lists take it: `2026-11-01T00:00:00-03:00`. Counters have the
 * same days (`santiago_offsets`).
 * @param month - YYYY-MM
 */
export function chileMonth(month: string): { first: string; last: string } {
	const [year, number] = month.split("-").map(Number);
	const days = new Date(Date.UTC(year!, number!, 0)).getUTCDate();
	return { first: inChile(`${month}-01T00:00:00`), last: inChile(`${month}-${days}T23:59:59.999`) };
}

/** With the offset that it has in Chile: of the winter's or an hour after it, for no month begins within an hour of a change. */
function inChile(local: string): string {
	const form = new Intl.DateTimeFormat("en", { timeZone: ZONE, timeZoneName: "longOffset" });
	const parts = form.formatToParts(Date.parse(`${local}-04:00`));
	return local + parts.find(({ type }) => type === "timeZoneName")!.value.slice("GMT".length);
}
