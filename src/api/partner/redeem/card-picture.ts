import { z } from "@hono/zod-openapi";
import { DOCUMENT_IMAGE_MAX } from "../../../domain/limits.ts";
import type { CardPicture } from "../../../secrets/evidence.ts";
import type { Hint } from "../../../texts/hints.ts";
import { mark } from "../../../texts/language.ts";
import { REFERENCE } from "../../../texts/reference.ts";

type PictureFile = Pick<CardPicture, "mediaType" | "content">;

const HINT: Hint = "picture";
const DATA_URL = /^data:(image\/jpe?g|image\/png|application\/pdf);base64,/;
/** Four characters for three bytes, and the prefix of a data URL. */
const ENCODED_MAX = Math.ceil(DOCUMENT_IMAGE_MAX / 3) * 4 + 64;

/** First bytes of each kind of file that is accepted. */
const SIGNATURES: readonly [CardPicture["mediaType"], readonly number[]][] = [
	["image/jpeg", [0xff, 0xd8, 0xff]],
	["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
	["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
];

/** `dniFront`, `dniBack`: base64, base64url or a data URL of a JPEG, PNG or PDF (decisions: certificate_request). */
export const cardPicture = z
	.string(HINT)
	.max(ENCODED_MAX, HINT)
	.transform((text, context): PictureFile => {
		const picture = readPicture(text);
		if (picture) return picture;
		context.addIssue({ code: "custom", message: HINT });
		return z.NEVER;
	})
	.openapi({
		type: "string",
		description: mark(REFERENCE.cardPicture),
		example: "data:image/png;base64,iVBORw0KGgo=",
	});

/** The first bytes decide the kind of file; a data URL that names another kind is refused. */
function readPicture(text: string): PictureFile | null {
	const declared = DATA_URL.exec(text);
	if (!declared && text.startsWith("data:")) return null;
	const content = decodeBase64(declared ? text.slice(declared[0].length) : text);
	if (content === null || content.length > DOCUMENT_IMAGE_MAX) return null;
	const kind = SIGNATURES.find(([, head]) => head.every((byte, i) => content[i] === byte))?.[0];
	if (kind === undefined || (declared && declared[1]!.replace("jpg", "jpeg") !== kind)) return null;
	return { mediaType: kind, content };
}

function decodeBase64(text: string): Uint8Array | null {
	try {
		return Uint8Array.fromBase64(text, { alphabet: /[-_]/.test(text) ? "base64url" : "base64" });
	} catch {
		return null;
	}
}
