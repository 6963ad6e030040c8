import { noteListening } from "../db/partners.ts";
import type { ForwardedAnswer, ForwardedPost } from "../delivery/listener.ts";
import { partnerDb } from "../directory.ts";
import { PartnerObject } from "../objects/partner.ts";
import { platformOf } from "../platform.ts";
import { Listener } from "./listener.ts";
import type { ListenerCalls } from "./listener-rpc.ts";

/** Time for which D1 says that somebody listens, and age at which it is renewed. Longer than one call waits. */
const NOTED_MS = 60_000;
const NOTED_ANEW_MS = 40_000;

/** The partner's object of local and dev: `npm run listen` waits here for the partner's webhooks. */
export class ListeningPartnerObject extends PartnerObject implements ListenerCalls {
	readonly #listener = new Listener();
	#notedUntil = 0;

	async listen(partnerId: string, waitMs: number): Promise<ForwardedPost | null> {
		const platform = await platformOf(this.env);
		const { clock } = platform;
		if (this.#notedUntil < clock() + NOTED_ANEW_MS) {
			this.#notedUntil = clock() + NOTED_MS;
			await noteListening(await partnerDb(platform, partnerId), partnerId, this.#notedUntil);
		}
		return this.#listener.poll(waitMs);
	}

	async answerPost(id: string, answer: ForwardedAnswer): Promise<boolean> {
		return this.#listener.answer(id, answer);
	}

	/** `nobody`: D1 is told, so that no more webhooks are made for a listener that is gone. */
	async forwardPost(partnerId: string, post: ForwardedPost, timeoutMs: number) {
		const answer = await this.#listener.forward(post, timeoutMs);
		if (answer === "nobody") await this.stopListening(partnerId);
		return answer;
	}

	async stopListening(partnerId: string): Promise<void> {
		const db = await partnerDb(await platformOf(this.env), partnerId);
		this.#notedUntil = 0;
		await noteListening(db, partnerId, null);
		this.#listener.stop();
	}
}
