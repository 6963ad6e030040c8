import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuthorityError } from "../../../src/x509/authority-error.ts";
import { DerError, DerReader, encodeOid, frame, tag } from "../../../src/x509/der.ts";
import {
	OCSP_QUESTIONS_MAX,
	OCSP_REQUEST_MAX,
	type OcspRequest,
	parseOcspRequest,
} from "../../../src/x509/ocsp-request.ts";
import {
	createLocalSigner,
	decodeEcdsaSignature,
	encodeEcdsaSignature,
} from "../../../src/x509/signatures.ts";
import { bentOctets, holds, holdsLater } from "../../support/holds.ts";
import { encodeCertId, encodeQuestions } from "../../support/ocsp-client.ts";
import { OCSP_REQUESTS } from "./ocsp-requests.ts";

const requests = [
	...Object.values(OCSP_REQUESTS).map((text) => Uint8Array.fromBase64(text)),
	requestWithEveryOption(),
];

/** Trees of well-framed elements with the tags of a request. */
const { element } = fc.letrec<{ element: Uint8Array }>((tie) => ({
	element: fc.oneof(
		{ maxDepth: 5 },
		fc
			.tuple(
				fc.constantFrom(tag.integer, tag.octetString, tag.oid, tag.null, tag.boolean, 0x80),
				fc.uint8Array(),
			)
			.map(([byte, contents]) => frame(byte, contents)),
		fc
			.tuple(
				fc.constantFrom(tag.sequence, tag.sequence, tag.explicit(0), tag.explicit(1), tag.explicit(2)),
				fc.array(tie("element"), { maxLength: 4 }),
			)
			.map(([byte, parts]) => frame(byte, ...parts)),
	),
}));

/** The result, or null when the one permitted exception was thrown. */
function read(der: Uint8Array): OcspRequest | null {
	try {
		return parseOcspRequest(der);
	} catch (error) {
		expect(error).toBeInstanceOf(DerError);
		return null;
	}
}

describe("RFC 6960 §4.1.1: an OCSPRequest is parsed, or refused with DerError, which means malformedRequest", () => {
	test.for(Object.entries(OCSP_REQUESTS))("parses openssl's request: %s", ([name, text]) => {
		const request = parseOcspRequest(Uint8Array.fromBase64(text));
		expect(request.questions).toHaveLength(name === "threeBySha256" ? 3 : 1);
		expect(request.nonce === null).toBe(name === "withoutNonce" || name === "negativeSerialBySha512");
	});

	test("ignores version, requestor's name and unknown extensions", () => {
		const request = parseOcspRequest(requestWithEveryOption());
		expect(request.questions.map(({ serial }) => serial)).toEqual(["80"]);
		expect(request.nonce).toEqual(expect.anything());
	});

	test("parses any bytes, mutated requests and trees of elements within the bounds", () =>
		holds(
			[
				fc.oneof(
					fc.uint8Array({ maxLength: 300 }),
					{ weight: 4, arbitrary: fc.constantFrom(...requests).chain(bentOctets) },
					element,
				),
			],
			(der) => {
				const request = read(der);
				if (request === null) return;
				expect(der.length).toBeLessThanOrEqual(OCSP_REQUEST_MAX);
				expect(request.questions.length).toBeGreaterThan(0);
				expect(request.questions.length).toBeLessThanOrEqual(OCSP_QUESTIONS_MAX);
				expect(request.nonce?.length ?? 3).toBeGreaterThanOrEqual(3);
				expect(request.nonce?.length ?? 3).toBeLessThanOrEqual(131);
				for (const { certId, serial, issuerNameHash } of request.questions) {
					expect(der.toHex()).toContain(certId.toHex());
					expect(certId.toHex()).toContain(issuerNameHash);
					if (serial !== null) expect(serial).toMatch(/^([0-9A-F]{2})+$/);
				}
			},
			5,
		));

	test("a truncated request, or one with trailing bytes, is malformed", () =>
		holds(
			[fc.constantFrom(...requests), fc.nat(800), fc.uint8Array({ minLength: 1, maxLength: 5 })],
			(der, at, more) => {
				expect(read(der.subarray(0, at % der.length))).toBeNull();
				expect(read(Uint8Array.from([...der, ...more]))).toBeNull();
			},
		));

	test("returns the serials, hashes and nonce of the request, in their order", () =>
		holds(
			[
				fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), {
					minLength: 1,
					maxLength: OCSP_QUESTIONS_MAX,
				}),
				fc.option(fc.uint8Array({ minLength: 1, maxLength: 128 }), { nil: null }),
			],
			(serials, nonce) => {
				const certIds = serials.map((serial) => certId(positive(serial)));
				const der = encodeQuestions(certIds, nonce);
				const request = read(der);
				expect(request?.questions.map((question) => question.certId.toHex())).toEqual(
					certIds.map((id) => id.toHex()),
				);
				expect(request?.questions.map(({ serial }) => BigInt(`0x${serial}`))).toEqual(
					serials.map((serial) => BigInt(`0x${serial.toHex()}`)),
				);
				expect(request?.nonce?.toHex()).toBe(nonce ? frame(tag.octetString, nonce).toHex() : undefined);
			},
		));

	test("seventeen questions, an empty nonce, and one of 129 bytes are malformed", () => {
		const one = certId(new Uint8Array([5]));
		expect(read(encodeQuestions(Array(OCSP_QUESTIONS_MAX + 1).fill(one)))).toBeNull();
		expect(read(encodeQuestions([one], new Uint8Array(0)))).toBeNull();
		expect(read(encodeQuestions([one], new Uint8Array(129)))).toBeNull();
	});

	test("the largest request of nested elements is refused in milliseconds", () => {
		let deep = new Uint8Array(0);
		while (deep.length < OCSP_REQUEST_MAX - 8) deep = frame(tag.sequence, deep);
		const wide = frame(tag.sequence, ...Array<Uint8Array>(2000).fill(new Uint8Array([0x30, 0])));
		const started = process.cpuUsage();
		for (let i = 0; i < 100; i++) for (const der of [deep, wide]) expect(read(der)).toBeNull();
		// The processor's time, which other programs do not lengthen. Microseconds.
		expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
	});
});

