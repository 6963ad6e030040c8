import forge from "node-forge";
import * as pkijs from "pkijs";
import type { Bindings } from "../../src/config.ts";
import { platformOf } from "../../src/platform.ts";
import { issueCertificate } from "../../src/x509/issue-certificate.ts";
import { assemblePfx, type PfxProfile } from "../../src/x509/pfx.ts";
import { createSerial } from "../../src/x509/serial.ts";
import { parseForgeCertificate, readForgeKey } from "./forge.ts";
import { createOrder, type IssueOrder } from "./libraries.ts";
import { createPkijsPfx } from "./pkijs-pfx.ts";

/** Puts a key, its certificate and the chain, all ready, into a PFX. @returns DER */
type Assemble = () => Promise<Uint8Array>;

interface ForgeParameters {
	algorithm: "aes256" | "3des";
	/** Missing from the library's types. */
	prfAlgorithm?: string;
	count: number;
	saltSize: number;
}

/** What every library is given, and what openssl is given as files. */
interface Parts {
	order: IssueOrder;
	leaf: Uint8Array<ArrayBuffer>;
	chainBags: Uint8Array[];
}

const prepared = new Map<string, Promise<Assemble>>();
let shared: Promise<Parts> | undefined;

/** Assembles `n` files one after the other. @returns the last one and its parts, base64 */
export async function assembleByName(name: string, n: number, env: Bindings) {
	shared ??= createParts(env);
	const parts = await shared;
	if (!prepared.has(name)) prepared.set(name, prepare(name, parts));
	const assemble = await prepared.get(name)!;
	let pfx = new Uint8Array();
	for (let i = 0; i < n; i++) pfx = Uint8Array.from(await assemble());
	const { order, leaf } = parts;
	const { pkcs8, issuing, root } = order;
	const base64 = Object.entries({ pfx, pkcs8, leaf, issuing, root }).map(([key, der]) => [
		key,
		der.toBase64(),
	]);
	return Object.fromEntries(base64) as Record<"pfx" | "pkcs8" | "leaf" | "issuing" | "root", string>;
}

async function createParts(env: Bindings): Promise<Parts> {
	const order = await createOrder(env);
	const { authority } = await platformOf(env);
	const issued = await issueCertificate(authority, {
		...order,
		serial: createSerial(crypto.getRandomValues(new Uint8Array(16))),
		keyAlgorithm: "rsa-2048",
		pfxProfile: "modern",
	});
	if (!issued.ok) throw new Error(issued.failures.join("; "));
	return { order, leaf: Uint8Array.from(issued.leaf), chainBags: authority.chainBags };
}

async function prepare(name: string, parts: Parts): Promise<Assemble> {
	switch (name) {
		case "ours":
			return ours(parts, "modern");
		case "ours-legacy":
			return ours(parts, "legacy");
		case "pkijs":
			return withPkijs(parts);
		case "forge":
			return withForge(parts, { algorithm: "aes256", prfAlgorithm: "sha256", count: 10_000, saltSize: 16 });
		case "forge-legacy":
			return withForge(parts, { algorithm: "3des", count: 2_048, saltSize: 8 });
		default:
			throw new RangeError(`no library ${name}`);
	}
}

function ours({ order, leaf, chainBags }: Parts, profile: PfxProfile): Assemble {
	const { pin, pkcs8, holder } = order;
	return () => assemblePfx({ profile, pin, pkcs8, leaf, chainBags, friendlyName: holder.fullName });
}

function withPkijs({ order, leaf }: Parts): Assemble {
	const [own, issuing, root] = [leaf, order.issuing, order.root].map((der) => pkijs.Certificate.fromBER(der));
	return () => createPkijsPfx(order, own!, [issuing!, root!]);
}

/** One number of rounds for encryption and MAC, a MAC with SHA-1, certificates in the clear, no otherName read. */
function withForge({ order, leaf }: Parts, parameters: ForgeParameters): Assemble {
	const key = readForgeKey(order.pkcs8);
	const chain = [leaf, order.issuing, order.root].map(parseForgeCertificate);
	const options = { ...parameters, friendlyName: forge.util.encodeUtf8(order.holder.fullName) };
	return async () => {
		const pfx = forge.pkcs12.toPkcs12Asn1(key, chain, order.pin, options);
		return Uint8Array.from(forge.asn1.toDer(pfx).getBytes(), (octet) => octet.charCodeAt(0));
	};
}
