import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { judgeOutboundUrl } from "../../../src/delivery/outbound-url.ts";
import { isCanonicalCardSerial, normaliseCardSerial } from "../../../src/domain/card-serial.ts";
import { cursorField, writeCursor } from "../../../src/http/cursor.ts";
import { fullName, namesAgree } from "../../../src/identity/compare-names.ts";
import { anyText, bent, holds } from "../../support/holds.ts";

describe("outgoing addresses", () => {
	const policy = { ownHost: "certificates.example", allowLoopback: false };
	const PRIVATE: [string, number][] = [
		["10.0.0.0", 8],
		["127.0.0.0", 8],
		["169.254.0.0", 16],
		["172.16.0.0", 12],
		["192.168.0.0", 16],
		["100.64.0.0", 10],
		["0.0.0.0", 8],
		["224.0.0.0", 4],
	];

	test("no private address, in whatever notation it comes", () =>
		holds([fc.constantFrom(...PRIVATE), fc.nat(2 ** 32 - 1)], ([network, bits], random) => {
			const base = network.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
			const address = base + (random % 2 ** (32 - bits));
			const octets = [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
			const hex = address.toString(16).padStart(8, "0");
			for (const host of [
				...[
					octets.join("."),
					String(address),
					`0x${hex}`,
					`0${address.toString(8)}`,
					octets.map((octet) => `0${octet.toString(8)}`).join("."),
				],
				...[
					`[::ffff:${octets.join(".")}]`,
					`[64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}]`,
					`[2002:${hex.slice(0, 4)}:${hex.slice(4)}::1]`,
				],
			])
				expect([host, judgeOutboundUrl(`https://${host}/hook`, policy).ok]).toEqual([host, false]);
		}));

	test("whatever the text: no exception, and what is let through is https to another host with a dot in its name", () =>
		holds(
			[
				fc.oneof(
					anyText,
					fc.webUrl(),
					bent("https://partner.example/hook"),
					bent("https://certificates.example"),
				),
			],
			(text) => {
				const verdict = judgeOutboundUrl(text, policy);
				if (!verdict.ok) return;
				const { protocol, hostname, username, password } = verdict.url;
				expect([protocol, username, password]).toEqual(["https:", "", ""]);
				expect(hostname).toMatch(/[.:]/);
				expect(hostname).not.toMatch(/(^|\.)certificates\.example\.?$/);
			},
		));

	test("on a developer's machine plain http is let through to a loopback address only", () => {
		const starts = [
			"http://localhost:1/x",
			"http://[::1]/",
			"http://127.0.0.1/",
			"http://127.1/",
			"http://8.8.8.8/",
		];
		const address = fc.oneof(anyText, fc.webUrl(), ...starts.map(bent));
		holds([address], (text) => {
			const verdict = judgeOutboundUrl(text, { ...policy, allowLoopback: true });
			if (!verdict.ok || verdict.url.protocol === "https:") return;
			expect(verdict.url.hostname).toMatch(/^(localhost|\[::1\]|127\..*)$/);
		});
	});
});

describe("decision NAME_MISMATCH: case, accents and repeated spaces do not matter, letters do", () => {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZÁÉÍÓÚÜÑÇÀÊÖ'".split("");
	const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
	const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));

	test("a name agrees with itself however it is typed, and with no shorter one", () =>
		holds(
			[name, name, fc.option(name, { nil: null }), fc.nat(3)],
			(names, fatherSurname, motherSurname, way) => {
				const typed = (text: string) =>
					[
						text.toLowerCase(),
						text.normalize("NFD"),
						`  ${text.replaceAll(" ", " \t ")} `,
						text.normalize("NFD").replaceAll(/\p{M}/gu, ""),
					][way]!;
				const registered = { names, fatherSurname, motherSurname };
				const sent = {
					names: typed(names),
					fatherSurname: typed(fatherSurname),
					motherSurname: motherSurname && typed(motherSurname),
				};
				expect(namesAgree(sent, registered)).toBe(true);
				expect(namesAgree({ ...sent, names: `${sent.names}X` }, registered)).toBe(false);
				expect(fullName(registered)).not.toMatch(/\s{2}|^\s|\s$/);
			},
		));

	test("any text: no exception, true or false, equal to itself, and a full name with single spaces", () =>
		holds([anyText, anyText, anyText], (names, fatherSurname, motherSurname) => {
			const registered = { names: "JUANA", fatherSurname: "PÉREZ", motherSurname: "SOTO" };
			const sent = { names, fatherSurname, motherSurname };
			expect(namesAgree(sent, registered)).toBeTypeOf("boolean");
			expect(namesAgree(sent, sent)).toBe(true);
			expect(fullName(sent)).not.toMatch(/\s{2}|^\s|\s$/);
		}));
});

test("a card's serial: no exception, and what is read has one of the three forms and reads as itself", () =>
	holds([fc.oneof(anyText, bent("A123456789"), bent("b 12.345.678"))], (text) => {
		const serial = normaliseCardSerial(text);
		if (serial === null) return;
		expect([isCanonicalCardSerial(serial), normaliseCardSerial(serial)]).toEqual([true, serial]);
	}));

describe("cursors of ops", () => {
	const field = cursorField(z.strictObject({ walk: z.literal("codes"), after: z.array(z.string()).max(2) }));

	test("there and back again", () =>
		holds([fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 2 })], (after) => {
			const cursor = { walk: "codes" as const, after };
			expect(field.parse(writeCursor(cursor))).toEqual(cursor);
		}));

	test("whatever the text: refused without an exception", () =>
		holds(
			[
				fc.oneof(
					anyText,
					fc.base64String({ maxLength: 1000 }),
					fc.json().map((json) => btoa(encodeURI(json))),
				),
			],
			(text) => {
				expect(field.safeParse(text).success).toBe(false);
			},
		));
});
