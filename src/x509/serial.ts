import { bytesToHex } from "@noble/hashes/utils.js";

const SERIAL_OCTETS = 16;

/**
 * Turns 16 random octets into a certificate serial number whose DER INTEGER is exactly 16 octets, positive.
 * The top bit is cleared (it would be the sign) and the bit below it set, so that no leading octet is zero.
 *
 * @throws RangeError when not given exactly 16 octets
 */
export function createSerial(random: Uint8Array): Uint8Array {
	if (random.length !== SERIAL_OCTETS) throw new RangeError("a serial is made of exactly 16 random octets");
	const serial = Uint8Array.from(random);
	serial[0] = (serial[0]! & 0x3f) | 0x40;
	return serial;
}

/** The serial as the service shows it: upper-case hex, two digits an octet. */
export function serialToHex(serial: Uint8Array): string {
	return bytesToHex(serial).toUpperCase();
}
