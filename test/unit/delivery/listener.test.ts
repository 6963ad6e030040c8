import { expect, test } from "vitest";
import { type ForwardedAnswer, postToListener, reachListenersBy } from "../../../src/delivery/listener.ts";
import type { Platform } from "../../../src/platform.ts";

const NOW = Date.UTC(2026, 10, 22);
const platform = { clock: () => NOW } as Platform;
const POST = { id: "id", body: "{}", secrets: [], timeoutMs: 50 };
const failed = (label: string) => ({ kind: "failed", label, retryAfterMs: null });

test.each<[string, () => Promise<ForwardedAnswer | "nobody" | "timeout">, unknown]>([
	["takes it", async () => ({ status: 204, retryAfter: null }), { kind: "delivered", httpStatus: 204 }],
	[
		"puts it off",
		async () => ({ status: 503, retryAfter: "7" }),
		{ kind: "failed", label: "http 503", retryAfterMs: 7_000, httpStatus: 503 },
	],
	["cannot reach its server", async () => ({ status: null, retryAfter: null }), failed("unreachable")],
	["is mute", async () => "timeout", failed("timeout")],
	["never ends", () => new Promise(() => {}), failed("timeout")],
	["is gone, as if there never had been one", async () => "nobody", null],
])("a listener that %s", async (_, forward, outcome) => {
	reachListenersBy(forward);
	const posted = (listeningUntil: number | null) =>
		postToListener(platform, { id: "pt_1", listeningUntil }, POST);
	expect(await posted(NOW + 1)).toEqual(outcome);
	expect([await posted(NOW), await posted(null)]).toEqual([null, null]);
});
