import { judgeOutboundUrl } from "../../../src/delivery/outbound-url.ts";
import { readCalendarDate } from "../../../src/domain/calendar-date.ts";
import { CODE_OCTETS, formatCode, parseCode } from "../../../src/domain/code-form.ts";
import { readInstant } from "../../../src/domain/instant.ts";
import { readRut } from "../../../src/domain/rut.ts";
import { preferredLanguage } from "../../../src/http/languages.ts";
import { normaliseCardSerial } from "../../../src/identity/card-serial.ts";
import { fullName, namesAgree } from "../../../src/identity/compare-names.ts";
import { cardPicture } from "../../../src/redeem/card-picture.ts";
import { encodeOid, frame, tag } from "../../../src/x509/der.ts";
import { decodeEcdsaSignature, encodeEcdsaSignature } from "../../../src/x509/ecdsa-signature.ts";
import { parseOcspRequest } from "../../../src/x509/ocsp-request.ts";
import { DerError } from "../../../src/x509/read-der.ts";
import { OCSP_REQUESTS } from "../../unit/x509/ocsp-requests.ts";

/** A reader of ours under exploration. */
export interface Target {
	/** Its own source, from `src/`. */
	files: string[];
	seeds: (string | Uint8Array)[];
	/** Pieces that its texts are made of. */
	tokens?: string[];
	/** @returns what is wrong with how it read this, or null. @throws what it must not throw. */
	read(input: never): string | null;
}

const DIGITS = [..."0123456789", "-", ".", "/"];
const OUTBOUND = { ownHost: "certificates.example", allowLoopback: true };

