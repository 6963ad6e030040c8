/* Pictures of cards, small enough to send often. */

interface Picture {
	mediaType: string;
	extension: string;
	/** The bytes, read as UTF-8. */
	text: string;
}

const KINDS = [
	{ mediaType: "application/pdf", extension: "pdf", head: [0x25, 0x50, 0x44, 0x46, 0x2d] },
	{ mediaType: "image/png", extension: "png", head: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
	{ mediaType: "image/jpeg", extension: "jpg", head: [0xff, 0xd8, 0xff] },
];

/** One of a few pictures, as it is sent: base64, or a data URL. */
export function encodePicture(side: string, n: number): string {
	const { mediaType, head } = KINDS[n % KINDS.length]!;
	const bytes = Uint8Array.from([...head, ...new TextEncoder().encode(` ${side} ${n}`)]);
	return n % 2 === 0 ? bytes.toBase64() : `data:${mediaType};base64,${bytes.toBase64()}`;
}

/** Decisions, "dniFront, dniBack": base64 or data URL of JPEG, PNG or PDF; null: 400. */
export function pictureOf(encoded: unknown): Picture | null {
	if (typeof encoded !== "string") return null;
	const declared = /^data:([^;]+);base64,/.exec(encoded);
	const base64 = declared ? encoded.slice(declared[0].length) : encoded;
	if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return null;
	const bytes = Uint8Array.fromBase64(base64);
	const kind = KINDS.find(({ head }) => head.every((byte, i) => bytes[i] === byte));
	if (!kind || (declared && declared[1] !== kind.mediaType)) return null;
	return { ...kind, text: new TextDecoder().decode(bytes) };
}
