import { h } from "../dom.ts";
import type { Field } from "../field.ts";
import type { Words } from "../words.ts";

/** Shows the text typed into the fields of a PIN. */
export function pinSwitch(words: Words, fields: readonly Field[]): HTMLElement {
	const box = h("input", { type: "checkbox", id: "pin-show" });
	box.addEventListener("change", () => {
		for (const { input } of fields) input.type = box.checked ? "text" : "password";
	});
	return h("label", { class: "check", for: "pin-show" }, box, h("span", {}, words.text("pinShow")));
}
