/*
 * The guide's diagrams: Mermaid's sequence diagrams, which GitHub draws by itself, as SVG. What the guide uses of that language
 * and no more: `participant A as Name`, `A->>B: text` and `A-->>B: text`.
 */

interface Step {
	kind: "call" | "answer";
	from: number;
	to: number;
	text: string;
}

const HEAD = 40;
const ROW = 44;
const LETTER = 7.2;

export function drawSequence(source: string): string {
	const { names, steps } = parse(source);
	const lives = placeLives(names, steps);
	const half = (index: number) => (names[index]!.length * LETTER + 20) / 2;
	const width = Math.ceil(lives.at(-1)! + half(names.length - 1) + 2);
	const height = HEAD + steps.length * ROW + 16;
	const heads = names.map((name, index) => {
		const x = lives[index]!;
		const life = `<line class="life" x1="${x}" x2="${x}" y1="${HEAD}" y2="${height}"/>`;
		const box = `<rect x="${x - half(index)}" y="8" width="${2 * half(index)}" height="${HEAD - 8}" rx="6"/>`;
		return `${life}${box}<text x="${x}" y="29">${escapeText(name)}</text>`;
	});
	const arrows = steps.map(({ kind, from, to, text }, row) => {
		const [start, end, y] = [lives[from]!, lives[to]!, HEAD + 36 + row * ROW];
		const line = `<line class="${kind}" x1="${start}" x2="${end}" y1="${y}" y2="${y}"/>`;
		const point = `<path d="M${end} ${y}l${start < end ? -8 : 8} -5v10z"/>`;
		return `${line}${point}<text x="${(start + end) / 2}" y="${y - 8}">${escapeText(text)}</text>`;
	});
	const words = steps.map(({ from, to, text }) => `${names[from]} → ${names[to]}: ${text}`).join(". ");
	const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
	const drawing = [...heads, ...arrows].join("");
	return `<div class="wide" tabindex="0"><svg class="sequence" role="img" aria-label="${escapeText(words)}" ${size}>${drawing}</svg></div>`;
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
		const arrow = /^(\w+)(--?)>>(\w+): (.+)$/.exec(line);
		if (participant) {
			ids.push(participant[1]!);
			names.push(participant[2]!);
		} else if (arrow) {
			const kind = arrow[2] === "--" ? "answer" : "call";
			steps.push({ kind, from: place(arrow[1]!), to: place(arrow[3]!), text: arrow[4]! });
		} else throw new Error(`not drawn: ${line}`);
	}
	return { names, steps };
}

/** @returns where each life stands: names and the texts between neighbours have room. */
function placeLives(names: readonly string[], steps: readonly Step[]): number[] {
	let x = (names[0]!.length * LETTER + 24) / 2;
	return names.map((name, index) => {
		const before = names[index - 1];
		if (before === undefined) return x;
		const between = steps.filter(
			({ from, to }) => Math.min(from, to) === index - 1 && Math.abs(from - to) === 1,
		);
		const texts = between.map(({ text }) => text.length * LETTER + 24);
		x += Math.max(...texts, ((before.length + name.length) * LETTER) / 2 + 32);
		return x;
	});
}

function escapeText(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
