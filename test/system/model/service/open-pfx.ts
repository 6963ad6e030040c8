import "reflect-metadata";
import { X509Certificate } from "@peculiar/x509";
import { openWithPkijs } from "../../../interop/pfx-library-openers.ts";

const SAMPLE = new TextEncoder().encode("signed with the key of the PFX");
const ALGORITHMS = {
	"ec-p256": { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
	"rsa-2048": { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
};

/** Opens a PFX with another's library. @returns what in it is not the holder's, the certificate's or the key's. */
export async function checkPfx(
	pfx: Uint8Array,
	{ pin, rut, serial }: { pin: string; rut: string; serial: string },
): Promise<string[]> {
	const opened = await openWithPkijs(pfx, pin).catch(() => null);
	const [leaf] = opened?.certificates ?? [];
	if (!opened || !leaf) return ["the PFX does not open with the PIN"];
	const certificate = new X509Certificate(leaf as Uint8Array<ArrayBuffer>);
	const found = certificate.subjectName.getField("2.5.4.5");
	return [
		...(certificate.serialNumber.toUpperCase() === serial ? [] : ["the PFX holds another certificate"]),
		...(found.length === 1 && found[0] === rut ? [] : [`the certificate is of ${found}, not of ${rut}`]),
		...((await isPair(certificate, opened.pkcs8)) ? [] : ["the key is not the certificate's"]),
	];
}

async function isPair(certificate: X509Certificate, pkcs8: Uint8Array): Promise<boolean> {
	const spki = certificate.publicKey.rawData;
	const algorithm = ALGORITHMS[spki.byteLength < 100 ? "ec-p256" : "rsa-2048"];
	const bytes = pkcs8 as Uint8Array<ArrayBuffer>;
	const privateKey = await crypto.subtle.importKey("pkcs8", bytes, algorithm, false, ["sign"]);
	const publicKey = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
	const signature = await crypto.subtle.sign(algorithm, privateKey, SAMPLE);
	return crypto.subtle.verify(algorithm, publicKey, signature, SAMPLE);
}
