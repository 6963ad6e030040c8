import { runInDurableObject } from "cloudflare:test";
import { beforeAll, expect, test, vi } from "vitest";
import { activeCode, validatedCode } from "../../support/codes.ts";
import { certificatesOf, codeObject, codeRow } from "../../support/look-inside.ts";
import { freshService, JUANA, ops, type Partner } from "../../support/service.ts";

beforeAll(freshService);

/** Signatures made with a private key, of whichever kind. */
function watchSigning() {
	const sign = vi.spyOn(crypto.subtle, "sign");
	return () => sign.mock.calls.filter(([, key]) => key.type === "private").length;
}

test.each([
	["claim", validatedCode, (partner: Partner, pCode: string) => partner.claim(pCode)],
	[
		"B2B request",
		() => activeCode({ mode: "B2B" }),
		(partner: Partner, pCode: string) => partner.request({ pCode, ...JUANA }),
	],
] as const)(
	"invariant 2: a %s signs nothing while the storage has not confirmed the serial",
	async (_, ready, act) => {
		const { partner, pCode } = await ready();
		const storage: DurableObjectStorage = await runInDurableObject(codeObject(partner, pCode), (_, state) =>
			Object.getPrototypeOf(state.storage),
		);
		const sync = vi.spyOn(storage, "sync").mockRejectedValue(new Error("storage: not confirmed"));
		const signatures = watchSigning();
		const failed = await act(partner, pCode);
		expect(sync).toHaveBeenCalled();
		expect(failed.status).toBeGreaterThanOrEqual(500);
		expect(signatures()).toBe(0);
		expect(await codeRow(pCode)).toMatchObject({ issued_at: null, certificate_serial: null });
		expect((await certificatesOf(pCode)).filter(({ issued_at }) => issued_at !== null)).toEqual([]);

		sync.mockRestore();
		// The object remembers a serial, but no certificate that D1 could have forgotten.
		for (const verb of ["block", "unblock"])
			expect((await ops("POST", `/pcodes/${pCode}/${verb}`, { reason: "test" })).status).toBe(200);
		expect((await act(partner, pCode)).status).toBe(200);
		expect(signatures()).toBeGreaterThan(0);
	},
);
