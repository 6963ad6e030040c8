import type { PartnerRow } from "../db/partners.ts";
import type { Platform } from "../platform.ts";
import { supportLine } from "../texts/brand.ts";
import { HOLDER_TEXTS } from "../texts/holder-email.ts";
import { fill, type Text } from "../texts/language.ts";
import { asHtml, asText, type Letter } from "./letter.ts";

/** Input of the binding, which builds the message; no header is written by hand. */
export interface ComposedEmail {
	from: { email: string; name: string };
	to: string;
	subject: string;
	headers: Record<string, string>;
	text: string;
	html: string;
	attachments: {
		disposition: "attachment";
		filename: string;
		type: string;
		content: Uint8Array;
	}[];
}

/** Facts of a partner that an e-mail shows. */
export type EmailPartner = Pick<PartnerRow, "id" | "name" | "language" | "widgetLogo">;

/** Everything that an e-mail is composed with besides its own content. */
export interface Envelope {
	/** Id of the delivery. */
	id: string;
	to: string;
	/** Sender's address. */
	from: string;
	/** Base of the pages and pictures. */
	publicUrl: string;
	brand: Platform["brand"];
	/** The partner that it goes to or, where it goes to a holder, the seller. Null: several sold the certificates. */
	partner: EmailPartner | null;
}

export function envelopeOf(
	{ settings, brand }: Pick<Platform, "settings" | "brand">,
	of: Pick<Envelope, "id" | "to">,
): Omit<Envelope, "partner"> {
	return { ...of, from: settings.emailFrom, publicUrl: settings.publicUrl, brand };
}

/** No character that could end a header or start another. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+$/;

interface Message extends Letter {
	/** Whether a holder gets it: then the seller's name comes first. */
	toHolder: boolean;
	why: Text;
	/** Subject; the title where it is left out. */
	subject?: string;
	attachments?: ComposedEmail["attachments"];
}

/**
 * Composes a message. Headers get no text of holders, and a partner's name without the characters that have a meaning there.
 * @returns null when the address is not safe in a header.
 */
export function composeMessage(envelope: Envelope, message: Message): ComposedEmail | null {
	const { id, from, to, brand, publicUrl, partner } = envelope;
	if (!ADDRESS.test(to)) return null;
	const { toHolder, why, language, title, subject = title, attachments = [], ...letter } = message;
	const seller = toHolder ? partner : null;
	const name = seller && headerText(seller.name);
	const reason = fill(why, { partner: partner?.name ?? brand.name })[language];
	const logo = seller?.widgetLogo ? `/widget/logos/${seller.id}/${seller.widgetLogo}` : "/brand/mark.png";
	const marks = {
		logo: `${publicUrl}${logo}`,
		name: seller?.name ?? brand.name,
		who: `${brand.name}. ${supportLine(brand, language)}`,
		why: reason,
	};
	const content = { ...letter, language, title };
	return {
		from: {
			email: from,
			name: name ? fill(HOLDER_TEXTS.via, { name, brand: brand.name })[language] : brand.name,
		},
		to,
		subject: name ? `${name}: ${subject[0]!.toLowerCase()}${subject.slice(1)}` : subject,
		headers: { "X-Delivery-Id": id },
		text: asText(content, marks),
		html: asHtml(content, marks),
		attachments,
	};
}

/** Longest name in a header, in characters. */
const NAME_MAX = 60;

/** Letters, digits and a few signs: nothing that ends a header, quotes in one, or looks like an address. */
function headerText(name: string): string {
	const plain = name
		.normalize("NFC")
		.replaceAll(/[^\p{L}\p{N}&'.+-]+/gu, " ")
		.trim();
	return Array.from(plain).slice(0, NAME_MAX).join("").trim();
}
