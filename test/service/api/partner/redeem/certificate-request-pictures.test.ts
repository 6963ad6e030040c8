import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { MINUTE_MS } from "../../../../../src/domain/durations.ts";
import { platformOf } from "../../../../../src/platform.ts";
import { evidencePlace } from "../../../../../src/secrets/evidence.ts";
import { passTime, stopClock } from "../../../../support/clock.ts";
import { activeCode } from "../../../../support/codes.ts";
import { invalid, refusal } from "../../../../support/refusal.ts";
import { freshService, JUANA, Partner } from "../../../../support/service.ts";
import { rowsOfCode } from "../../../../support/tables.ts";

beforeAll(freshService);
beforeAll(stopClock);

const HEADS = {
	"image/jpeg": [0xff, 0xd8, 0xff, 0xe0],
	"image/png": [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
	"application/pdf": [...new TextEncoder().encode("%PDF-1.7")],
} as const;
type MediaType = keyof typeof HEADS;
const MEDIA_TYPES = Object.keys(HEADS) as MediaType[];
const MAXIMUM = 4 * 1024 * 1024;

/** A file of one kind by its first bytes. */
function picture(mediaType: MediaType, size = 64): Uint8Array {
	const file = new Uint8Array(size).fill(0x5a);
	file.set(HEADS[mediaType]);
	return file;
}

function dataUrl(mediaType: string, file: Uint8Array): string {
	return `data:${mediaType};base64,${file.toBase64()}`;
}

async function storedPictures(pCode: string) {
	const { sealer } = await platformOf(env);
	const rows = await rowsOfCode("evidence", pCode);
	return Promise.all(
		rows.map(async ({ object_key, side, media_type }) => {
			const objectKey = String(object_key);
			const sealed = (await (await env.EVIDENCE.get(objectKey))?.text()) ?? "";
			return { sealed, side, media_type, content: await sealer.open(sealed, evidencePlace(objectKey)) };
		}),
	);
}

test.for(MEDIA_TYPES)(
	"§4.1 dniFront, dniBack: base64 and data URL of %s, kept sealed in R2",
	{ tags: ["picture-forms"] },
	async (mediaType) => {
		const { partner, pCode } = await activeCode();
		const file = picture(mediaType);
		const sent = { dniFront: file.toBase64(), dniBack: dataUrl(mediaType, file) };
		expect((await partner.request({ pCode, ...JUANA, ...sent })).status).toBe(200);

		const stored = await storedPictures(pCode);
		expect(stored.map(({ side, media_type }) => [side, media_type]).sort()).toEqual([
			["back", mediaType],
			["front", mediaType],
		]);
		for (const { sealed, content } of stored) {
			expect(content).toEqual(file);
			expect(sealed).toMatch(/^[a-z0-9]{1,16}\.[\w-]+$/);
			expect(sealed).not.toContain(file.toBase64({ alphabet: "base64url" }).slice(4, 20));
		}
	},
);

test("§4.1 dniFront and dniBack are optional, each without the other", {
	tags: ["request-pictures-optional"],
}, async () => {
	const partner = await Partner.create();
	const file = picture("image/png").toBase64();
	for (const [sent, sides] of [
		[{}, []],
		[{ dniFront: file }, ["front"]],
		[{ dniBack: file }, ["back"]],
	] as const) {
		const pCode = await partner.code();
		await partner.request({ pCode, ...JUANA, ...sent });
		expect((await storedPictures(pCode)).map(({ side }) => side)).toEqual(sides);
	}
});

test('decision "dniFront, dniBack": 4 MiB each decoded, both at once; a byte more of either is 400', {
	tags: ["picture-size", "picture-too-large"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const tooLarge = picture("image/png", MAXIMUM + 1).toBase64();
	for (const field of ["dniFront", "dniBack"])
		expect(refusal(await partner.request({ pCode, ...JUANA, [field]: tooLarge }))).toEqual(
			invalid(`${field} INVALID_VALUE`),
		);
	const file = picture("image/jpeg", MAXIMUM);
	const sent = { dniFront: dataUrl("image/jpeg", file), dniBack: file.toBase64() };
	expect((await partner.request({ pCode, ...JUANA, ...sent })).status).toBe(200);
	expect((await storedPictures(pCode)).map(({ content }) => content.length)).toEqual([MAXIMUM, MAXIMUM]);
});

test('decision "dniFront, dniBack": neither JPEG, PNG nor PDF, or not what it says to be, is 400', {
	tags: ["picture-other-form"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const png = picture("image/png");
	const wrong = [
		new TextEncoder().encode("GIF89a, or so it says").toBase64(),
		dataUrl("image/gif", png),
		dataUrl("image/jpeg", png),
		`data:image/png,${png.toBase64()}`,
		`data:image/png;base64,${dataUrl("image/png", png)}`,
		`${png.toBase64()}!`,
		png.toBase64({ alphabet: "base64url" }).replace(/^iVBORw0K/, "_-_-"),
		png.subarray(0, 4).toBase64(),
		"https://example.cl/card.png",
		"data:image/png;base64,",
	];
	for (const dniFront of wrong) {
		passTime(MINUTE_MS);
		const answer = await partner.request({ pCode, ...JUANA, dniFront });
		expect(refusal(answer)).toEqual(invalid("dniFront INVALID_VALUE"));
	}
	expect(await partner.status(pCode)).toBe("ACTIVE");
});

test('decision "kept as evidence for that validation": one that fails keeps no picture, each that succeeds adds its own', {
	tags: ["picture-failed-validation", "picture-per-validation"],
}, async () => {
	const { partner, pCode } = await activeCode();
	const before = (await env.EVIDENCE.list()).objects.length;
	const ask = (mediaType: MediaType, serialNumber = JUANA.serialNumber) =>
		partner.request({ pCode, ...JUANA, serialNumber, dniFront: picture(mediaType).toBase64() });
	expect((await ask("image/png", "999999999")).status).toBe(406);
	expect(await storedPictures(pCode)).toEqual([]);
	expect((await env.EVIDENCE.list()).objects).toHaveLength(before);
	await ask("image/png");
	await ask("application/pdf");
	const stored = await storedPictures(pCode);
	expect(stored.map(({ media_type }) => media_type).sort()).toEqual(["application/pdf", "image/png"]);
});

test.each(["B2C", "B2B"])(
	"decision 503, %s: no picture kept, nothing changed, no attempt spent, nothing signed",
	async (mode) => {
		const { partner, pCode } = await activeCode({ mode });
		const away = vi
			.spyOn(Object.getPrototypeOf(env.EVIDENCE), "put")
			.mockRejectedValue(new Error("R2 is away"));
		const sent = { pCode, ...JUANA, dniFront: picture("image/png").toBase64() };
		const answer = await partner.request(sent);
		away.mockRestore();
		expect([answer.status, answer.body.error]).toEqual([503, "SERVICE_UNAVAILABLE"]);
		const [row] = await rowsOfCode("purchase_codes", pCode);
		expect(row).toMatchObject({
			version: 0,
			validated_at: null,
			validation_failures: 0,
			processing_until: null,
		});
		expect(await rowsOfCode("certificates", pCode)).toEqual([]);
		expect((await partner.request(sent)).status).toBe(200);
	},
);
