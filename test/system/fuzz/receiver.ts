import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MARKER, PINS } from "./fixtures.ts";

/** The partners' webhook endpoint: one server, a path for each partner by its marker. */
export interface Receiver {
	/** `http://127.0.0.1:port`, to put a marker behind. */
	url: string;
	received(): number;
	/** A line for each webhook that told a partner what is not its own. */
	faults: string[];
	stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
	const faults: string[] = [];
	let received = 0;
	const server = createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on("data", (part: Buffer) => parts.push(part));
		request.on("end", () => {
			received++;
			faults.push(...faultsOfHook(request.url ?? "", Buffer.concat(parts).toString("utf8")));
			// A third of them stays undelivered, so that there is something to send again.
			response.writeHead(received % 3 === 0 ? 503 : 204).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received: () => received,
		faults,
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** @param path - `/` and the marker of the partner whose endpoint this is. */
export function faultsOfHook(path: string, body: string): string[] {
	const own = path.slice(1);
	const others = [...body.matchAll(MARKER)].filter(([marker]) => marker !== own);
	return [
		...others.map(([marker]) => `the webhook of ${own} told of ${marker}`),
		...(PINS.some((pin) => body.includes(`"${pin}"`)) ? [`the webhook of ${own} held a PIN`] : []),
	];
}
