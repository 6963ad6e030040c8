import type { Child } from "hono/jsx";
import type { SystemName } from "../../texts/install-systems.ts";

/* Line drawings of what each system shows, in the page's colours. The steps say the same, so a screen reader passes them by. */

/** @param words - in its drawing, as `SYSTEMS` has them */
export function SystemDrawing({ system, words }: { system: SystemName; words: readonly string[] }) {
	const [first = "", second = "", third = ""] = words;
	return <Drawing>{DRAWN[system](first, second, third)}</Drawing>;
}

const DRAWN: Record<SystemName, (first: string, second: string, third: string) => Child> = {
	windows: (title, password, next) => (
		<Window title={title}>
			<Word x={44} y={70}>
				{password}
			</Word>
			<Field y={78} />
			<Button x={170} y={110}>
				{next}
			</Button>
		</Window>
	),
	macos: (keychain, mine, add) => (
		<Window title={mine} round>
			<path d="M106 40v104M114 62h140M114 80h140" />
			<Button x={38} y={54} width={62}>
				{keychain}
			</Button>
			<path d="M44 94h46M44 108h38" />
			<Button x={178} y={112}>
				{add}
			</Button>
		</Window>
	),
	iphone: (settings, profile, general) => (
		<Telephone title={settings}>
			<Button x={100} y={48} width={100}>
				{profile}
			</Button>
			<Row y={76}>{general}</Row>
			<path d="M104 110h92M104 126h70" />
		</Telephone>
	),
	android: (title, user, authority) => (
		<Telephone title={title}>
			<Row y={48}>{authority}</Row>
			<Button x={100} y={76} width={100}>
				{user}
			</Button>
			<path d="M104 118h92M104 132h70" />
		</Telephone>
	),
	firefox: (mine, bring, view) => (
		<Window title={view}>
			<path d="M38 70V54h88v16M38 70h222" />
			<Word x={46} y={66}>
				{mine}
			</Word>
			<path d="M46 84h120M46 98h96" />
			<Button x={170} y={110}>
				{bring}
			</Button>
		</Window>
	),
};

/** The file, locked by the PIN. */
export function FileDrawing() {
	return (
		<Drawing>
			<path d="M70 24h52l26 26v90H70zM122 24v26h26" />
			<path d="M84 68h50M84 82h50M84 96h34" />
			<Word x={92} y={128}>
				.pfx
			</Word>
			<path class="act" d="M190 84v-12a14 14 0 0 1 28 0v12" />
			<rect class="act" x={180} y={84} width={48} height={38} rx={6} />
			<path class="act dots" d="M191 103h2M200 103h2M207 103h2M215 103h2" />
		</Drawing>
	);
}

function Drawing({ children }: { children: Child }) {
	return (
		<svg class="drawing" viewBox="0 0 300 160" aria-hidden="true" focusable="false">
			{children}
		</svg>
	);
}

function Window({ title, round = false, children }: { title: string; round?: boolean; children: Child }) {
	return (
		<>
			<rect x={30} y={14} width={240} height={134} rx={round ? 10 : 4} />
			<path d="M30 40h240" />
			{round ? (
				<path class="dots" d="M42 27h.1M54 27h.1M66 27h.1" />
			) : (
				<path d="M250 22l10 10M260 22l-10 10" />
			)}
			<Word x={round ? 80 : 40} y={31}>
				{title}
			</Word>
			{children}
		</>
	);
}

function Telephone({ title, children }: { title: string; children: Child }) {
	return (
		<>
			<rect x={90} y={6} width={120} height={148} rx={14} />
			<path d="M138 14h24" />
			<Word x={102} y={36}>
				{title}
			</Word>
			{children}
		</>
	);
}

function Row({ y, children }: { y: number; children: Child }) {
	return (
		<>
			<rect x={100} y={y} width={100} height={22} rx={5} />
			<Word x={107} y={y + 15}>
				{children}
			</Word>
		</>
	);
}

/** Part that the holder presses. */
function Button({ x, y, width = 80, children }: { x: number; y: number; width?: number; children: Child }) {
	return (
		<>
			<rect class="act" x={x} y={y} width={width} height={22} rx={5} />
			<text class="act" x={x + width / 2} y={y + 15} text-anchor="middle">
				{children}
			</text>
		</>
	);
}

/** Field with the four dots of a PIN. */
function Field({ y }: { y: number }) {
	return (
		<>
			<rect x={44} y={y} width={206} height={22} rx={3} />
			<path class="act dots" d={`M56 ${y + 11}h.1M68 ${y + 11}h.1M80 ${y + 11}h.1M92 ${y + 11}h.1`} />
		</>
	);
}

function Word({ x, y, children }: { x: number; y: number; children: Child }) {
	return (
		<text x={x} y={y}>
			{children}
		</text>
	);
}
