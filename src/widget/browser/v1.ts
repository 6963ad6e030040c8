import type { OnboardingEvent, OnboardingHandle, OnboardingOptions } from "./onboarding-widget.d.ts";

/*
 * `/widget/v1.js`, in a partner's page. It puts the frame into an element, sends it the token whenever it is ready
 * (first and after a reload), and passes its events on.
 */

/** The build leaves this name; the Worker puts its own origin in its place. */
declare const FRAME_ORIGIN: string;

const READY_WITHIN_MS = 15_000;
/** Likely causes, by the reason of the event that says that no answer came. */
const SILENT = {
	page_policy: `This page's Content-Security-Policy stops it: frame-src needs ${FRAME_ORIGIN}.`,
	not_allowed: `The browser may not show it here: is ${location.origin} an origin that the session was made with?`,
	not_loaded: "It did not load: is the network slow, or does something stop it?",
} as const;
const opened = new WeakMap<Element, OnboardingHandle>();

function open({ element, sessionId, token, onEvent }: OnboardingOptions): OnboardingHandle {
	const place = typeof element === "string" ? document.querySelector(element) : element;
	if (!place) throw new TypeError("OnboardingWidget.open: element is not in the page");
	if (!sessionId || !token) throw new TypeError("OnboardingWidget.open: sessionId and token are required");
	opened.get(place)?.close();

	const frame = document.createElement("iframe");
	frame.src = `${FRAME_ORIGIN}/widget/frame/${encodeURIComponent(sessionId)}`;
	frame.title = "Certificado digital";
	frame.referrerPolicy = "no-referrer";
	Object.assign(frame.style, { width: "100%", height: "480px", border: "0", display: "block" });

	let code = "";
	const tell = (event: object) =>
		onEvent?.({ version: 1, session_id: sessionId, p_code: code, ...event } as OnboardingEvent);
	let loaded = false;
	frame.addEventListener("load", () => {
		loaded = true;
	});
	const giveUp = (reason: keyof typeof SILENT) => {
		stopWaiting();
		console.error(`OnboardingWidget: the frame did not answer. ${SILENT[reason]}`);
		tell({ type: "onboarding.failed", code: "FRAME_NOT_READY", reason });
	};
	const timer = setTimeout(() => giveUp(loaded ? "not_allowed" : "not_loaded"), READY_WITHIN_MS);
	const watchPolicy = ({ effectiveDirective, blockedURI, disposition }: SecurityPolicyViolationEvent) => {
		if (
			effectiveDirective === "frame-src" &&
			disposition === "enforce" &&
			blockedURI.startsWith(FRAME_ORIGIN)
		)
			giveUp("page_policy");
	};
	const stopWaiting = () => {
		clearTimeout(timer);
		document.removeEventListener("securitypolicyviolation", watchPolicy);
	};

	const close = () => {
		if (opened.get(place) !== handle) return;
		opened.delete(place);
		stopWaiting();
		removeEventListener("message", hear);
		frame.remove();
		tell({ type: "onboarding.closed" });
	};
	const hear = ({ source, origin, data }: MessageEvent) => {
		if (source !== frame.contentWindow || origin !== FRAME_ORIGIN) return;
		const event = data as OnboardingEvent;
		if (event?.session_id !== sessionId || !String(event.type).startsWith("onboarding.")) return;
		stopWaiting();
		code = event.p_code;
		if (event.type === "onboarding.closed") return close();
		if (event.type === "onboarding.resize") frame.style.height = `${event.height}px`;
		if (event.type === "onboarding.ready")
			frame.contentWindow?.postMessage({ type: "onboarding.token", version: 1, token }, FRAME_ORIGIN);
		onEvent?.(event);
	};
	const handle = { close };
	opened.set(place, handle);
	addEventListener("message", hear);
	document.addEventListener("securitypolicyviolation", watchPolicy);
	place.append(frame);
	return handle;
}

window.OnboardingWidget = { open };
