import { expect, test } from "vitest";
import { DerError, encodeOid, frame, tag } from "../../../src/x509/der.ts";
import { OCSP_REQUEST_MAX, parseOcspRequest } from "../../../src/x509/ocsp-request.ts";

const HASH = new Uint8Array(20).fill(7);
const NONE = new Uint8Array();
const NULL = Uint8Array.of(0x05, 0x00);

const PLACES = [
	"after the request",
	"in the request",
	"in the questions' parent",
	"in a version",
	"in a question",
	"in an algorithm",
	"in a certificate's id",
	"beside the extensions",
	"in an extension",
] as const;
/** Where a request may have an element too many. */
type Place = (typeof PLACES)[number];

/** An OCSPRequest of one question (RFC 6960 §4.1.1), with a NULL too many in one place. */
function request(place: Place | null, { serial = Uint8Array.of(0x41), padding = 0 } = {}): Uint8Array {
	const more = (here: Place) => (here === place ? NULL : NONE);
	const oid = encodeOid("1.3.14.3.2.26");
	const algorithm = frame(tag.sequence, oid, NULL, more("in an algorithm"));
	const hash = frame(tag.octetString, HASH);
	const certId = frame(
		tag.sequence,
		algorithm,
		hash,
		hash,
		frame(tag.integer, serial),
		more("in a certificate's id"),
	);
	const single = frame(tag.sequence, certId, more("in a question"));
	const value = frame(tag.octetString, new Uint8Array(padding));
	const extension = frame(tag.sequence, encodeOid("1.2.3.4"), value, more("in an extension"));
	const tbs = frame(
		tag.sequence,
		frame(tag.explicit(0), frame(tag.integer, Uint8Array.of(0)), more("in a version")),
		frame(tag.sequence, single),
		frame(tag.explicit(2), frame(tag.sequence, extension), more("beside the extensions")),
		more("in the questions' parent"),
	);
	const whole = frame(tag.sequence, tbs, more("in the request"));
	return Uint8Array.from([...whole, ...more("after the request")]);
}

test.each(PLACES)("RFC 6960 §4.1.1: an element too many %s is refused", (place) => {
	expect(() => parseOcspRequest(request(place))).toThrow(DerError);
});

test.each([
	[[0x7f], "7F"],
	[[0x00, 0x80], "80"],
	[[0x00], "00"],
	[[0x80], null],
	[[0xff, 0x7f], null],
])("the serial %j is asked for as %s: no certificate of ours has a negative one", (bytes, serial) => {
	const { questions } = parseOcspRequest(request(null, { serial: Uint8Array.from(bytes) }));
	expect(questions.map((question) => question.serial)).toEqual([serial]);
});

test("a request of the longest size is read, one of a byte more is refused", () => {
	const padding = OCSP_REQUEST_MAX - request(null, { padding: 1_000 }).length + 1_000;
	const longest = request(null, { padding });
	expect(longest).toHaveLength(OCSP_REQUEST_MAX);
	expect(parseOcspRequest(longest).questions).toHaveLength(1);
	expect(() => parseOcspRequest(request(null, { padding: padding + 1 }))).toThrow(DerError);
});
