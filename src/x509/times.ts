import { frame, tag } from "./der.ts";

/** RFC 5280 §4.1.2.5: dates through the year 2049 are UTCTime, later ones GeneralizedTime. To the second. */
export function encodeTime(time: Date): Uint8Array<ArrayBuffer> {
	return time.getUTCFullYear() < 2050
		? frame(tag.utcTime, encodeAscii(digitsOf(time).slice(2)))
		: encodeGeneralizedTime(time);
}

/** `YYYYMMDDHHMMSSZ`, as RFC 6960 §4.2.2.1 and RFC 5280 §4.1.2.5.2 want it: no fraction of a second. */
export function encodeGeneralizedTime(time: Date): Uint8Array<ArrayBuffer> {
	return frame(tag.generalizedTime, encodeAscii(digitsOf(time)));
}

function digitsOf(time: Date): string {
	return `${time.toISOString().slice(0, 19).replaceAll(/\D/g, "")}Z`;
}

function encodeAscii(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
