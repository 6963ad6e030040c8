import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { auditOf } from "../../support/look-inside.ts";
import { freshService, JUANA } from "../../support/service.ts";
import { claim, frame, session, showSession, submit, TERMS, TYPED } from "../../support/widget.ts";

beforeAll(freshService);
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

test("B2C: from the session to the certificate, which can be downloaded again", async () => {
	const made = await session();
	const { partner, pCode } = made;
	expect(await partner.status(pCode)).toBe("ACTIVE");
	const opened = await frame(made, "POST", "/open");
	expect([opened.status, opened.body]).toEqual([
		200,
		{
			success: true,
			data: {
				session_id: made.session,
				p_code: pCode,
				locale: "es",
				status: "open",
				steps: ["rut", "card", "email", "pin", "review"],
				step: "rut",
				answers: {},
				sign_on: "none",
				claim: true,
				mode: "B2C",
				expires_at: expect.any(String),
				partner: { name: "Partner under test", accent: null, logo: null },
				terms: { version: TERMS, terms_url: expect.any(String), privacy_url: expect.any(String) },
			},
		},
	]);
	expect(await partner.status(pCode)).toBe("IN_ONBOARDING");
	expect((await partner.listed(pCode)).status).toBe("en_proceso");

	const saved = await frame(made, "PUT", "/answers", { ...TYPED, dni: "11.111.111-1", step: "email" });
	expect(saved.body.data).toMatchObject({ answers: TYPED, step: "email" });
	expect((await frame(made, "GET")).body).toEqual(saved.body);

	const validated = await submit(made);
	expect([validated.status, validated.body.data.status]).toEqual([200, "validated"]);
	expect(await partner.status(pCode)).toBe("VALIDATED");
	const [first, again] = [await claim(made), await claim(made)];
	expect([first.status, again.text]).toEqual([200, first.text]);
	expect(first.body.data).toMatchObject({ file_name: `certificado-${JUANA.dni}.pfx` });
	expect(await partner.status(pCode)).toBe("EMITTED");
	const done = await frame(made, "GET");
	expect(done.body.data).toMatchObject({
		status: "emitted",
		certificate: { serialNumber: first.body.data.serialNumber },
	});
	expect((await showSession(made)).body.data).toMatchObject({ status: "completed", end_reason: null });
	expect(await auditOf(pCode)).toEqual([`session_made ${made.session}`, "validated ok", "emitted ok"]);
});
