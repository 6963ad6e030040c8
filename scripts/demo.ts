import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createPartnerClient, dataOf } from "../client/index.ts";
import { localUrl, readPort } from "./local-port.ts";
import { LOCAL_STATE, savedDemoKeys, startServer } from "./local-server.ts";
import { noService, Refused, readOptions, readUrl, runCommand, UsageError } from "./run-command.ts";

/*
 * `npm run demo`: the whole B2C flow, step by step, against a running server (--url and --key, or `npm start` in
 * another terminal) or one that it starts for itself. Leaves the PFX and its PIN in demo-output/.
 */

const root = join(import.meta.dirname, "..");
const output = join(root, "demo-output");
const HELP = `Usage: npm run demo [-- --url URL --key KEY]

Runs the whole B2C flow against the service of npm start, or one that it starts for itself, and leaves the PFX and its
PIN in demo-output/. --url and --key: another service, and an API key of a partner there.`;

/** JUANA ANDREA PÉREZ SOTO of the sandbox, an invented identity. */
const HOLDER = { dni: "11111111-1", email: "juana@example.cl", serialNumber: "111111111", pin: "4821" };

let server: { url: string; key: string; stop: () => Promise<void> } | null = null;
await runCommand(demo, () => server?.stop());

async function demo(): Promise<number> {
	const values = readOptions({ url: { type: "string" }, key: { type: "string" } }, HELP);
	if (values === null) return 0;
	server = await findServer(values);
	try {
		await walk(createPartnerClient({ baseUrl: server.url, apiKey: server.key }));
	} finally {
		await server.stop();
	}
	return 0;
}

type Client = ReturnType<typeof createPartnerClient>;

async function walk(client: Client): Promise<void> {
	const { dni, email, serialNumber, pin } = HOLDER;
	const bulk = await client.POST("/api/partner/v1/pcode/bulk", {
		body: { productCode: "FV01", quantity: 1 },
	});
	const pCode = dataOf(bulk).pcodes[0]!;
	say("purchase code", pCode);
	say("status", await status(client, pCode));

	const body = { pCode, referenceId: "demo-1", dni, email, pin, serialNumber };
	const { titular } = dataOf(await client.POST("/api/partners/v1/certificate_request", { body }));
	say("holder validated", `${titular.nombreCompleto}, ${titular.rut}`);
	say("status", await status(client, pCode));

	const claim = { body: { p_code: pCode, dni, pin } };
	const claimed = dataOf(await client.POST("/api/partners/v1/certificate_claim", claim));
	say("certificate", `${claimed.serialNumber}, until ${claimed.validTo}`);
	say("status", await status(client, pCode));

	const file = join(output, `${pCode}.pfx`);
	await mkdir(output, { recursive: true });
	await writeFile(file, Buffer.from(claimed.certificate, "base64"));
	await writeFile(join(output, `${pCode}.pin.txt`), `${pin}\n`);
	say("saved", `${relative(root, file)}, PIN ${pin}`);
	describe(file, pin);
}

/** Prints openssl's reading of the file, where openssl is installed. */
function describe(file: string, pin: string): void {
	const command = `openssl pkcs12 -in ${relative(root, file)} -passin pass:${pin} -nokeys -clcerts`;
	try {
		const options = { cwd: root, encoding: "utf8", stdio: "pipe" } as const;
		const pem = execFileSync(
			"openssl",
			["pkcs12", "-in", file, "-passin", `pass:${pin}`, "-nokeys", "-clcerts"],
			options,
		);
		const subject = execFileSync(
			"openssl",
			["x509", "-noout", "-subject", "-nameopt", "utf8,sep_comma_plus"],
			{
				encoding: "utf8",
				input: pem,
			},
		);
		say("openssl reads", subject.trim());
	} catch {
		say("open it with", command);
	}
}

async function status(client: Client, pCode: string): Promise<string> {
	const query = { p_code: pCode };
	return dataOf(await client.GET("/api/partners/v1/status", { query })).status;
}

async function findServer(given: { url?: string; key?: string }) {
	const port = readPort();
	const running = readUrl("--url", given.url ?? localUrl(port));
	const key = given.key ?? (await savedDemoKeys(LOCAL_STATE))?.apiKey;
	const alive = await fetch(`${running}/healthz`).catch((error: Error) => error);
	if (given.url && alive instanceof Error) throw new Refused(noService(running, alive));
	if (given.url && !key) throw new UsageError(`--key is missing.\n\n${HELP}`);
	if (!(alive instanceof Error) && alive.ok && key) {
		say("server", running);
		return { url: running, key, stop: async () => undefined };
	}
	say("server", `none on ${running}; starting one on port ${port + 1}`);
	const started = await startServer({ port: port + 1, state: ".wrangler/demo" });
	return { url: started.url, key: started.apiKey, stop: started.stop };
}

function say(what: string, value: string): void {
	console.log(`  ${what.padEnd(18)}${value}`);
}
