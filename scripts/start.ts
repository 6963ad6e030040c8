import { parseArgs } from "node:util";
import { checkPortIsFree, readPort } from "./local-port.ts";
import { LOCAL_STATE, type LocalServer, startServer } from "./local-server.ts";
import { readSignerPort, startSigner } from "./local-signer.ts";

/*
 * `npm start`: the service on http://localhost:8787, or on PORT, with a demo partner to call it with. It ends, with
 * all that it started, on SIGINT, SIGTERM and SIGHUP, and when the npm that started it ends. With `--signer` the issuing
 * key is in the signer's token (`npm run signer`), which is started first, and not in the Worker's settings.
 */

const PARENT_CHECK_MS = 500;

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
if (process.env.npm_lifecycle_event) {
	const parent = process.ppid;
	setInterval(() => process.ppid !== parent && stop.abort(), PARENT_CHECK_MS).unref();
}

try {
	const { signer: isWithSigner } = parseArgs({ options: { signer: { type: "boolean" } } }).values;
	const port = readPort();
	await checkPortIsFree(port);
	const settings = isWithSigner ? await withSigner(port) : undefined;
	const server = await startServer({
		port,
		state: LOCAL_STATE,
		signal: stop.signal,
		...(settings && { settings }),
	});
	welcome(server);
	const code = await server.ended;
	process.exitCode = stop.signal.aborted ? 0 : code;
} catch (error) {
	if (!stop.signal.aborted) {
		console.error((error as Error).message);
		process.exitCode = 1;
	}
} finally {
	stop.abort();
}

/** @returns the file of the Worker's settings that go with the signer */
async function withSigner(worker: number): Promise<string> {
	const port = readSignerPort();
	await checkPortIsFree(port, "SIGNER_PORT");
	const { prepareSigner } = await import("./prepare-signer.ts");
	const signer = await prepareSigner({ port, worker });
	const child = await startSigner(signer, { signal: stop.signal });
	child.once("exit", () => stop.abort());
	return signer.workerSettings;
}

function welcome({ url, apiKey, manageKey }: LocalServer): void {
	console.log(`
  Partner certificates, local, answering from the sandbox registry

  redeem          ${url}/api/partners/v1
  purchase codes  ${url}/api/partner/v1
  guide           ${url}/docs/
  reference       ${url}/docs/reference
  console         ${url}/console, to sign in with the manage key
  demo shop       ${url.replace("localhost", "127.0.0.1")}/demo/
  ops console     ${url}/ops/console (sign in with OPS_TOKEN of .dev.vars)
  demo key        ${apiKey}
  manage key      ${manageKey} (scopes codes, redeem, manage)

  First call:
    curl -s ${url}/api/partner/v1/pcode/bulk -H 'x-gw: ${apiKey}' \\
      -H 'content-type: application/json' -d '{"productCode":"FV01","quantity":3}'

  The whole flow: npm run demo (in another terminal). Stop with Ctrl-C.
`);
}
