/** Lower-case hex, two digits an octet: octets in a form that can be compared and matched. */
export function toHex(octets: ArrayBuffer | Uint8Array): string {
	let hex = "";
	for (const octet of new Uint8Array(octets)) hex += (octet < 16 ? "0" : "") + octet.toString(16);
	return hex;
}
