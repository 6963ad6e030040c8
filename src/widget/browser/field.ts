import type { WidgetText } from "../../texts/widget.ts";
import { h } from "./dom.ts";
import type { Problem, Reading } from "./typed.ts";
import type { Words } from "./words.ts";

export interface FieldSpec {
	name: string;
	label: WidgetText;
	hint?: WidgetText;
	optional?: true;
	/** Letters and digits after which nothing right can follow: it is judged while it is being typed. */
	full?: number;
	/** @param rut - the holder's, where it was typed before */
	read(text: string, rut?: string): Reading;
	/** Something odd about a right value, which the holder may keep. */
	doubt?(value: string): Doubt | null;
	/** The stored value as people write it. */
	show?(value: string): string;
	attributes: Record<string, string | number>;
}

interface Doubt {
	text: WidgetText;
	/** Value that was probably meant: asked about once. */
	meant?: string;
}

export interface Field {
	element: HTMLElement;
	input: HTMLInputElement;
	/** Judges the typed text now; an empty optional field is "". Null: its error, or a question, is shown. */
	value(): string | null;
}

const PROBLEM_TEXT: Record<Problem, WidgetText> = {
	required: "required",
	rut: "problemRut",
	rutDigit: "problemRutDigit",
	card: "problemCard",
	cardIsRut: "problemCardIsRut",
	date: "problemDate",
	name: "problemName",
	phone: "problemPhone",
	email: "problemEmail",
	pin: "problemPin",
	pinRepeat: "problemPinRepeat",
};

export function createField(spec: FieldSpec, words: Words, value: string | undefined): Field {
	const { name, label, hint, optional, full, read, show = (text) => text } = spec;
	const error = h("p", { id: `${name}-error`, class: "error", "aria-live": "polite" });
	const advice = h("p", { id: `${name}-advice`, class: "advice", "aria-live": "polite" });
	let asked = "";
	const input = h("input", {
		id: name,
		name,
		type: "text",
		autocapitalize: "off",
		autocorrect: "off",
		spellcheck: "false",
		"aria-describedby": `${hint ? `${name}-hint ` : ""}${name}-error ${name}-advice`,
		...(!optional && { "aria-required": "true" }),
		...spec.attributes,
	});
	input.value = value ? show(value) : "";

	const judge = (): Reading => {
		const text = input.value.trim();
		if (text === "") return optional ? { value: "" } : { problem: "required" };
		return read(text);
	};
	const mark = (reading: Reading, complain: boolean) => {
		const problem = "problem" in reading ? reading.problem : null;
		element.classList.toggle("good", !problem && input.value !== "");
		if (problem && !complain) return;
		const text = problem ? words.text(PROBLEM_TEXT[problem]) : "";
		if (error.textContent !== text) error.textContent = text;
		if (problem) input.setAttribute("aria-invalid", "true");
		else input.removeAttribute("aria-invalid");
	};

	/** Shows what is odd about the value. @returns whether the holder has to answer first */
	const advise = (reading: Reading): boolean => {
		const value = "value" in reading ? reading.value : "";
		const { text, meant } = (value && spec.doubt?.(value)) || {};
		advice.replaceChildren(
			text ? words.text(text, { meant: meant ?? "" }) : "",
			meant
				? h("button", { class: "link", type: "button", onclick: () => take(meant) }, words.text("useMeant"))
				: "",
		);
		if (meant) element.classList.remove("good");
		const asks = meant !== undefined && asked !== value;
		asked = value;
		return asks;
	};
	const take = (value: string) => {
		input.value = show(value);
		mark(judge(), true);
		advise(judge());
		input.focus();
	};

	const element = h(
		"div",
		{ class: "field" },
		h("label", { for: name }, words.text(label), optional ? ` (${words.text("optional")})` : ""),
		hint ? h("p", { id: `${name}-hint`, class: "hint" }, words.text(hint)) : null,
		h("span", { class: "box" }, input),
		error,
		advice,
	);
	input.addEventListener("input", () => {
		const typed = input.value.replace(/[^\p{L}\d]/gu, "").length;
		const isFull = full !== undefined && typed >= full;
		mark(judge(), error.textContent !== "" || isFull);
		if (isFull) advise(judge());
		else advice.replaceChildren();
	});
	input.addEventListener("change", () => {
		const reading = judge();
		mark(reading, input.value !== "");
		if ("value" in reading) input.value = show(reading.value);
	});
	mark(judge(), false);
	return {
		element,
		input,
		value() {
			const reading = judge();
			mark(reading, true);
			const asks = advise(reading);
			return "value" in reading && !asks ? reading.value : null;
		},
	};
}
