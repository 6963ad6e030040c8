import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { writeChanged } from "./write-changed.ts";

/*
 * The widget's browser code as strings that the Worker serves: src/widget/built-page.ts, which is not committed. It is
 * made by prepare-local.ts, by wrangler before it bundles (wrangler.toml, [build]) and by vitest.config.ts.
 */

const root = join(import.meta.dirname, "..");
const page = join(root, "src", "widget", "browser");
const output = join(root, "src", "widget", "built-page.ts");

export async function buildWidget(): Promise<void> {
	const [embedScript, pageScript, pageStyle, types] = await Promise.all([
		// The name stays, for the Worker to put its own origin in its place.
		bundle("v1.ts", { FRAME_ORIGIN: JSON.stringify("{FRAME_ORIGIN}") }),
		markAsAddress().then((mark) => bundle("frame.ts", { SERVICE_MARK: JSON.stringify(mark) })),
		bundle("style.css"),
		readFile(join(page, "onboarding-widget.d.ts"), "utf8"),
	]);
	const built = {
		EMBED_SCRIPT: embedScript,
		EMBED_TYPES: types,
		PAGE_SCRIPT: pageScript,
		PAGE_SCRIPT_HASH: hash(pageScript),
		PAGE_STYLE: pageStyle,
		PAGE_STYLE_HASH: hash(pageStyle),
	};
	const lines = Object.entries(built).map(
		([name, text]) => `export const ${name}: string = ${JSON.stringify(text)};\n`,
	);
	const text = `// Made by scripts/build-widget.ts.\n${lines.join("")}`;
	await writeChanged(output, text);
}

async function bundle(entry: string, define: Record<string, string> = {}): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [join(page, entry)],
		bundle: true,
		minify: true,
		write: false,
		format: "iife",
		charset: "utf8",
		// Safari 16 and its like of other makers, of 2022.
		target: ["es2022", "safari16"],
		define,
		tsconfigRaw: { compilerOptions: { strict: true } },
	});
	return outputFiles[0]!.text.trim();
}

/** The service's mark as a `data:` address: the page paints with one answer. */
async function markAsAddress(): Promise<string> {
	const mark = await readFile(join(root, "public", "brand", "mark.svg"), "utf8");
	return `data:image/svg+xml,${encodeURIComponent(mark.trim())}`;
}

/** Hashes an inline part of the page for its Content-Security-Policy. */
function hash(text: string): string {
	return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

if (import.meta.main) await buildWidget();
