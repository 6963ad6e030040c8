/* Personal data of which enough is shown to recognise it, and not enough to use it. */

const DOTS = "•••";

/** `JUANA PÉREZ` as `J••• P•••`. */
export function maskName(name: string): string {
	return name.replaceAll(/(\S)\S*/gu, `$1${DOTS}`);
}

/** `juana@example.cl` as `j•••@example.cl`. */
export function maskEmail(email: string): string {
	return email.replace(/^(.).*(?=@)/su, `$1${DOTS}`);
}

/** `+56912345678` as `•••678`. */
export function maskPhone(phone: string): string {
	return DOTS + phone.slice(-3);
}
