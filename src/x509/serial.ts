import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

const SERIAL_BYTES = 16;
/** Bytes of 01 and the 94 random bits; the partner's number is the rest. */
const RANDOM_BYTES = 12;

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

/** Serials of leaves, each of which carries the number of its partner: `directory_partners` has it. */
export interface PartnerSerials {
	/** Makes a serial: 01, 94 random bits, and the partner's number, an unsigned integer of 32 bits, masked. */
	create(partnerNumber: number): Uint8Array;
	/** Reads the number in a serial, upper-case hex; null where the serial cannot be a leaf's. */
	numberOf(serial: string): number | null;
}

/**
 * The mask is a hash of the random bits under a key, so that nobody else can tell which serials are of one partner.
 * @param key - never changes: without it no serial shows its partner any more
 */
export function createPartnerSerials(key: Uint8Array): PartnerSerials {
	/** XORs the last four bytes with the mask, which puts the number in and takes it out. */
	const mask = (serial: Uint8Array): DataView => {
		const last = new DataView(serial.buffer, serial.byteOffset + RANDOM_BYTES);
		const hash = hmac(sha256, key, serial.subarray(0, RANDOM_BYTES));
		last.setUint32(0, last.getUint32(0) ^ new DataView(hash.buffer, hash.byteOffset).getUint32(0));
		return last;
	};
	return {
		create(partnerNumber) {
			const serial = createSerial(crypto.getRandomValues(new Uint8Array(SERIAL_BYTES)));
			new DataView(serial.buffer).setUint32(RANDOM_BYTES, partnerNumber);
			mask(serial);
			return serial;
		},
		numberOf(serial) {
			return /^[4-7][0-9A-F]{31}$/.test(serial) ? mask(hexToBytes(serial)).getUint32(0) : null;
		},
	};
}

/** The serial in the service's notation: upper-case hex, two digits per byte. */
export function serialToHex(serial: Uint8Array): string {
	return bytesToHex(serial).toUpperCase();
}
