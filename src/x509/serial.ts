import { bytesToHex } from "@noble/hashes/utils.js";

const SERIAL_BYTES = 16;

/**
 * Turns 16 random bytes into a certificate serial number whose DER INTEGER is exactly 16 bytes, positive.
 * The top bit is cleared (it would be the sign) and the bit below it set, so that no leading byte is zero.
 *
 * @throws RangeError when not given exactly 16 bytes
 */
export function createSerial(random: Uint8Array): Uint8Array {
	if (random.length !== SERIAL_BYTES) throw new RangeError("a serial is made of exactly 16 random bytes");
	const serial = Uint8Array.from(random);
	serial[0] = (serial[0]! & 0x3f) | 0x40;
	return serial;
}

/** The serial as the service shows it: upper-case hex, two digits a byte. */
export function serialToHex(serial: Uint8Array): string {
	return bytesToHex(serial).toUpperCase();
}
