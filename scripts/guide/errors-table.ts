import { describePartners } from "../../src/sandbox/partner-api.ts";
import type { Language } from "../../src/texts/language.ts";
import { readPage } from "./pages.ts";

/* §7 of the guide's interface page: every refusal of the document's five calls, as the calls declare them. */

const CALLS = {
	certificate_request: ["/api/partners/v1/certificate_request", "post"],
	certificate_claim: ["/api/partners/v1/certificate_claim", "post"],
	status: ["/api/partners/v1/status", "get"],
	"pcode/bulk": ["/api/partner/v1/pcode/bulk", "post"],
	pcodes: ["/api/partner/v1/pcodes", "get"],
} as const;

const WORDS = {
	en: {
		head: "| call | status | `error`, `code` | condition | what to do |",
		all: "every call",
		posts: "every POST",
	},
	es: {
		head: "| llamada | estado | `error`, `code` | condición | qué hacer |",
		all: "todas",
		posts: "todo POST",
	},
};

interface Response {
	/** A line for each example, in their order: `ERROR, CODE: condition`. */
	description: string;
	content: { "application/json": { examples?: Record<string, { value: Refusal }> } };
}

interface Refusal {
	error: string;
	details?: { code: string }[];
}

/** @returns the table, without what precedes and follows it. */
export async function errorsTable(language: Language): Promise<string> {
	const whatToDo = await readWhatToDo(language);
	const { paths } = describePartners("https://partners.example", language) as unknown as {
		paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
	};
	const rows = new Map<string, string[]>();
	for (const [call, [path, method]] of Object.entries(CALLS))
		for (const [status, { description, content }] of Object.entries(paths[path]![method]!.responses)) {
			const { examples = {} } = content["application/json"];
			const conditions = description.split("\n\n");
			for (const [i, { value }] of Object.values(examples).entries()) {
				const names = [value.error, ...(status === "406" ? [value.details![0]!.code] : [])];
				const condition = conditions[i]!.slice(names.join(", ").length + 2);
				const named = names.map((name) => `\`${name}\``).join(", ");
				const row = `${status} | ${named} | ${condition} | ${whatToDo(status, names.at(-1)!)} |`;
				rows.set(row, [...(rows.get(row) ?? []), call]);
			}
		}
	const { head, all, posts } = WORDS[language];
	const lines = [...rows].toSorted(([a], [b]) => Number(a.slice(0, 3)) - Number(b.slice(0, 3)));
	const isEvery = (calls: string[], method: string) =>
		Object.entries(CALLS).every(
			([call, [, its]]) => calls.includes(call) === (method === "" || its === method),
		);
	const nameOf = (calls: string[]) =>
		isEvery(calls, "") ? all : isEvery(calls, "post") ? posts : calls.join(", ");
	return [head, "|---|---|---|---|---|", ...lines.map(([row, calls]) => `| ${nameOf(calls)} | ${row}`)].join(
		"\n",
	);
}

/** Reads the last cells of the errors page, by status and `error`, and by `code`. */
export async function readWhatToDo(language: Language): Promise<(status: string, name: string) => string> {
	const { markdown } = await readPage(language, "errors");
	const rows = markdown.split("\n").map((line) => line.split(" | "));
	return (status, name) => {
		const row =
			rows.find(([first, second]) => first === `| ${status}` && second === `\`${name}\``) ??
			rows.find(([first]) => first === `| \`${name}\``);
		if (!row) throw new Error(`the errors page does not have ${status} ${name}`);
		return row.at(-1)!.replace(/ \|$/, "");
	};
}

/** Parts the interface page before and behind the table. */
export function aroundTable(markdown: string): { before: string; table: string; behind: string } {
	const [, before, table, behind] = /^(.*^## 7\. .*?\n\n)(\|.*?)(\n\n.*)$/ms.exec(markdown)!;
	return { before: before!, table: table!, behind: behind! };
}
