import { hexToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { DerError, DerReader, frame, tag } from "../../../src/x509/der.ts";

const reader = (hex: string) => new DerReader(hexToBytes(hex));
const zeros = (bytes: number) => "00".repeat(bytes);

test.each([
	["no contents", "0400", 0],
	["127 bytes", `047f${zeros(127)}`, 127],
	["128 bytes", `048180${zeros(128)}`, 128],
	["255 bytes", `0481ff${zeros(255)}`, 255],
	["256 bytes", `04820100${zeros(256)}`, 256],
	["65,536 bytes", `0483010000${zeros(65_536)}`, 65_536],
])("X.690 §10.1: an element of %s is read whole", (_, hex, length) => {
	expect(reader(hex).read(tag.octetString)).toHaveLength(length);
	expect(reader(hex).readWhole(tag.octetString)).toEqual(hexToBytes(hex));
	expect(frame(tag.octetString, new Uint8Array(length))).toEqual(hexToBytes(hex));
	const after = reader(`${hex}05`);
	after.read(tag.octetString);
	expect([after.atEnd, after.nextIs(tag.null), after.nextIs(tag.octetString)]).toEqual([false, true, false]);
	expect(() => after.end()).toThrow(DerError);
});

test.each([
	["nothing", ""],
	["another tag", "0500"],
	["no length", "04"],
	["contents that end early", "0402ff"],
	["contents of 128 bytes that end early", `048180${zeros(127)}`],
	["an indefinite length", "04800000"],
	["a length of 127 in the long form", `04817f${zeros(127)}`],
	["a length of 0 in the long form", "048100"],
	["a length with a leading zero", `04820080${zeros(128)}`],
	["a length field that ends early", "048201"],
	["a length field of two bytes of which one is there, long enough", "0482ff"],
	["a length field of four bytes", `048401000000${zeros(16)}`],
	["a length field of four bytes for a short length", `048400000100${zeros(256)}`],
	["a length field of 127 bytes", `04ff${zeros(200)}`],
])("X.690 §10.1: %s is refused", (_, hex) => {
	expect(() => reader(hex).read(tag.octetString)).toThrow(DerError);
	expect(() => reader(hex).readWhole(tag.octetString)).toThrow(DerError);
	expect(() => reader(hex).enter(tag.octetString)).toThrow(DerError);
});

test("a refused element is not passed over, and the error names itself without the bytes", () => {
	const at = reader("0500");
	expect(() => at.read(tag.octetString)).toThrow(expect.objectContaining({ name: "DerError", message: "" }));
	expect(at.read(tag.null)).toHaveLength(0);
	at.end();
});

test.each([
	["010100", false],
	["0101ff", true],
])("X.690 §11.1: the BOOLEAN %s is %s", (hex, value) => {
	expect(reader(hex).readBoolean()).toBe(value);
});

test.each(["0100", "010101", "0101fe", "01020000", "0102ff00", "0102ffff", "020100"])(
	"X.690 §11.1: the BOOLEAN %s is refused",
	(hex) => {
		expect(() => reader(hex).readBoolean()).toThrow(DerError);
	},
);

test.each(["020100", "02017f", "020180", "0201ff", "02020080", "0202ff7f", "02020100"])(
	"X.690 §8.3.2: the INTEGER %s is read",
	(hex) => {
		expect(reader(hex).readInteger()).toEqual(hexToBytes(hex.slice(4)));
	},
);

test.each(["0200", "02020000", "0202007f", "0202ff80", "0202ffff", "020300007f", "0101ff"])(
	"X.690 §8.3.2: the INTEGER %s is refused",
	(hex) => {
		expect(() => reader(hex).readInteger()).toThrow(DerError);
	},
);
