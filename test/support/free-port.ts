import { once } from "node:events";
import { createServer } from "node:http";

/** Below those that the system itself gives out: no `listen(0)` and no outgoing connection takes one meanwhile. */
const FIRST = 10_000;
const EACH = 10;
const PROCESSES = 2_200;

let given = 0;

/** A port that nobody listens on, and that no other process of these tests is given: each has ten of its own, by its id. */
export async function freePort(): Promise<number> {
	for (let tried = 0; tried < EACH; tried++) {
		const port = FIRST + (process.pid % PROCESSES) * EACH + (given++ % EACH);
		if (await isFree(port)) return port;
	}
	throw new Error("none of this process's ports is free");
}

async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port);
	const isListening = await once(server, "listening").then(
		() => true,
		() => false,
	);
	if (isListening) await new Promise((resolve) => server.close(resolve));
	return isListening;
}
