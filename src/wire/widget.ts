import { z } from "@hono/zod-openapi";
import type { PartnerRow } from "../db/partners.ts";
import { LOGO_MAX } from "../domain/limits.ts";
import { ORIGINS_MAX, readAccent, readOrigins } from "../domain/onboarding-looks.ts";
import type { Hint } from "../texts/hints.ts";
import { mark } from "../texts/language.ts";
import { WIDGET_SETTINGS } from "../texts/widget-settings.ts";

/* A partner's settings of the widget as ops and the partner send and see them. */

interface Logo {
	mediaType: "image/png" | "image/webp";
	content: Uint8Array;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const DATA_URL = /^data:(image\/png|image\/webp);base64,/;
/** Four characters for three bytes, and room for the prefix of a data URL. */
const ENCODED_MAX = Math.ceil(LOGO_MAX / 3) * 4 + 32;

const origin = z.string("origins").max(255, "origins");
const accent = z.string("accent").transform((text, context) => readAccent(text) ?? refuse(context, "accent"));
const logo = z
	.string("logo")
	.max(ENCODED_MAX, "logo")
	.transform((text, context) => readLogo(text) ?? refuse(context, "logo"));

export const widgetChange = z
	.strictObject(
		{
			origins: z
				.array(origin, "origins")
				.max(ORIGINS_MAX, "origins")
				// Refuses origins that no environment takes; the change refuses those that this one does not take.
				.refine((texts) => readOrigins(texts, { allowLoopback: true }) !== null, "origins")
				.openapi({ description: mark(WIDGET_SETTINGS.origins), example: ["https://shop.example"] }),
			accent: accent.nullable().openapi({
				type: ["string", "null"],
				pattern: "^#[0-9a-fA-F]{6}$",
				description: mark(WIDGET_SETTINGS.accent),
				example: "#0b5cad",
			}),
			logo: logo
				.nullable()
				.optional()
				.openapi({
					type: ["string", "null"],
					description: mark(WIDGET_SETTINGS.logo),
					example: "data:image/png;base64,iVBORw0KGgo=",
				}),
		},
		"object",
	)
	.openapi("WidgetChange");

export const widgetSchema = z
	.strictObject({
		origins: z.array(z.string()),
		accent: z.string().nullable(),
		logo: z
			.string()
			.nullable()
			.openapi({ description: mark(WIDGET_SETTINGS.logoPath) }),
	})
	.openapi("Widget");

export const WIDGET_EXAMPLE: z.input<typeof widgetSchema> = {
	origins: ["https://shop.example"],
	accent: "#0b5cad",
	logo: null,
};

export function presentWidget(partner: PartnerRow): z.input<typeof widgetSchema> {
	const { id, widgetOrigins, widgetAccent: accent, widgetLogo } = partner;
	return { origins: [...widgetOrigins], accent, logo: logoPath(id, widgetLogo) };
}

/** Path of a partner's logo. */
export function logoPath(partnerId: string, hash: string | null): string | null {
	return hash === null ? null : `/widget/logos/${partnerId}/${hash}`;
}

/** The first bytes decide the kind of file; a data URL that names another kind is refused. */
function readLogo(text: string): Logo | null {
	const declared = DATA_URL.exec(text);
	let content: Uint8Array;
	try {
		content = Uint8Array.fromBase64(declared ? text.slice(declared[0].length) : text);
	} catch {
		return null;
	}
	if (content.length > LOGO_MAX) return null;
	const mediaType = kindOf(content);
	return mediaType === null || (declared && declared[1] !== mediaType) ? null : { mediaType, content };
}

function kindOf(content: Uint8Array): Logo["mediaType"] | null {
	if (PNG.every((byte, i) => content[i] === byte)) return "image/png";
	const head = new TextDecoder("latin1").decode(content.subarray(0, 12));
	return /^RIFF.{4}WEBP$/s.test(head) ? "image/webp" : null;
}

function refuse(context: z.RefinementCtx, hint: Hint): never {
	context.addIssue({ code: "custom", message: hint });
	return z.NEVER;
}
