import type { Bindings } from "../../src/bindings.ts";
import { platformOf } from "../../src/platform.ts";
import { issueCertificate } from "../../src/x509/issue-certificate.ts";
import { assemblePfx, type PfxProfile, preparePfx } from "../../src/x509/pfx.ts";
import { createSerial } from "../../src/x509/serial.ts";
import { assembleWithForge, issueWithForge } from "./forge.ts";
import { createOrder, type MakePfx, type Order, type PfxOrder } from "./order.ts";
import { assembleWithPkijs, issueWithPkijs } from "./pkijs.ts";

type Prepare<Given> = (given: Given, env: Bindings) => MakePfx | Promise<MakePfx>;

/** Certificate and PFX for an existing key pair. */
const ISSUE: Record<string, Prepare<Order>> = {
	ours: (order, env) => issueWithOurs(order, env, "modern"),
	"ours-legacy": (order, env) => issueWithOurs(order, env, "legacy"),
	pkijs: issueWithPkijs,
	// One number of rounds for encryption and MAC: the lower one, in its favour.
	forge: (order) =>
		issueWithForge(order, { algorithm: "aes256", prfAlgorithm: "sha256", count: 2_048, saltSize: 16 }),
	"forge-legacy": (order) => issueWithForge(order, { algorithm: "3des", count: 2_048, saltSize: 8 }),
};

/** The PFX alone, from a key, its certificate and the chain. */
const ASSEMBLE: Record<string, Prepare<PfxOrder>> = {
	ours: (order, env) => assembleWithOurs(order, env, "modern"),
	"ours-legacy": (order, env) => assembleWithOurs(order, env, "legacy"),
	pkijs: assembleWithPkijs,
	forge: (order) =>
		assembleWithForge(order, { algorithm: "aes256", prfAlgorithm: "sha256", count: 2_048, saltSize: 16 }),
	"forge-legacy": (order) => assembleWithForge(order, { algorithm: "3des", count: 2_048, saltSize: 8 }),
};

const prepared = new Map<string, Promise<MakePfx>>();
let shared: Promise<PfxOrder> | undefined;

/** Issues `n` certificates one after the other. @returns the last PFX, base64 */
export async function issueByName(name: string, n: number, env: Bindings): Promise<{ pfx: string }> {
	const make = await once(`issue ${name}`, async () => ISSUE[name]!(await createOrder(env), env));
	return { pfx: (await repeat(make, n)).toBase64() };
}

/** Assembles `n` files one after the other. @returns the last one and its parts, base64 */
export async function assembleByName(name: string, n: number, env: Bindings) {
	shared ??= createPfxOrder(env);
	const order = await shared;
	const make = await once(`assemble ${name}`, async () => ASSEMBLE[name]!(order, env));
	return {
		pfx: (await repeat(make, n)).toBase64(),
		pkcs8: order.pkcs8.toBase64(),
		leaf: order.leaf.toBase64(),
		issuing: order.issuing.toBase64(),
		root: order.root.toBase64(),
	};
}

function once(name: string, prepare: () => Promise<MakePfx>): Promise<MakePfx> {
	const known = prepared.get(name) ?? prepare();
	prepared.set(name, known);
	return known;
}

async function repeat(make: MakePfx, n: number): Promise<Uint8Array> {
	let pfx = new Uint8Array();
	for (let i = 0; i < n; i++) pfx = Uint8Array.from(await make());
	return pfx;
}

/** Does everything that the service does in a claim: export of the key, leaf, lint, PFX. */
async function issueWithOurs(order: Order, env: Bindings, pfxProfile: PfxProfile): Promise<MakePfx> {
	const issue = await issuerOf(order, env, pfxProfile);
	return async () => (await issue()).pfx;
}

async function createPfxOrder(env: Bindings): Promise<PfxOrder> {
	const order = await createOrder(env);
	const issue = await issuerOf(order, env, "modern");
	return { ...order, leaf: Uint8Array.from((await issue()).leaf) };
}

async function issuerOf(order: Order, env: Bindings, pfxProfile: PfxProfile) {
	const { authority } = await platformOf(env);
	const { keyPair, holder, notBefore, notAfter, pin } = order;
	return async () => {
		const serial = createSerial(crypto.getRandomValues(new Uint8Array(16)));
		const issued = await issueCertificate(authority, {
			serial,
			notBefore,
			notAfter,
			holder,
			keyAlgorithm: "rsa-2048",
			pfxProfile,
			pin,
			keyPair,
		});
		if (!issued.ok) throw new Error(issued.failures.join("; "));
		return issued;
	};
}

async function assembleWithOurs(order: PfxOrder, env: Bindings, profile: PfxProfile): Promise<MakePfx> {
	const { chainBags } = (await platformOf(env)).authority;
	const { pin, pkcs8, leaf, holder } = order;
	return async () => {
		const prepared = await preparePfx(profile, pin, pkcs8);
		return assemblePfx(prepared, { leaf, chainBags, friendlyName: holder.fullName });
	};
}
