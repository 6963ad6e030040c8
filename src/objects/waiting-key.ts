import { HOLDER_KEY_WAITS_MS } from "../domain/limits.ts";
import { generateHolderKeyPair, type KeyAlgorithm, letRequestLeave } from "../x509/holder-key.ts";

interface Waiting {
	algorithm: KeyAlgorithm;
	/** Epoch milliseconds. */
	until: number;
	/** Null while it is being made. */
	pair: CryptoKeyPair | null;
}

/**
 * Decisions, "private key": the one key of a code that is made while the registry is asked. It waits in the object's
 * memory for one certificate and is never stored. No timer ends it, which would keep the object awake: its age is
 * judged when it is used.
 */
export class WaitingKey {
	#waiting: Waiting | null = null;

	/**
	 * Makes a key, unless one waits that can be used. A request that the caller has begun leaves before.
	 */
	async prepare(algorithm: KeyAlgorithm, now: number): Promise<void> {
		if (this.#usable(algorithm, now)) return;
		const waiting: Waiting = { algorithm, until: now + HOLDER_KEY_WAITS_MS, pair: null };
		this.#waiting = waiting;
		await letRequestLeave();
		waiting.pair = await generateHolderKeyPair(algorithm);
	}

	/** Takes the key that waits, so that nobody gets it again, or makes one. */
	async take(algorithm: KeyAlgorithm, now: number): Promise<CryptoKeyPair> {
		const pair = this.#usable(algorithm, now);
		this.#waiting = null;
		return pair ?? generateHolderKeyPair(algorithm);
	}

	drop(): void {
		this.#waiting = null;
	}

	/** A key that would wait longer than one made now could was made before the clock was set back: it is too old. */
	#usable(algorithm: KeyAlgorithm, now: number): CryptoKeyPair | null {
		const waiting = this.#waiting;
		if (waiting === null || waiting.algorithm !== algorithm) return null;
		return waiting.until > now && waiting.until <= now + HOLDER_KEY_WAITS_MS ? waiting.pair : null;
	}
}
