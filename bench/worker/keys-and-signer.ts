import type { Bindings } from "../../src/bindings.ts";
import { WaitingKey } from "../../src/objects/waiting-key.ts";
import { platformOf } from "../../src/platform.ts";

/* Settings of a claim: whether its key waits for it, and where the issuing key is. */

const found = { keys: true, signerUrl: "" };

const { take } = WaitingKey.prototype;
WaitingKey.prototype.take = function (...of) {
	if (!found.keys) this.drop();
	return take.apply(this, of);
};

/** Lets each claim make its own key from now on, as one does whose object was idle. */
export function forgetKeys(): void {
	found.keys = false;
}

/** @param url - of a stand-in of the signer; empty: the key is here */
export function signAt(url: string): void {
	found.signerUrl = url;
}

/** Lets the authority of an environment sign where `signAt` says. */
export async function placeSigner(env: Bindings): Promise<void> {
	const { authority } = await platformOf(env);
	const { signer } = authority;
	if (placed.has(signer)) return;
	authority.signer = {
		...signer,
		sign: async (kind, tbs) =>
			found.signerUrl === "" ? signer.sign(kind, tbs) : { signature: await ask(tbs), receipt: null },
	};
	placed.add(authority.signer);
}

const placed = new WeakSet<object>();

async function ask(tbs: Uint8Array): Promise<Uint8Array> {
	const answer = await fetch(found.signerUrl, { method: "POST", body: Uint8Array.from(tbs) });
	return new Uint8Array(await answer.arrayBuffer());
}
