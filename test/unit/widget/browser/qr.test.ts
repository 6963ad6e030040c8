import { expect, test } from "vitest";
import { qrBox, qrPath } from "../../../../src/widget/browser/qr.ts";
import { drawnModules, modulesOf } from "../../../support/qr.ts";

test.each([
	["https://certificates.example/revocar", 29],
	[`https://certificates.example/onboarding/os_${"5f".repeat(16)}#wt_${"K5oZ".repeat(11)}`, 49],
	["ñ", 21],
])("a QR code's path draws the modules of its text, within a quiet zone of four: %s", (text, size) => {
	const code = qrPath(text);
	expect(code.size).toBe(size);
	expect(drawnModules(code.path, code.size)).toBe(modulesOf(text));
	expect(qrBox(code)).toBe(`-4 -4 ${size + 8} ${size + 8}`);
});
