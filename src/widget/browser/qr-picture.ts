import { svg } from "./dom.ts";
import { qrBox, qrPath } from "./qr.ts";

/** A QR code, dark on light in every colour scheme: scanners expect it so. */
export function qrPicture(text: string, label: string): SVGElement {
	const code = qrPath(text);
	return svg(
		"svg",
		{ class: "qr", viewBox: qrBox(code), role: "img", "aria-label": label },
		svg("path", { d: code.path }),
	);
}
