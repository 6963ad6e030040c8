import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type BenchPartner, createPartner } from "./partner.ts";
import type { BenchService } from "./service.ts";

/** An endpoint of this process that answers 204 at once. */
export interface Receiver {
	url: string;
	/** Octets of the last delivery. */
	lastOctets(): number;
	stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
	let octets = 0;
	const server = createServer((request, response) => {
		let length = 0;
		request.on("data", (chunk: Buffer) => {
			length += chunk.length;
		});
		request.on("end", () => {
			octets = length;
			response.writeHead(204).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		lastOctets: () => octets,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A B2B partner with a webhook and the secret that signs it. */
export async function createB2bPartner(
	service: BenchService,
	{ url }: Receiver,
	settings: Record<string, unknown> = {},
): Promise<BenchPartner> {
	const partner = await createPartner(service, { mode: "B2B", webhook_url: url, ...settings });
	await service.client.expect(201, {
		method: "POST",
		path: `/ops/v1/partners/${partner.id}/webhook-secret`,
		headers: { authorization: `Bearer ${service.opsToken}` },
		body: { overlap_hours: 0 },
	});
	return partner;
}
