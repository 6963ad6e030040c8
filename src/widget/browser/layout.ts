import { HAND_OVER } from "../../texts/widget-receipt.ts";
import { readableOn, SURFACES, textOn } from "./accent.ts";
import { type Child, h } from "./dom.ts";
import type { Words } from "./words.ts";

/* Frame of every step: the partner, the progress, notices, and the focus. */

interface Screen {
	title: string;
	/** Steps from 1. */
	progress?: { step: number; steps: number };
	content: readonly Child[];
	/** Takes the focus instead of the heading. */
	focus?: HTMLElement | undefined;
}

export interface Layout {
	show(screen: Screen): void;
	/** Stands beneath every step from now on. */
	offer(content: HTMLElement): void;
	/** A line above the step, until null removes it. Announced. */
	notice(name: "offline" | "endsSoon", content: readonly Child[] | null): void;
}

export interface Brand {
	name: string;
	accent: string | null;
	logo: string | null;
}

/** Address of the service's mark, from scripts/build-widget.ts. */
declare const SERVICE_MARK: string;

/** @param brand - the partner's */
export function createLayout(root: HTMLElement, words: Words, brand: Brand | null, service: string): Layout {
	if (brand?.accent) colour(brand.accent);
	const bar = h("div", { class: "bar" });
	const count = h("p", { class: "count" });
	const progress = h("div", { class: "progress", hidden: true }, count, h("div", { class: "track" }, bar));
	const notices = h("div", { class: "notices", role: "status" });
	const shown = new Map<string, HTMLElement>();
	const screen = h("section", { class: "screen" });
	const ours = h("img", { src: SERVICE_MARK, alt: "", width: 18, height: 18 });
	root.replaceChildren(
		h("header", {}, brand ? mark(brand) : words.text("title")),
		progress,
		notices,
		screen,
		h("footer", {}, ours, words.say(HAND_OVER.service, { service })),
	);
	root.removeAttribute("aria-busy");
	let first = true;

	return {
		show({ title, progress: at, content, focus }) {
			const heading = h("h1", { tabindex: -1 }, title);
			screen.replaceChildren(
				heading,
				...content.filter((child) => typeof child !== "boolean" && child != null),
			);
			document.title = brand ? `${title} · ${brand.name}` : title;
			progress.hidden = !at;
			if (at) {
				count.textContent = words.text("progress", at);
				bar.style.setProperty("--share", String(at.step / at.steps));
			}
			// The first step in a partner's page must not draw the focus out of the surrounding page.
			if (!first || document.hasFocus()) (focus ?? heading).focus({ preventScroll: first });
			if (!first && window === window.parent) scrollTo(0, 0);
			first = false;
		},
		offer(content) {
			screen.after(content);
		},
		notice(name, content) {
			shown.get(name)?.remove();
			shown.delete(name);
			if (!content) return;
			const line = h("div", { class: "notice" }, ...content);
			shown.set(name, line);
			notices.append(line);
		},
	};
}

function mark({ name, logo }: Brand): HTMLElement | string {
	return logo ? h("img", { src: logo, alt: name, height: 32 }) : name;
}

/** The style sheet's own accent applies where the partner has none. */
function colour(accent: string): void {
	const { style } = document.documentElement;
	style.setProperty("--accent", accent);
	style.setProperty("--on-accent", textOn(accent));
	style.setProperty("--accent-light", readableOn(accent, SURFACES.light));
	style.setProperty("--accent-dark", readableOn(accent, SURFACES.dark));
}
