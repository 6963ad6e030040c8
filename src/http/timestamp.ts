/** A time as answers have it. @param time - epoch milliseconds. */
export function timestamp(time: number): string;
export function timestamp(time: number | null): string | null;
export function timestamp(time: number | null): string | null {
	return time === null ? null : new Date(time).toISOString();
}
