import { bytesToHex } from "@noble/hashes/utils.js";

const SERIAL_BYTES = 16;

/**
 * Makes a certificate serial number of 16 random bytes, whose DER INTEGER is positive and exactly 16 bytes long:
 * the top bit (the sign) is cleared, and the bit below it is set so that the first byte is not zero.
 *
 * @throws RangeError when not given exactly 16 bytes
 */
export function createSerial(random: Uint8Array): Uint8Array {
	if (random.length !== SERIAL_BYTES) throw new RangeError("a serial is made of exactly 16 random bytes");
	const serial = Uint8Array.from(random);
	serial[0] = (serial[0]! & 0x3f) | 0x40;
	return serial;
}

/** The serial in the service's notation: upper-case hex, two digits per byte. */
export function serialToHex(serial: Uint8Array): string {
	return bytesToHex(serial).toUpperCase();
}
