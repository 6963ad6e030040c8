import { afterEach, expect, test, vi } from "vitest";
import { createWords } from "../../../../src/widget/browser/words.ts";

afterEach(() => vi.useRealTimers());

test("a time is said as in Chile, by its clock: la 01:15, las 15:42, and the day where it is another one", () => {
	vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 22, 12) });
	const [es, en] = [createWords("es", "Tienda"), createWords("en", "Shop")];
	const [early, afternoon, tomorrow] = [
		Date.UTC(2026, 10, 22, 4, 15),
		Date.UTC(2026, 10, 22, 18, 42),
		Date.UTC(2026, 10, 23, 4, 5),
	];
	expect([early, afternoon, tomorrow].map((at) => es.text("endsSoon", { time: es.time(at) }))).toEqual([
		"Por seguridad, esta sesión termina a la 01:15.",
		"Por seguridad, esta sesión termina a las 15:42.",
		"Por seguridad, esta sesión termina a la 01:05 del 23 de noviembre.",
	]);
	expect(es.text("downloadUntil", { time: es.time(early) })).toContain("hasta la 01:15.");
	const limit = es.refusal("ATTEMPT_LIMIT_REACHED", { time: es.time(afternoon) });
	expect(limit).toContain("de nuevo a las 15:42 (");
	expect(en.text("endsSoon", { time: en.time(early) })).toContain("ends at 01:15.");
});