test("X.690 §10.1: each method of the reader returns what is in the bytes or throws DerError, and never reads past the end", () =>
	holds([fc.uint8Array({ maxLength: 40 }), fc.constantFrom(0x01, 0x02, 0x04, 0x30)], (bytes, byte) => {
		for (const method of ["read", "readWhole", "enter", "readBoolean", "readInteger", "end"] as const) {
			const reader = new DerReader(bytes);
			try {
				const value = reader[method](byte) as unknown;
				if (value instanceof Uint8Array) expect(value.length).toBeLessThanOrEqual(bytes.length);
			} catch (error) {
				expect(error).toBeInstanceOf(DerError);
			}
		}
	}));

describe("RFC 3279 §2.2.3: Ecdsa-Sig-Value", () => {
	const half = 48;

	test("encoding and decoding are inverse", () =>
		holds([fc.uint8Array({ minLength: 2 * half, maxLength: 2 * half }), fc.nat(half)], (raw, zeros) => {
			const signature = Uint8Array.from(raw.fill(0, 0, zeros));
			const der = encodeEcdsaSignature(signature);
			expect(decodeEcdsaSignature(der, half)).toEqual(signature);
			// DER requires the shortest form, and decoding does not check it.
			const integers = new DerReader(der).enter(tag.sequence);
			for (const _ of ["r", "s"]) expect(integers.readInteger()[0]).toBeLessThan(0x80);
			expect(integers.atEnd).toBe(true);
		}));

	test("decoding any bytes gives null or two numbers of the right length, never an exception", () =>
		holds(
			[
				fc.oneof(
					fc.uint8Array(),
					fc.constant(encodeEcdsaSignature(new Uint8Array(96).fill(0xab))).chain(bentOctets),
				),
			],
			(der) => {
				const raw = decodeEcdsaSignature(der, half);
				if (raw === null) return;
				expect(raw).toHaveLength(2 * half);
				expect(decodeEcdsaSignature(encodeEcdsaSignature(raw), half)).toEqual(raw);
			},
		));
});

test("any bytes as issuing key are refused with an AuthorityError that does not contain them", async () => {
	const { privateKey } = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, true, [
		"sign",
	])) as CryptoKeyPair;
	const good = new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer);
	expect((await createLocalSigner(good)).algorithm).toBe("ecdsa-p384-sha384");
	await holdsLater(
		[fc.oneof(fc.uint8Array({ maxLength: 200 }), bentOctets(good), element)],
		async (pkcs8) => {
			const refused = await createLocalSigner(pkcs8).then(
				() => null,
				(error: unknown) => error,
			);
			if (refused === null) return;
			expect(refused).toBeInstanceOf(AuthorityError);
			if (pkcs8.length > 8) expect(String(refused)).not.toContain(pkcs8.toHex());
		},
	);
});

/** Shortest contents of a positive INTEGER of this value. */
function positive(value: Uint8Array): Uint8Array {
	const first = value.findIndex((byte) => byte !== 0);
	const significant = first < 0 ? new Uint8Array(1) : value.subarray(first);
	return significant[0]! >= 0x80 ? Uint8Array.from([0, ...significant]) : significant;
}

function certId(serial: Uint8Array): Uint8Array {
	return encodeCertId("SHA-1", new Uint8Array(20).fill(1), new Uint8Array(20).fill(2), serial);
}

/** A request with what openssl does not write: version, requestor's name, extensions of question and request. */
function requestWithEveryOption(): Uint8Array {
	const extension = (oid: string, ...parts: Uint8Array[]) => frame(tag.sequence, encodeOid(oid), ...parts);
	const value = frame(tag.octetString, frame(tag.octetString, Uint8Array.of(1, 2, 3)));
	const notCritical = frame(tag.boolean, Uint8Array.of(0));
	const ofQuestion = extension("1.3.6.1.5.5.7.48.1.7", notCritical, value);
	const question = frame(
		tag.sequence,
		certId(Uint8Array.of(0, 0x80)),
		frame(tag.explicit(0), frame(tag.sequence, ofQuestion)),
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
			frame(tag.sequence, question),
			frame(tag.explicit(2), frame(tag.sequence, ...ofRequest)),
		),
	);
}
