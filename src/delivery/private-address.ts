/*
 * Addresses that no webhook may name: private, loopback, link-local (with it every cloud's metadata service),
 * shared, multicast and reserved ones. From the IANA special-purpose registries (RFC 6890) as of 2026.
 */

/** First address and prefix length. */
const IPV4_BLOCKS: readonly (readonly [string, number])[] = [
	["0.0.0.0", 8],
	["10.0.0.0", 8],
	["100.64.0.0", 10],
	["127.0.0.0", 8],
	["169.254.0.0", 16],
	["172.16.0.0", 12],
	["192.0.0.0", 24],
	["192.0.2.0", 24],
	["192.31.196.0", 24],
	["192.52.193.0", 24],
	["192.88.99.0", 24],
	["192.168.0.0", 16],
	["192.175.48.0", 24],
	["198.18.0.0", 15],
	["198.51.100.0", 24],
	["203.0.113.0", 24],
	["224.0.0.0", 3],
];

/** Of the one range that is global unicast, 2000::/3, what is not a host on the internet. */
const IPV6_BLOCKS: readonly (readonly [bigint, number])[] = [
	[0x2001_0000n << 96n, 23],
	[0x2001_0db8n << 96n, 32],
	[0x2002_0000n << 96n, 16],
	[0x3fff_0000n << 96n, 20],
];

/** @param address - dotted quad, as the URL parser writes it whatever its notation was. */
export function isPublicIpv4(address: string): boolean {
	const value = ipv4Number(address);
	return !IPV4_BLOCKS.some(
		([first, length]) => value >>> (32 - length) === ipv4Number(first) >>> (32 - length),
	);
}

/**
 * Only global unicast is public, so that mapped, translated (NAT64), unique local, link-local and multicast
 * addresses need no row of their own.
 * @param address - as the URL parser writes it, without brackets.
 */
export function isPublicIpv6(address: string): boolean {
	const value = ipv6Number(address);
	if (value >> 125n !== 1n) return false;
	return !IPV6_BLOCKS.some(([first, length]) => {
		const shift = BigInt(128 - length);
		return value >> shift === first >> shift;
	});
}

function ipv4Number(address: string): number {
	return address.split(".").reduce((value, octet) => value * 256 + Number(octet), 0);
}

function ipv6Number(address: string): bigint {
	const [head = "", tail = ""] = address.split("::");
	const left = groups(head);
	const right = groups(tail);
	const gap = address.includes("::") ? 8 - left.length - right.length : 0;
	return [...left, ...Array<number>(gap).fill(0), ...right].reduce(
		(value, group) => (value << 16n) | BigInt(group),
		0n,
	);
}

function groups(part: string): number[] {
	return part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
}
