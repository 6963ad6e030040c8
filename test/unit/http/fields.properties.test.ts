import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { cardPicture } from "../../../src/api/partner/redeem/card-picture.ts";
import type { PartnerDb } from "../../../src/db/query.ts";
import { DOCUMENT_IMAGE_MAX } from "../../../src/domain/limits.ts";
import type { AppEnv } from "../../../src/http/app-env.ts";
import { readIdempotencyKey } from "../../../src/http/idempotency.ts";
import type { Platform } from "../../../src/platform.ts";
import { createKeyedHash } from "../../../src/secrets/keyed-hash.ts";
import { preferredLanguage } from "../../../src/texts/language.ts";
import { anyText, bent, holds, holdsLater } from "../../support/holds.ts";

/** Header text; without octets beyond ASCII, at which workerd warns: the fuzz of the surface sends those. */
const headerText = fc.string({
	unit: fc.integer({ min: 0x20, max: 0x7f }).map((code) => String.fromCharCode(code)),
	maxLength: 300,
});

describe("decisions: dniFront, dniBack", () => {
	const heads = [
		["image/jpeg", [0xff, 0xd8, 0xff]],
		["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
		["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
	] as const;
	const file = fc
		.tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }))
		.map(([[type, head], rest]) => ({ type, content: Uint8Array.from([...head, ...rest]) }));

	test("a JPEG, PNG or PDF is read from base64, base64url and a data URL of its kind (image/jpg is JPEG), and of no other", () =>
		holds([file], ({ type, content }) => {
			const base64 = content.toBase64();
			expect(cardPicture.parse(base64)).toEqual({ mediaType: type, content });
			const url = content.toBase64({ alphabet: "base64url", omitPadding: true });
			expect(cardPicture.parse(url)).toEqual({ mediaType: type, content });
			for (const other of [...heads.map(([known]) => known), "image/jpg"])
				expect(cardPicture.safeParse(`data:${other};base64,${base64}`).success).toBe(
					other.replace("jpg", "jpeg") === type,
				);
		}));

	test("whatever the text: no exception, a refusal or a file that begins as its kind does", () =>
		holds(
			[
				fc.oneof(
					anyText,
					fc.base64String(),
					file.chain(({ content }) => bent(`data:image/png;base64,${content.toBase64()}`)),
				),
			],
			(text) => {
				const { data } = cardPicture.safeParse(text);
				if (data === undefined) return;
				const [, head] = heads.find(([type]) => type === data.mediaType)!;
				expect([...data.content.subarray(0, head.length)]).toEqual(head);
				const named = /^data:([a-z]+\/[a-z]+);/.exec(text)?.[1];
				expect(named ?? data.mediaType).toBe(data.mediaType);
			},
		));

	test("4 MiB are taken, one octet more is not, and neither is text of any length that is no base64", () => {
		for (const [, head] of heads) {
			const largest = new Uint8Array(DOCUMENT_IMAGE_MAX);
			largest.set(head);
			expect(cardPicture.parse(largest.toBase64()).content.length).toBe(DOCUMENT_IMAGE_MAX);
			const larger = new Uint8Array(DOCUMENT_IMAGE_MAX + 1);
			larger.set(head);
			expect(cardPicture.safeParse(larger.toBase64()).success).toBe(false);
		}
		expect(cardPicture.safeParse("!".repeat(5_000_000)).success).toBe(false);
	});
});

describe("decisions: Accept-Language", () => {
	const range = fc.tuple(
		fc.constantFrom("es", "en", "ES-CL", "en-GB", "fr", "*"),
		fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null }),
	);

	test("the better liked of Spanish and English, the first where they are liked alike", () =>
		holds([fc.array(range, { maxLength: 6 })], (ranges) => {
			const header = ranges
				.map(([tag, q]) => (q === null ? tag : `${tag};q=${(q / 1000).toFixed(3)}`))
				.join(", ");
			const known = ranges
				.map(([tag, q]) => ({ language: tag.slice(0, 2).toLowerCase(), quality: q ?? 1000 }))
				.filter(({ language, quality }) => ["es", "en"].includes(language) && quality > 0);
			const most = Math.max(...known.map(({ quality }) => quality));
			const best = known.find(({ quality }) => quality === most)?.language ?? "en";
			expect([header, preferredLanguage(header)]).toEqual([header, best]);
		}));

	test("whatever the header: one of the two, without delay", () =>
		holds(
			[fc.oneof(headerText, bent("es-CL,es;q=0.9,en;q=0.8"), fc.constant("es ;".repeat(5000)))],
			(header) => {
				expect(["en", "es"]).toContain(preferredLanguage(header));
			},
		));
});

describe("Idempotency-Key", () => {
	async function reader() {
		const index = await createKeyedHash(new Uint8Array(32).fill(7));
		const platform = { index, settings: { indexKey: new Uint8Array(32).fill(9) } } as unknown as Platform;
		const app = new Hono<AppEnv>().post("/", async (c) => {
			c.set("platform", platform);
			c.set("language", "en");
			const db = {} as PartnerDb;
			const rights = { scopes: [], expiresAt: null, allowedCidrs: null };
			c.set("owner", {
				keyId: "key_1",
				partnerId: "pt_1",
				partnerName: "P",
				clockOffset: 0,
				db,
				isFrozen: false,
				...rights,
			});
			const key = await readIdempotencyKey(c);
			return key instanceof Response
				? key
				: c.json({ keyId: key?.keyId ?? null, fingerprint: key?.fingerprint ?? null });
		});
		return async (key: string, body = "{}") => {
			const answer = await app.request("/", { method: "POST", headers: { "idempotency-key": key }, body });
			return {
				status: answer.status,
				...((await answer.json()) as { keyId?: string; fingerprint?: string }),
			};
		};
	}
	const visible = fc.string({
		unit: fc.integer({ min: 0x23, max: 0x7e }).map((code) => String.fromCharCode(code)),
		minLength: 1,
		maxLength: 255,
	});

	test("of 1 to 255 visible ASCII characters, with quotes or without, told from every other and bound to the body", {
		tags: ["idempotency-key-length", "idempotency-key-quotes"],
	}, async () => {
		const send = await reader();
		await holdsLater([visible, visible], async (key, other) => {
			const [bare, quoted, another, changed] = [
				await send(key),
				await send(`"${key}"`),
				await send(other),
				await send(key, "[]"),
			];
			expect([bare.status, bare]).toEqual([200, quoted]);
			expect(another.keyId === bare.keyId).toBe(key === other);
			expect([changed.keyId, changed.fingerprint === bare.fingerprint]).toEqual([bare.keyId, false]);
			expect(JSON.stringify(bare).includes(key) && key.length > 8).toBe(false);
		});
	});

	test("whatever the header: read, or 400", async () => {
		const send = await reader();
		await holdsLater([headerText], async (header) => {
			const { status } = await send(header);
			const bare = header.trim().replace(/^"(.*)"$/, "$1");
			expect([header, status]).toEqual([header, /^[\x21-\x7e]{1,255}$/.test(bare) ? 200 : 400]);
		});
	});
});
