/** The holder's plain fields (§2.2, §4.1), checked alike by the calls' schemas and, as they are typed, by the widget's page. */

export const PIN = /^[0-9]{4}$/;

/** E.164: a plus sign, the country, seven to fifteen digits in all. */
export const PHONE = /^\+[1-9][0-9]{6,14}$/;

/** An e-mail address and a name as the calls' schemas read them; a test holds them together. */
export const EMAIL =
	/^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const EMAIL_MAX = 254;

export const NAME_MAX = 100;

/** No control, line-breaking or unpaired characters. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Co}\u2028\u2029\ufeff]*$/u;

export function isEmail(text: string): boolean {
	return text.length <= EMAIL_MAX && EMAIL.test(text);
}

export function isPersonName(text: string): boolean {
	return text.length <= NAME_MAX && PRINTABLE.test(text) && /\S/u.test(text);
}
