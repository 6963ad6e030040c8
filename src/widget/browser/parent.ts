import { likelyOrigins } from "./likely-origins.ts";
import type { OnboardingEvent } from "./onboarding-widget.d.ts";
import type { PageData } from "./page-data.ts";

/* The embedding page: the token comes from it, events go to it, to registered origins only. */

type WithoutBase<Event> = Event extends unknown ? Omit<Event, "version" | "session_id" | "p_code"> : never;
type FrameEvent = WithoutBase<OnboardingEvent>;

export interface Parent {
	tell(event: FrameEvent): void;
	/** The token, from the first message of a registered page around this frame that has one. */
	token(): Promise<string>;
}

/** The hosted page sends no events; its token is in the fragment, which a reload keeps. */
export function ownPage(): Parent {
	return { tell: () => undefined, token: async () => location.hash.slice(1) };
}

/**
 * A refused page knows no session and no origins: it reports the reason to the embedding page, whichever it is, by the
 * session's id in its address, and asks for no token.
 */
export function tellRefused(code: string): void {
	const session_id = location.pathname.split("/").at(-1);
	const message = { type: "onboarding.failed", version: 1, session_id, p_code: "", code };
	window.parent.postMessage(message, "*");
}

export function embeddingPage({ id, code, origins }: NonNullable<PageData["session"]>): Parent {
	/** Before the token came, every registered origin is a target; the browser delivers only to the actual one. */
	let targets = likelyOrigins(origins, location.ancestorOrigins?.[0]);
	return {
		tell(event) {
			const message = { ...event, version: 1, session_id: id, p_code: code };
			for (const origin of targets) window.parent.postMessage(message, origin);
		},
		token: () =>
			new Promise((resolve) => {
				const hear = ({ source, origin, data }: MessageEvent) => {
					if (source !== window.parent || source === window || !origins.includes(origin)) return;
					if (data?.type !== "onboarding.token" || typeof data.token !== "string") return;
					removeEventListener("message", hear);
					targets = [origin];
					resolve(data.token);
				};
				addEventListener("message", hear);
			}),
	};
}
