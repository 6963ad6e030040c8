import type { Context } from "hono";
import ipaddr from "ipaddr.js";

/**
 * Canonical form of a range of addresses, `203.0.113.0/24` or `2001:db8::/32`; a single address is a range too.
 * @returns null for any other text, and for IPv4 written as IPv6.
 */
export function readRange(text: string): string | null {
	const { IPv4, IPv6 } = ipaddr;
	if (IPv4.isValidFourPartDecimal(text)) return `${text}/32`;
	if (IPv4.isValidCIDRFourPartDecimal(text))
		return `${IPv4.networkAddressFromCIDR(text)}/${IPv4.parseCIDR(text)[1]}`;
	const range = text.includes("/") ? text : `${text}/128`;
	if (text.includes("%") || !IPv6.isValidCIDR(range)) return null;
	const [address, bits] = IPv6.parseCIDR(range);
	return address.isIPv4MappedAddress() ? null : `${IPv6.networkAddressFromCIDR(range)}/${bits}`;
}

/** Whether a range lies within one of the others; all in their canonical form. */
export function isWithinOneOf(range: string, ranges: readonly string[]): boolean {
	const [address, bits] = ipaddr.parseCIDR(range);
	return ranges.some((wider) => {
		const [network, size] = ipaddr.parseCIDR(wider);
		return address.kind() === network.kind() && bits >= size && address.match(network, size);
	});
}

/** Whether the address in CF-Connecting-IP is in one of the ranges; false without an address. */
export function isFromOneOf(c: Context, ranges: readonly string[]): boolean {
	const header = c.req.header("cf-connecting-ip") ?? "";
	if (!ipaddr.isValid(header)) return false;
	const address = ipaddr.process(header);
	return ranges.some((range) => {
		const [network, bits] = ipaddr.parseCIDR(range);
		return address.kind() === network.kind() && address.match(network, bits);
	});
}
