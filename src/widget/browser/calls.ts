import type { Receipt } from "../../domain/receipt.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Answers, Claimed, State, StepName } from "./state.ts";

/* The frame's calls. A lost connection is no refusal: what may be repeated is repeated until it is answered. */

export interface Calls {
	open(): Promise<Outcome<State>>;
	read(): Promise<Outcome<State>>;
	save(change: Answers & { step: StepName }): Promise<Outcome<State>>;
	signOn(): Promise<Outcome<{ authorize_url: string }>>;
	submit(pin: string, terms: string): Promise<Outcome<State>>;
	claim(pin: string): Promise<Outcome<Claimed>>;
	receipt(): Promise<Outcome<Receipt>>;
	/** Milliseconds to add to this device's clock for the service's time. */
	skewMs(): number;
}

const ANSWERS_WITHIN_MS = 20_000;
/** The registry has 8 s and a retry, the issue a few more. */
const VALIDATES_WITHIN_MS = 45_000;
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];

export function createCalls(
	{ sessionId, token }: { sessionId: string; token: string },
	online: (is: boolean) => void,
): Calls {
	const base = `/widget/v1/sessions/${sessionId}`;
	let skew = 0;

	async function once<Data>(method: string, path: string, body?: object, within = ANSWERS_WITHIN_MS) {
		const response = await fetch(base + path, {
			method,
			headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
			...(body && { body: JSON.stringify(body) }),
			cache: "no-store",
			credentials: "omit",
			signal: AbortSignal.timeout(within),
		});
		const date = Date.parse(response.headers.get("date") ?? "");
		if (date) skew = date - Date.now();
		return outcomeOf<Data>(response, await response.json().catch(() => null));
	}

	async function untilAnswered<Data>(method: string, path: string, body?: object): Promise<Outcome<Data>> {
		for (let attempt = 0; ; attempt++) {
			try {
				const outcome = await once<Data>(method, path, body);
				online(true);
				return outcome;
			} catch {
				online(false);
				await pause(PAUSES_MS[attempt] ?? PAUSES_MS.at(-1)!);
			}
		}
	}

	return {
		open: () => untilAnswered("POST", "/open"),
		read: () => untilAnswered("GET", ""),
		save: (change) => untilAnswered("PUT", "/answers", change),
		signOn: () => untilAnswered("POST", "/sign_on"),
		claim: (pin) => untilAnswered("POST", "/claim", { pin }),
		receipt: () => untilAnswered("GET", "/receipt"),
		submit: (pin, terms_version) =>
			once<State>("POST", "/submit", { pin, terms_version }, VALIDATES_WITHIN_MS).catch(() => ({
				refusal: { status: 0, code: "CONNECTION_LOST", retryAfterMs: 0 },
			})),
		skewMs: () => skew,
	};
}

/** Waits until the time is over or the browser says that it is connected again. */
function pause(ms: number): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			removeEventListener("online", done);
			resolve();
		};
		const timer = setTimeout(done, ms);
		addEventListener("online", done);
	});
}
