import type { Text } from "../texts/language.ts";
import { failSetting, text } from "./setting-fields.ts";

/** The service's name and how to reach its people. Its mark is `public/brand`. */
export interface Brand {
	name: string;
	email: string;
	/** International, for example `+56 2 2345 6789`. */
	phone: string;
	/** When somebody answers. */
	hours: Text;
}

export const supportPhone = text.regex(/^\+[0-9 ]{8,24}$/, "must be international: +56 2 2345 6789");

/** `es|en`. */
export const supportHours = text.transform((value, context): Text => {
	const [es, en, ...more] = value.split("|").map((part) => part.trim());
	if (!es || !en || more.length > 0)
		return failSetting(context, "must be Spanish and English, separated by a vertical bar");
	return { es, en };
});