export const TARGETS: Record<string, Target> = {
	"OCSP request": {
		files: ["pki/ocsp-request.ts", "pki/read-der.ts"],
		seeds: [
			...Object.values(OCSP_REQUESTS).map((text) => new Uint8Array(Buffer.from(text, "base64"))),
			withEverything(),
		],
		read(octets: Uint8Array) {
			try {
				const { questions, nonce } = parseOcspRequest(octets);
				const bounded = questions.length >= 1 && questions.length <= 16 && (nonce?.length ?? 3) >= 3;
				return bounded ? null : "out of bounds";
			} catch (error) {
				if (error instanceof DerError) return null;
				throw error;
			}
		},
	},
	"ECDSA signature": {
		files: ["pki/ecdsa-signature.ts"],
		seeds: [
			Uint8Array.from([0x30, 6, 2, 1, 5, 2, 1, 9]),
			Uint8Array.from([0x30, 8, 2, 2, 0, 0x80, 2, 2, 0, 0xff]),
		],
		read(octets: Uint8Array) {
			const raw = decodeEcdsaSignature(octets, 48);
			const again = raw && decodeEcdsaSignature(encodeEcdsaSignature(raw), 48);
			return raw === null || Buffer.from(raw).equals(again!) ? null : "not itself";
		},
	},
	"picture, base64 or data URL": {
		files: ["redeem/card-picture.ts"],
		seeds: ["iVBORw0KGgo=", "data:image/jpeg;base64,/9j/4AAQ", "data:application/pdf;base64,JVBERi0xLjcK"],
		tokens: [
			"data:",
			"image/png",
			"image/jpeg",
			"application/pdf",
			";base64,",
			"=",
			"==",
			"/9j/",
			"-_",
			"\n",
		],
		read(text: string) {
			const { data } = cardPicture.safeParse(text);
			const named = /^data:([a-z]+\/[a-z]+);/.exec(text)?.[1];
			return data && named !== undefined && named !== data.mediaType ? "another kind than it says" : null;
		},
	},
	RUT: {
		files: ["domain/rut.ts"],
		seeds: ["12345678-5", "10.000.013-k", "0005126663-3"],
		tokens: [...DIGITS, "k", "K", "\u0665"],
		read(text: string) {
			const reading = readRut(text);
			const again = reading.ok ? readRut(reading.rut) : reading;
			return JSON.stringify(again) === JSON.stringify(reading) ? null : "not canonical";
		},
	},
	date: {
		files: ["domain/calendar-date.ts"],
		seeds: ["2031-05-20", "20-05-2031", "29/02/2032"],
		tokens: DIGITS,
		read(text: string) {
			const date = readCalendarDate(text);
			return date === null || new Date(date).toISOString().startsWith(date) ? null : "no day";
		},
	},
	instant: {
		files: ["domain/instant.ts"],
		seeds: ["2026-11-21", "2026-11-21T10:00:00Z", "2026-11-21 10:00:00.5+03:00"],
		tokens: [...DIGITS, ":", "T", "Z", "+", " "],
		read(text: string) {
			const range = readInstant(text);
			return range === null || (Number.isSafeInteger(range.first) && range.first <= range.last)
				? null
				: "no time";
		},
	},
	"purchase code": {
		files: ["domain/code-form.ts", "domain/crockford.ts"],
		seeds: ["7K3M-9QXT-2B4C-H8WD", "oooo iiii llll 0000"],
		tokens: [..."0O1ILU-", " ", "z", "\u212a"],
		read(text: string) {
			const code = parseCode(text);
			const made = formatCode(Buffer.from(text.padEnd(CODE_OCTETS, "x")).subarray(0, CODE_OCTETS));
			const canonical = code === null || parseCode(code) === code;
			return canonical && parseCode(made) === made ? null : "not canonical";
		},
	},
	"outgoing address": {
		files: ["delivery/outbound-url.ts", "delivery/private-address.ts"],
		seeds: [
			...[
				"https://partner.example/hook",
				"https://8.8.8.8/",
				"https://[2606:4700::1]/",
				"http://localhost:1/x",
			],
			...[
				"https://10.0.0.1/",
				"https://user:pass@partner.example",
				"https://a.certificates.example./",
				"ftp://x.y",
			],
		],
		tokens: [
			"https://",
			"http://",
			"127.1",
			"0x7f",
			"[::1]",
			"[::ffff:",
			"@",
			":443",
			".local",
			"%2e",
			".",
			"//",
		],
		read(text: string) {
			const verdict = judgeOutboundUrl(text, OUTBOUND);
			if (!verdict.ok) return null;
			const { protocol, hostname } = verdict.url;
			const loopback = /^(localhost|\[::1\]|127\..*)$/.test(hostname);
			return protocol === "https:" || loopback ? null : "not https";
		},
	},
	"Accept-Language": {
		files: ["http/languages.ts"],
		seeds: ["es-CL,es;q=0.9,en;q=0.8", "en", "*;q=0.1, fr"],
		tokens: ["es", "en", ";q=", ",", "0.5", "1.000", " ", "-"],
		read: (text: string) => (["en", "es"].includes(preferredLanguage(text)) ? null : "another language"),
	},
	"card serial": {
		files: ["identity/card-serial.ts"],
		seeds: ["A123456789", "b 12.345.678", "111111111"],
		tokens: [...DIGITS, "A", "b", " "],
		read(text: string) {
			const serial = normaliseCardSerial(text);
			return serial === null || normaliseCardSerial(serial) === serial ? null : "not canonical";
		},
	},
	names: {
		files: ["identity/compare-names.ts"],
		seeds: ["JUANA ANDREA", "María José", "O'Higgins  Ñancupil"],
		tokens: ["Á", "a\u0301", "Ñ", "’", " ", "\u200b", "ß", "İ"],
		read(text: string) {
			const name = { names: text, fatherSurname: text, motherSurname: text };
			const single = fullName(name).match(/\s{2}|^\s|\s$/) === null;
			return single && namesAgree(name, name) ? null : "not itself";
		},
	},
};

/** Version, requestor's name, an extension of the question and two of the request: what openssl does not write. */
function withEverything(): Uint8Array {
	const extension = (oid: string, ...parts: Uint8Array[]) => frame(tag.sequence, encodeOid(oid), ...parts);
	const value = frame(tag.octetString, frame(tag.octetString, Uint8Array.of(1, 2, 3)));
	const notCritical = frame(tag.boolean, Uint8Array.of(0));
	const certId = frame(
		tag.sequence,
		frame(tag.sequence, encodeOid("1.3.14.3.2.26")),
		frame(tag.octetString, new Uint8Array(20)),
		frame(tag.octetString, new Uint8Array(20)),
		frame(tag.integer, Uint8Array.of(0, 0x80)),
	);
	const ofQuestion = frame(
		tag.explicit(0),
		frame(tag.sequence, extension("1.3.6.1.5.5.7.48.1.7", notCritical, value)),
	);
	const ofRequest = [
		extension("1.3.6.1.5.5.7.48.1.2", value),
		extension("1.3.6.1.5.5.7.48.1.4", notCritical, value),
	];
	return frame(
		tag.sequence,
		frame(
			tag.sequence,
			frame(tag.explicit(0), frame(tag.integer, Uint8Array.of(0))),
			frame(tag.explicit(1), frame(tag.octetString, new Uint8Array(4))),
			frame(tag.sequence, frame(tag.sequence, certId, ofQuestion)),
			frame(tag.explicit(2), frame(tag.sequence, ...ofRequest)),
		),
	);
}
