/** Calendar dates without a time: `YYYY-MM-DD` strings, proleptic Gregorian, years 1900 to 2199. */

const YEAR_FIRST = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const DAY_FIRST = /^([0-9]{2})([-/])([0-9]{2})\2([0-9]{4})$/;

/**
 * Reads `fechaVencimiento` (§4.1): `YYYY-MM-DD`, `DD-MM-YYYY` or `DD/MM/YYYY`, day first.
 * @returns `YYYY-MM-DD`, or null when the text has another form or names a day that does not exist.
 */
export function readCalendarDate(text: string): string | null {
	const yearFirst = YEAR_FIRST.exec(text);
	if (yearFirst) return existing(yearFirst[1]!, yearFirst[2]!, yearFirst[3]!);
	const dayFirst = DAY_FIRST.exec(text);
	return dayFirst ? existing(dayFirst[4]!, dayFirst[3]!, dayFirst[1]!) : null;
}

function existing(year: string, month: string, day: string): string | null {
	if (Number(year) < 1900 || Number(year) > 2199) return null;
	const iso = `${year}-${month}-${day}`;
	const time = Date.parse(`${iso}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
}
