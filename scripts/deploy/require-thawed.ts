/*
 * A version that is not frozen ends a freeze. /healthz says FROZEN from the variable alone, so also while D1 is
 * being restored and /readyz fails.
 */

/**
 * @param url - of the service, without a slash at its end.
 * @param isDeployed - asked only where nothing answers.
 * @throws where the running version is frozen, or does not say whether it is.
 */
export async function requireThawed(url: string, isDeployed: () => Promise<boolean>): Promise<void> {
	const frozen = await isFrozen(url);
	if (frozen) throw new Error(`${url} is frozen: its D1 is being restored. --thaw ends that.`);
	if (frozen === null && (await isDeployed()))
		throw new Error(
			`${url}/healthz does not say whether D1 is being restored. Try again. ` +
				"--thaw if it certainly is not; --first if it was never deployed.",
		);
}

/** Asks whether the service is frozen; null without an answer of this service. */
async function isFrozen(url: string): Promise<boolean | null> {
	try {
		const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) });
		const body = await answer.text();
		return answer.status === 200 && body.includes('"status":"alive"') ? body.includes('"frozen":true') : null;
	} catch {
		return null;
	}
}
