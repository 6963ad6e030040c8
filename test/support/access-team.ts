import { utf8ToBytes } from "@noble/hashes/utils.js";
import { vi } from "vitest";

/* A team of Cloudflare Access: its keys, and what it says of who has signed in. */

export const TEAM = "https://team.cloudflareaccess.com";
export const AUDIENCE = "f".repeat(64);

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

export type TeamKeys = CryptoKeyPair & { kid: string };

export interface AccessTeam {
	keys: TeamKeys;
	/** Number of requests for its keys. */
	asked: number;
	answer: () => Promise<Response>;
}

/** Answers every call to the team's address, and lets no other call out, until mocks are restored. */
export async function openTeam(): Promise<AccessTeam> {
	const keys = { ...(await generateKeys()), kid: "key-1" };
	const team: AccessTeam = {
		keys,
		asked: 0,
		answer: async () => Response.json({ keys: [await publicJwk(team.keys)] }),
	};
	vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
		const { url } = new Request(input);
		if (url !== `${TEAM}/cdn-cgi/access/certs`) throw new Error(`${url} is not let out`);
		team.asked += 1;
		return team.answer();
	});
	return team;
}

export function generateKeys(): Promise<CryptoKeyPair> {
	const algorithm = { ...RSA, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
	return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<CryptoKeyPair>;
}

export async function publicJwk({ publicKey, kid }: TeamKeys) {
	const { n, e } = (await crypto.subtle.exportKey("jwk", publicKey)) as JsonWebKey;
	return { kid, kty: "RSA", alg: "RS256", use: "sig", n, e };
}

export function jwtPart(value: unknown): string {
	return utf8ToBytes(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Makes Access's assertion for ana, with the changes. */
export async function assertionOf(
	team: AccessTeam,
	claims: object = {},
	header: object = {},
	keys: CryptoKeyPair = team.keys,
): Promise<string> {
	const now = Math.floor(Date.now() / 1000);
	const payload = { iss: TEAM, aud: [AUDIENCE], email: "Ana@example.cl", iat: now, nbf: now, exp: now + 600 };
	const head = { alg: "RS256", typ: "JWT", kid: team.keys.kid, ...header };
	const signed = `${jwtPart(head)}.${jwtPart({ ...payload, ...claims })}`;
	const signature = await crypto.subtle.sign(RSA.name, keys.privateKey, utf8ToBytes(signed));
	return `${signed}.${new Uint8Array(signature).toBase64({ alphabet: "base64url", omitPadding: true })}`;
}
