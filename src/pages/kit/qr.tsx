import { qrBox, qrPath } from "../../widget/browser/qr.ts";

/** A QR code, dark on light in every colour scheme: scanners expect it so. @param label - what it leads to */
export function Qr({ text, label }: { text: string; label: string }) {
	const code = qrPath(text);
	return (
		<svg class="qr" viewBox={qrBox(code)} role="img" aria-label={label}>
			<path d={code.path} />
		</svg>
	);
}
