import type { Bindings } from "../../src/bindings.ts";
import { WaitingKey } from "../../src/objects/waiting-key.ts";
import { platformOf } from "../../src/platform.ts";
import { createSignerClient, type SignerClient } from "../../src/signer/signer-client.ts";

/* Settings of a claim: whether its key waits for it, and where the issuing key is. */

const found: { keys: boolean; signer: SignerClient | null } = { keys: true, signer: null };

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
export async function signAt(url: string): Promise<void> {
	if (url !== "") clients[url] ??= connect(url);
	found.signer = (await clients[url]) ?? null;
}

const clients: Record<string, Promise<SignerClient>> = {};

async function connect(url: string): Promise<SignerClient> {
	const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
	const callerKey = new Uint8Array((await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer);
	const fetcher = { fetch: (request: Request) => fetch(request) };
	return createSignerClient({ fetcher, url, caller: "bench", callerKey, clock: Date.now });
}

/** Lets the authority of an environment sign where `signAt` says. */
export async function placeSigner(env: Bindings): Promise<void> {
	const { authority } = await platformOf(env);
	const { signer } = authority;
	if (placed.has(signer)) return;
	authority.signer = {
		...signer,
		sign: (kind, tbs) => (found.signer ?? signer).sign(kind, tbs),
	};
	placed.add(authority.signer);
}

const placed = new WeakSet<object>();
