import { COPYING as T } from "../../texts/kit.ts";
import type { Language } from "../../texts/language.ts";
import { Icon } from "./icon.tsx";

interface CopyableProps {
	text: string;
	language: Language;
	/** Page of what the text names. */
	href?: string;
}

/** A code or an id: one press selects the whole of it; the page's script adds a button that copies it. */
export function Copyable({ text, language, href }: CopyableProps) {
	const code = <code data-copy={T.copy[language]}>{text}</code>;
	return <span class="copyable">{href ? <a href={href}>{code}</a> : code}</span>;
}

/** A secret that is shown once. */
export function Secret({ text, language }: { text: string; language: Language }) {
	return (
		<p class="copyable">
			<code class="secret" data-copy={T.copy[language]}>
				{text}
			</code>
		</p>
	);
}

/** Copies what an element shows, line by line. Without script it is not shown. @param of - id of the element */
export function CopyAll({ of, label }: { of: string; label: string }) {
	return (
		<button class="quiet" type="button" data-copies={of} hidden>
			<Icon name="copy" /> {label}
		</button>
	);
}

/** Prints the page. Without script it is not shown. */
export function Print({ label }: { label: string }) {
	return (
		<button class="quiet" type="button" data-print hidden>
			<Icon name="printer" /> {label}
		</button>
	);
}
