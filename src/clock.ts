/** The only place that reads the time: epoch milliseconds. Use cases in objects and jobs take it from `Platform.clock`. */
export function clock(): number {
	return Date.now();
}
