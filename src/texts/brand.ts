import type { Brand } from "../settings/brand.ts";
import { fill, type Language } from "./language.ts";

const SUPPORT = {
	es: "Escríbanos a {email} o llámenos al {phone}, {hours}.",
	en: "Write to {email} or call {phone}, {hours}.",
};

/** Says in one sentence how to reach us. */
export function supportLine({ email, phone, hours }: Brand, language: Language): string {
	return fill(SUPPORT, { email, phone, hours: hours[language] })[language];
}
