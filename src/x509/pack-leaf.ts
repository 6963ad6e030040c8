import { deflateSync } from "node:zlib";
import type { IssuingAuthority } from "./issuing-authority.ts";

/**
 * A leaf as it is stored: zlib (RFC 1950) with the certificate of its issuer as preset dictionary, a third shorter.
 * Whoever has that certificate can read it.
 */
export function packLeaf(
	{ certificate }: Pick<IssuingAuthority, "certificate">,
	leaf: Uint8Array,
): Uint8Array {
	return deflateSync(leaf, { level: 9, dictionary: certificate });
}
