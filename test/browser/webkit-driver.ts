import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { isInstalled } from "../interop/pfx-openers.ts";
import { freePort } from "../support/free-port.ts";
import type { Where } from "./widget.ts";

/* Debian's WebKit, on a screen of its own, by the WebDriver protocol (W3C). It shares layout, DOM and policies with Safari. */

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const ENTER = "\uE007";

type Element = Record<typeof ELEMENT, string>;

export interface WebKitWindow extends Where {
	goto(url: string): Promise<void>;
	evaluate<Value>(expression: string): Promise<Value>;
	/** Makes a frame of the page, or with null the page again, the place of all that follows. */
	enter(frame: string | null): Promise<void>;
	/** Does `work` in the tab that `open` opens, and comes back to the frame. */
	inOpened(open: () => Promise<void>, frame: string, work: () => Promise<void>): Promise<void>;
	press(selector: string, keys?: string): Promise<void>;
	until(expression: string): Promise<void>;
}

/** One screen and driver for a file of tests, one browser with an empty profile for each test. */
export function useWebKit(): (width: number, height: number) => Promise<WebKitWindow> {
	const started: ChildProcess[] = [];
	const left: (() => Promise<unknown>)[] = [];
	let home: string;
	let driver: string;
	beforeAll(async () => {
		if (!isInstalled("WebKitWebDriver") || !isInstalled("Xvfb")) return;
		home = await mkdtemp(join(tmpdir(), "webkit-"));
		const screen = ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"];
		const display = spawn("Xvfb", screen, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
		const [number] = await once(display.stdio[3]!, "data");
		const port = await freePort();
		const env = { ...process.env, DISPLAY: `:${String(number).trim()}`, HOME: home, XDG_CONFIG_HOME: home };
		started.push(spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" }), display);
		driver = `http://127.0.0.1:${port}`;
		await vi.waitFor(() => fetch(`${driver}/status`));
	});
	afterEach(async () => {
		for (const close of left.splice(0)) await close();
	});
	afterAll(async () => {
		for (const child of started) {
			child.kill();
			await once(child, "exit");
		}
		if (home) await rm(home, { recursive: true });
	});
	return async (width, height) => {
		const { sessionId } = await command<{ sessionId: string }>("POST", `${driver}/session`, {
			capabilities: {},
		});
		const session = `${driver}/session/${sessionId}`;
		left.push(() => command("DELETE", session));
		await command("POST", `${session}/window/rect`, { width, height });
		return windowOf(session);
	};
}

function windowOf(session: string): WebKitWindow {
	const call = <Value>(path: string, body: object) => command<Value>("POST", session + path, body);
	const evaluate = <Value>(expression: string, ...args: unknown[]) =>
		call<Value>("/execute/sync", { script: `return (${expression});`, args });
	const find = (expression: string, ...args: unknown[]): Promise<string> =>
		vi.waitFor(async () => {
			const found = await evaluate<Element | null>(`${expression} ?? null`, ...args);
			if (!found) throw new Error(`not in the page: ${args.join(", ") || expression}`);
			return found[ELEMENT];
		});
	const send = async (element: string, text: string) => {
		await call(`/element/${element}/value`, { text });
	};
	const enter = async (frame: string | null) => {
		await call("/frame", { id: null });
		if (frame === null) return;
		await call("/frame", { id: { [ELEMENT]: await find("document.querySelector(arguments[0])", frame) } });
		// Keys reach a frame of another origin only after a click in it.
		await call(`/element/${await find("document.querySelector('h1')")}/click`, {});
	};
	/** Locates, like Playwright, the first of these elements that has the text. */
	const locate = (selector: string, text: string, part = "element") => {
		const found = `(() => {
			const element = [...document.querySelectorAll(arguments[0])].find((one) => one.textContent.includes(arguments[1]));
			return element && ${part};
		})()`;
		const element = () => find(found, selector, text);
		return {
			async fill(value: string) {
				const id = await element();
				await call(`/element/${id}/clear`, {});
				await send(id, value);
			},
			press: async (key: "Enter" | "Space") => send(await element(), key === "Enter" ? ENTER : " "),
			waitFor: async () => void (await element()),
			textContent: () => evaluate<string>(`${found}?.textContent ?? null`, selector, text),
		};
	};
	const roles = { button: "button", link: "a", heading: "h1", alert: "[role=alert]" } as const;
	return {
		evaluate,
		enter,
		goto: async (url) => void (await call("/url", { url })),
		press: async (selector, keys = ENTER) =>
			send(await find("document.querySelector(arguments[0])", selector), keys),
		until: (expression) => expect.poll(() => evaluate(expression)).toBe(true),
		async inOpened(open, frame, work) {
			const [first] = await command<string[]>("GET", `${session}/window/handles`);
			await open();
			const others = async () =>
				(await command<string[]>("GET", `${session}/window/handles`)).filter((one) => one !== first);
			await expect.poll(others).toHaveLength(1);
			await call("/window", { handle: (await others())[0] });
			await work();
			await call("/window", { handle: first });
			await enter(frame);
		},
		getByLabel: (label) => locate("label", label, "element.control"),
		getByRole: (role, options) => locate(roles[role], options?.name ?? ""),
		locator: (selector) => locate(selector, ""),
	};
}

async function command<Value>(method: string, url: string, body?: object): Promise<Value> {
	const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
	const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
	if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
	return value;
}
