/** The holder's plain fields (§2.2, §4.1), checked alike by the calls' schemas and, as they are typed, by the widget's page. */

export const PIN = /^[0-9]{4}$/;

/** E.164: a plus sign, the country, seven to fifteen digits in all. */
const PHONE = /^\+[1-9][0-9]{6,14}$/;

/** Drops blanks, dots, parentheses and dashes. @returns the E.164 form, or null when the text has none */
export function normalisePhone(text: string): string | null {
	const phone = text.replace(/[\s().\p{Pd}]/gu, "");
	return PHONE.test(phone) ? phone : null;
}

/** Whatever a browser's e-mail field takes (HTML, "valid e-mail address"), `xn--` labels included. */
export const EMAIL =
	/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
export const EMAIL_MAX = 254;

export const NAME_MAX = 100;

/** No control, line-breaking or unpaired characters. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Co}\u2028\u2029\ufeff]*$/u;

export function isEmail(text: string): boolean {
	return text.length <= EMAIL_MAX && EMAIL.test(text);
}

export function isPersonName(text: string): boolean {
	return text.length <= NAME_MAX && PRINTABLE.test(text) && /\S/u.test(text);
}
