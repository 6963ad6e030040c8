import { afterEach } from "vitest";

/*
 * The service logs a line per call. Vitest would carry each one to its own process, a quarter of a test's time: they
 * wait here, and are printed where the test fails.
 */

const METHODS = ["debug", "info", "log", "warn", "error"] as const;
const quiet = Symbol.for("keeps its lines");
const kept: (() => void)[] = [];

if (!(quiet in console)) {
	for (const method of METHODS) {
		const print = console[method].bind(console);
		console[method] = (...line) => void kept.push(() => print(...line));
	}
	Object.assign(console, { [quiet]: kept });
}

afterEach(({ task }) => {
	const lines = (console as unknown as Record<symbol, typeof kept>)[quiet]!.splice(0);
	if (task.result?.state === "fail") for (const print of lines) print();
});
