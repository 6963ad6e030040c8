import type { WidgetText } from "../../texts/widget.ts";
import { h, svg } from "./dom.ts";
import type { Words } from "./words.ts";

/* Drawings of the serial's position on the three kinds of Chilean ID card. */

export function cardDrawings(words: Words): HTMLElement {
	return h(
		"figure",
		{ class: "cards" },
		h("figcaption", {}, words.text("cardWhere")),
		h(
			"ul",
			{},
			kind(words, "cardNew", front("B12345678", true)),
			kind(words, "cardMiddle", front("123.456.789", false)),
			kind(words, "cardOld", back("A123456789")),
		),
	);
}

function kind(words: Words, text: WidgetText, drawing: SVGElement): HTMLElement {
	return h("li", {}, drawing, h("span", {}, words.text(text)));
}

/** The photo at the left, the data at the right, the number in their middle; the newest has its photo again, small. */
function front(serial: string, isNew: boolean): SVGElement {
	return card(
		svg("rect", { x: 8, y: 22, width: 30, height: 40, rx: 3, class: "ink" }),
		line(8, 12, 60),
		line(46, 26, 50),
		line(46, 34, 34),
		...number(46, 42, serial),
		line(46, 64, 40),
		isNew && svg("circle", { cx: 114, cy: 64, r: 7, class: "ink" }),
	);
}

/** The fingerprint at the left, the number above the data. */
function back(serial: string): SVGElement {
	const arcs = [14, 10, 6, 2].map((r) =>
		svg("ellipse", { cx: 24, cy: 40, rx: r * 0.8, ry: r, class: "arc" }),
	);
	return card(...arcs, ...number(46, 14, serial), line(46, 42, 66), line(46, 52, 56), line(46, 62, 62));
}

function card(...inside: (SVGElement | false)[]): SVGElement {
	return svg(
		"svg",
		{ viewBox: "0 0 128 80", width: 128, height: 80, "aria-hidden": "true", focusable: "false" },
		svg("rect", { x: 1, y: 1, width: 126, height: 78, rx: 8, class: "card" }),
		...inside,
	);
}

function line(x: number, y: number, width: number): SVGElement {
	return svg("rect", { x, y, width, height: 4, rx: 2, class: "ink" });
}

function number(x: number, y: number, serial: string): SVGElement[] {
	return [
		svg("rect", { x, y, width: 74, height: 17, rx: 4, class: "spot" }),
		svg("text", { x: x + 37, y: y + 12, "text-anchor": "middle", class: "serial" }, serial),
	];
}
