import { once } from "node:events";
import { parseArgs } from "node:util";
import { readPort } from "./local-port.ts";
import { readSignerPort, runSigner } from "./local-signer.ts";
import { LOCAL_SIGNER, prepareSigner } from "./prepare-signer.ts";
import { runCommand, UsageError } from "./run-command.ts";

/* `npm run signer`: the signer on this machine, with its keys in SoftHSM. */

const HELP = `npm run signer [-- COMMAND] [--key rsa-3072|p-384]

Serves the signer on http://127.0.0.1:8790, or on SIGNER_PORT. The first run compiles its one package, makes a token in
SoftHSM with the issuing key and the log's key, and a TEST authority over it, in .local/signer; delete that folder to
begin anew. npm start -- --signer starts it together with the service. PORT is the service's, which certificates name.

  npm run signer -- stop --reason "…" [--all]     ends certificates and responders at once; --all: CRLs too
  npm run signer -- lift --person first --key .local/signer/first.key.pem       ends the stop when two people
  npm run signer -- lift --person second --key .local/signer/second.key.pem     have said so
  npm run signer -- verify                        compares log and register
  npm run signer -- backup --to FILE              copies both while the signer runs

--key: the kind of the issuing key that the first run makes; p-384 unless given. A host with a real module:
docs/operators/signer-host.md. The contract: docs/operators/signer.md.`;

const PARENT_CHECK_MS = 500;

await runCommand(async () => {
	const { key, help, command } = readArguments();
	if (help) {
		console.log(HELP);
		return 0;
	}
	const signer = await prepareSigner({ port: readSignerPort(), worker: readPort(), key });
	if (command[0] === "serve") console.log(`The signer's folder: ${LOCAL_SIGNER}. Stop with Ctrl-C.`);
	const child = runSigner(signer, command);
	const end = () => void child.kill("SIGTERM");
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
	const parent = process.ppid;
	if (process.env.npm_lifecycle_event)
		setInterval(() => process.ppid !== parent && end(), PARENT_CHECK_MS).unref();
	const [code] = await once(child, "exit");
	return (code as number | null) ?? 0;
});

/** Takes --key and --help for itself; a command with its own options goes on to the signer's program. */
function readArguments() {
	const args = process.argv.slice(2);
	const isOwn = args.length === 0 || args[0]!.startsWith("-");
	const options = {
		key: { type: "string", default: "p-384" },
		help: { type: "boolean", short: "h" },
	} as const;
	try {
		const { values } = parseArgs({ args: isOwn ? args : [], options });
		const { key, help = false } = values;
		if (key !== "rsa-3072" && key !== "p-384") throw new Error(`--key takes rsa-3072 or p-384, not "${key}"`);
		return { key, help, command: isOwn ? ["serve"] : args } as const;
	} catch (error) {
		throw new UsageError(`${(error as Error).message}\n\n${HELP}`);
	}
}
