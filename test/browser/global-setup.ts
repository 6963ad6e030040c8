import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startServer } from "../../scripts/local-server.ts";
import { isInstalled } from "../interop/pfx-openers.ts";
import { freePort } from "../support/free-port.ts";

/* The service as `npm start` runs it, and two shops on other origins: one that partners register, one that none does. */

export interface Place {
	/** Address of the service. */
	url: string;
	opsToken: string;
	shop: string;
	stranger: string;
}

declare module "vitest" {
	export interface ProvidedContext {
		place: Place | null;
	}
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	if (!(["chromium", "firefox-esr", "WebKitWebDriver"] as const).some(isInstalled)) {
		project.provide("place", null);
		return async () => undefined;
	}
	const state = `.wrangler/browser-${process.pid}`;
	const port = await freePort();
	const { url, opsToken, stop } = await startServer({ port, state, output: "ignore" });
	const shops = [await openShop(url), await openShop(url)] as const;
	project.provide("place", { url, opsToken, shop: originOf(shops[0]), stranger: originOf(shops[1]) });
	return async () => {
		for (const shop of shops) shop.close();
		await stop();
		await rm(join(import.meta.dirname, "../..", state), { recursive: true, force: true });
	};
}

/** A partner's page, with room for the widget. */
async function openShop(url: string): Promise<Server> {
	const page = `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Tienda</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>body{margin:0}</style></head>
<body><main><div id="widget"></div></main><script src="${url}/widget/v1.js"></script></body></html>`;
	const server = createServer((_, response) => {
		response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	return server;
}

function originOf(server: Server): string {
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
