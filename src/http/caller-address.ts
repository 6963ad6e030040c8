import type { Context } from "hono";
import ipaddr from "ipaddr.js";

/** Bits of an IPv6 address that one customer of a provider is given. */
const NETWORK_PARTS = 64 / 16;

/**
 * Whom an address limit counts: the caller's IPv4 address, or its IPv6 network of 64 bits. Cloudflare sets the header
 * and takes it from no caller. Null where nothing sets it, a developer's machine: nothing is counted there.
 */
export function callerAddress(c: Context): string | null {
	const header = c.req.header("cf-connecting-ip") ?? "";
	if (!ipaddr.isValid(header)) return null;
	const address = ipaddr.process(header);
	if (address instanceof ipaddr.IPv4) return address.toString();
	return address.parts
		.slice(0, NETWORK_PARTS)
		.map((part) => part.toString(16))
		.join(":");
}
