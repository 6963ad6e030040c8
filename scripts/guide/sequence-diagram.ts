/*
 * The guide's diagrams: Mermaid's sequence diagrams, which GitHub draws by itself, as SVG. What the guide uses of that language
 * and no more: `participant A as Name`, `A->>B: text`, `A-->>B: text` and `Note over A: text`.
 */

interface Step {
	kind: "call" | "answer" | "note";
	from: number;
	to: number;
	text: string;
}

const HEAD = 40;
const ROW = 46;
const MARGIN = 16;
const LETTER = 7.4;

export function drawSequence(source: string): string {
	const { names, steps } = parse(source);
	const column = columnWidth(names, steps);
	const x = (index: number) => MARGIN + column / 2 + index * column;
	const width = 2 * MARGIN + names.length * column;
	const height = HEAD + steps.length * ROW + 2 * MARGIN;
	const lines = names.map((name, index) => {
		const box = `<rect class="name" x="${x(index) - column / 2 + 8}" y="8" width="${column - 16}" height="${HEAD - 8}" rx="6"/>`;
		const text = `<text x="${x(index)}" y="29">${escapeText(name)}</text>`;
		return `<line class="life" x1="${x(index)}" x2="${x(index)}" y1="${HEAD}" y2="${height - 8}"/>${box}${text}`;
	});
	const drawn = steps.map((step, row) => drawStep(step, HEAD + MARGIN + row * ROW, x, column));
	const words = steps.map(({ kind, from, to, text }) =>
		kind === "note" ? `${names[from]}: ${text}` : `${names[from]} → ${names[to]}: ${text}`,
	);
	return `<div class="wide" tabindex="0"><svg class="sequence" role="img" aria-label="${escapeText(words.join(". "))}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${lines.join("")}${drawn.join("")}</svg></div>`;
}

function drawStep({ kind, from, to, text }: Step, y: number, x: (index: number) => number, column: number) {
	const words = escapeText(text);
	if (kind === "note")
		return `<rect class="note" x="${x(from) - column / 2 + 4}" y="${y}" width="${column - 8}" height="30" rx="4"/><text x="${x(from)}" y="${y + 20}">${words}</text>`;
	const [start, end] = [x(from), x(to)];
	const back = start < end ? -8 : 8;
	const line = `<line class="${kind}" x1="${start}" x2="${end}" y1="${y + 24}" y2="${y + 24}"/>`;
	const head = `<path class="head" d="M${end} ${y + 24}l${back} -5v10z"/>`;
	return `${line}${head}<text x="${(start + end) / 2}" y="${y + 16}">${words}</text>`;
}

function parse(source: string): { names: string[]; steps: Step[] } {
	const [first, ...lines] = source.trim().split("\n");
	if (first !== "sequenceDiagram") throw new Error(`not a sequence diagram: ${first}`);
	const ids: string[] = [];
	const names: string[] = [];
	const steps: Step[] = [];
	const place = (id: string) => {
		const index = ids.indexOf(id);
		if (index === -1) throw new Error(`no participant ${id}`);
		return index;
	};
	for (const line of lines.map((text) => text.trim())) {
		const participant = /^participant (\w+) as (.+)$/.exec(line);
		const note = /^Note over (\w+): (.+)$/.exec(line);
		const arrow = /^(\w+)(--?)>>(\w+): (.+)$/.exec(line);
		if (participant) {
			ids.push(participant[1]!);
			names.push(participant[2]!);
		} else if (note) {
			const at = place(note[1]!);
			steps.push({ kind: "note", from: at, to: at, text: note[2]! });
		} else if (arrow) {
			const kind = arrow[2] === "--" ? "answer" : "call";
			steps.push({ kind, from: place(arrow[1]!), to: place(arrow[3]!), text: arrow[4]! });
		} else throw new Error(`not drawn: ${line}`);
	}
	return { names, steps };
}

/** Wide enough for every text between the lives that it connects. */
function columnWidth(names: string[], steps: Step[]): number {
	const wanted = steps.map(
		({ from, to, text }) => (text.length * LETTER + 24) / Math.max(1, Math.abs(to - from)),
	);
	return Math.ceil(Math.max(...wanted, ...names.map((name) => name.length * LETTER + 40)));
}

function escapeText(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
