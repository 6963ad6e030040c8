/* Elements without innerHTML: text stays text, and the page needs no trusted-types policy. */

export type Child = Node | string | null | undefined | false;
type Listener = (event: Event) => void;
type Props = Record<string, string | number | boolean | null | undefined | Listener>;

export function h<Tag extends keyof HTMLElementTagNameMap>(
	tag: Tag,
	props: Props = {},
	...children: Child[]
): HTMLElementTagNameMap[Tag] {
	return fill(document.createElement(tag), props, children);
}

export function svg<Tag extends keyof SVGElementTagNameMap>(
	tag: Tag,
	props: Props = {},
	...children: Child[]
): SVGElementTagNameMap[Tag] {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/** A function is a listener (`onclick`), true an empty attribute; false and null are left out. */
function fill<Made extends Element>(element: Made, props: Props, children: readonly Child[]): Made {
	for (const [name, value] of Object.entries(props)) {
		if (typeof value === "function") element.addEventListener(name.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(name, value === true ? "" : String(value));
	}
	element.append(...children.filter((child): child is Node | string => typeof child === "string" || !!child));
	return element;
}
