import { html } from "hono/html";

/** A piece of the page; values put into it are escaped. */
export type Html = ReturnType<typeof html>;

/** A text of the document: paragraphs, lines, `**strong**` and `` `code` ``, which is all the Markdown that its texts use. */
export function prose(text: string | undefined): Html {
	const paragraphs = (text ?? "").split("\n\n").filter((paragraph) => paragraph !== "");
	return html`${paragraphs.map((paragraph) => html`<p>${lines(paragraph)}</p>`)}`;
}

export function lines(text: string): Html {
	return html`${text.split("\n").map((line, index) => html`${index > 0 ? html`<br>` : ""}${inline(line)}`)}`;
}

function inline(line: string): Html {
	const parts = line.split(/(\*\*.+?\*\*|`[^`]+`)/).map((part) => {
		if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
		return part.startsWith("`") ? html`<code>${part.slice(1, -1)}</code>` : part;
	});
	return html`${parts}`;
}
