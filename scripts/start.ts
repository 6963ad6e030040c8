import { startServer } from "./local-server.ts";

/* `npm start`: the service on http://localhost:8787, with a demo partner to call it with. */

const PORT = 8787;
const STATE = ".wrangler/state";

const server = await startServer(PORT, STATE);
console.log(`
  Partner certificates, local, answering from the sandbox registry

  redeem          ${server.url}/api/partners/v1
  purchase codes  ${server.url}/api/partner/v1
  reference       ${server.url}/docs/
  demo key        ${server.apiKey}

  First call:
    curl -s ${server.url}/api/partner/v1/pcode/bulk -H 'x-gw: ${server.apiKey}' \\
      -H 'content-type: application/json' -d '{"productCode":"FV01","quantity":3}'

  The whole flow: npm run demo (in another terminal). Stop with Ctrl-C.
`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.process.kill(signal));
server.process.on("exit", (code) => process.exit(code ?? 0));
