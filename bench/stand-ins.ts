import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { identityCheckRequest } from "../src/identity/civil-registry-wire.ts";
import { findIdentity } from "../src/sandbox/identities.ts";
import { createLocalSigner } from "../src/x509/signatures.ts";

/** The registry, or a signer, of this process, which answers `delayMs` after it was asked. */
export interface StandIn {
	url: string;
	delayMs: number;
	/** Milliseconds that each answer took by itself. */
	ownMs: number[];
	stop(): Promise<void>;
}

/** Knows the holders of the sandbox's load range. */
export function startRegistry(): Promise<StandIn> {
	return start(async (body) => {
		const { success, data } = identityCheckRequest.safeParse(JSON.parse(body.toString() || "{}"));
		if (!success) return "{}";
		const { rut, cardSerial } = data;
		return JSON.stringify({ rut, cardSerial, status: "valid", person: findIdentity(rut)?.person });
	});
}

/** Signs what it is given with the issuing key of the local settings; it reads nothing and keeps no log. */
export async function startSigner(): Promise<StandIn> {
	process.loadEnvFile(new URL("../.dev.vars", import.meta.url).pathname);
	const signer = await createLocalSigner(Buffer.from(process.env.ISSUING_KEY!, "base64"));
	const logged = { entry: 1, head: "0".repeat(64), head_signature: "AAAA" };
	return start(async (body) => {
		const signature = Buffer.from(await signer.sign(Uint8Array.from(body))).toString("base64");
		return JSON.stringify({ signature, ...logged });
	});
}

async function start(answer: (body: Buffer) => Promise<string>): Promise<StandIn> {
	const server = createServer(async (request, response) => {
		const [body] = await Promise.all([buffer(request), pause(standIn.delayMs)]);
		const started = performance.now();
		const answered = await answer(body);
		standIn.ownMs.push(performance.now() - started);
		response.writeHead(200, { "content-type": "application/json" }).end(answered);
	});
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const { port } = server.address() as AddressInfo;
	const standIn: StandIn = {
		url: `http://127.0.0.1:${port}`,
		delayMs: 0,
		ownMs: [],
		stop: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
	return standIn;
}
