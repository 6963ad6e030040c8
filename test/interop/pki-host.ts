import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { createTestHarness } from "wrangler";
import { openWithOpenssl } from "./pfx-openers.ts";

/** The service's own address in these tests. As in production it is https, so no program can fetch from it here. */
const SERVICE = "https://certificates.example";

/** @returns what posts JSON to a service at its own address, and gives the JSON that it answers. */
export function postTo(harness: ReturnType<typeof createTestHarness>) {
	return async (path: string, body: unknown, headers: Record<string, string>) => {
		const response = await harness.getWorker().fetch(SERVICE + path, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		// biome-ignore lint/suspicious/noExplicitAny: answers are read by name
		return (await response.json()) as any;
	};
}

/** Issues a certificate to a person of the sandbox. */
export async function obtainCertificate(
	post: ReturnType<typeof postTo>,
	{ dni, pin, serialNumber }: { dni: string; pin: string; serialNumber: string },
	key: Record<string, string>,
) {
	const bulk = await post("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 }, key);
	const pCode = bulk.data.pcodes[0] as string;
	const holder = { pCode, referenceId: "x", dni, email: `${dni}@example.cl`, pin, serialNumber };
	await post("/api/partners/v1/certificate_request", holder, key);
	const { data, message } = await post(
		"/api/partners/v1/certificate_claim",
		{ p_code: pCode, dni, pin },
		key,
	);
	if (!data?.certificate) throw new Error(message);
	const { leafPem } = openWithOpenssl(Buffer.from(data.certificate, "base64"), pin);
	return { pCode, serial: data.serialNumber as string, leafPem };
}

/** A plain http server that stands for the host of PKI_URL: it hands every call on to the Worker under that host. */
export class PkiHost {
	readonly #server = createServer(async (request, response) => {
		const { method = "GET", headers } = request;
		const body = method === "POST" ? await buffer(request) : null;
		const type = { "content-type": headers["content-type"] ?? "" };
		const answer = await this.harness!.getWorker().fetch(this.#origin + request.url, {
			method,
			body,
			headers: type,
			redirect: "manual",
		});
		response.writeHead(answer.status, Object.fromEntries(answer.headers));
		response.end(new Uint8Array(await answer.arrayBuffer()));
	});
	harness: ReturnType<typeof createTestHarness> | undefined;

	/** @returns it, listening on a free port. */
	static async start(): Promise<PkiHost> {
		const host = new PkiHost();
		await new Promise<void>((resolve) => host.#server.listen(0, "127.0.0.1", resolve));
		return host;
	}

	get #origin(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Value of PKI_URL. */
	get url(): string {
		return `${this.#origin}/pki`;
	}

	/** The variables of a service with production-like addresses. */
	get vars(): Record<string, string> {
		return {
			ENVIRONMENT: "dev",
			PUBLIC_URL: SERVICE,
			PKI_URL: this.url,
			CPS_URL: `${SERVICE}/cps/`,
			SINGLE_SIGN_ON_BROWSER_URL: `${SERVICE}/sandbox`,
			TERMS_URL: `${SERVICE}/docs/terms/`,
			PRIVACY_URL: `${SERVICE}/docs/privacy/`,
			ALLOW_LOOPBACK_WEBHOOKS: "",
			EMAIL_RECIPIENTS: "@partner.example",
			OPS_ROLES: "tester:read+operate",
		};
	}

	/** Outside local there is no shared token: it becomes that of a person. */
	secrets(opsToken: string): Record<string, string> {
		const digest = createHash("sha256").update(opsToken).digest("hex");
		return { OPS_TOKEN: "", OPS_TOKENS: `tester:${digest}` };
	}

	close(): void {
		this.#server.close();
	}
}
