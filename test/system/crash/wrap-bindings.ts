import type { Bindings } from "../../../src/bindings.ts";
import { passOrHold, report } from "./pause.ts";
import { readSettings } from "./settings.ts";
import { signOrHold } from "./wrap-platform.ts";

/** Lets every call through: the approximate limits are not what is looked at. */
const NO_LIMIT: RateLimit = { limit: async () => ({ success: true }) };

const wrapped = new WeakMap<Bindings, Bindings>();

/** The environment that the service is given in place of its own; the same for every call of it. */
export function wrapEnv(env: Bindings): Bindings {
	const known = wrapped.get(env);
	if (known) return known;
	const made: Bindings = {
		...env,
		FROZEN: readSettings((env as Bindings & { PROOF_SETTINGS: string }).PROOF_SETTINGS).frozen ?? "",
		BULK_RATE: NO_LIMIT,
		CALL_RATE: NO_LIMIT,
		CIVIL_REGISTRY: spyOnRegistry(env.CIVIL_REGISTRY!),
		EMAIL: { send: sendByPost } as unknown as SendEmail,
	};
	wrapped.set(env, made);
	return made;
}

function spyOnRegistry(registry: Fetcher): Fetcher {
	const fetch = async (request: Request): Promise<Response> => {
		await passOrHold("registry-asked");
		const response = await registry.fetch(request);
		const text = await response.text();
		if (response.ok) {
			const { rut, status } = JSON.parse(text) as { rut: string; status: string };
			report({ proof: "verdict", rut, status });
		}
		await passOrHold("registry-answered");
		return new Response(text, response);
	};
	return { fetch } as unknown as Fetcher;
}

interface Message {
	to: string;
	subject: string;
	headers: Record<string, string>;
	attachments: { content: Uint8Array }[];
}

/** Sends e-mails to the host, which keeps them, since the platform's mail writes files here. */
async function sendByPost({ to, subject, headers, attachments }: Message): Promise<void> {
	await passOrHold("before-email");
	const body = JSON.stringify({
		to,
		subject,
		id: headers["X-Delivery-Id"],
		pfx: attachments[0]?.content.toBase64(),
	});
	const response = await direct(`http://127.0.0.1:${hostPort}/mail`, { method: "POST", body });
	await response.text();
	await passOrHold("after-email");
}

const direct = globalThis.fetch;
let hostPort = 0;

/** Webhooks leave by the global fetch, and so does what a signer is to sign. @param port - on loopback, where e-mails go. */
export function wrapFetch(port: number): void {
	hostPort = port;
	globalThis.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
		if (input instanceof Request && new URL(input.url).pathname === "/v1/certificates") {
			const tbs = await input.clone().bytes();
			return signOrHold(tbs, () => direct(input, init));
		}
		const response = await direct(input as RequestInfo, init);
		await passOrHold("webhook-acknowledged");
		return response;
	};
}
