import { createServer } from "node:net";
import { UsageError } from "./run-command.ts";

/* The port of the local service: `PORT` of the environment, or 8787 as wrangler.toml has it. */

const DEFAULT_PORT = 8787;

/** @throws {UsageError} when PORT is no port number. */
export function readPort(text = process.env.PORT): number {
	if (text === undefined || text === "") return DEFAULT_PORT;
	const port = Number(text);
	if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
		throw new UsageError(`PORT must be a number from 1 to 65535, not "${text}"`);
	return port;
}

export function localUrl(port: number): string {
	return `http://localhost:${port}`;
}

/** @throws when another program listens on the port, on any address of this machine. */
export function checkPortIsFree(port: number, variable = "PORT"): Promise<void> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once("error", (error: NodeJS.ErrnoException) =>
			reject(
				error.code === "EADDRINUSE"
					? new Error(
							`Port ${port} is in use. Stop what listens there, or choose another: ${variable}=${port + 1} npm start`,
						)
					: error,
			),
		);
		server.listen(port, () => server.close(() => resolve()));
	});
}
