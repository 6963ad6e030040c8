/** A text that stands by itself. Random hex, base64 and ids hold any four digits of a PIN now and then. */
export function alone(text: string): RegExp {
	const escaped = text.replaceAll(/\W/g, "\\$&");
	return new RegExp(`(?<![0-9A-Za-z+/_-])${escaped}(?![0-9A-Za-z+/_=-])`);
}
