import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { createPartnerClient, dataOf } from "../client/index.ts";
import { localUrl, readPort } from "./local-port.ts";
import { LOCAL_STATE, savedDemoKeys, startServer } from "./local-server.ts";

/*
 * `npm run demo`: the whole B2C flow, step by step, against a running server (--url and --key, or `npm start` in
 * another terminal) or one that it starts for itself. Leaves the PFX and its PIN in demo-output/.
 */

const root = join(import.meta.dirname, "..");
const output = join(root, "demo-output");
const PORT = readPort();

/** JUANA ANDREA PÉREZ SOTO of the sandbox, an invented identity. */
const HOLDER = { dni: "11111111-1", email: "juana@example.cl", serialNumber: "111111111", pin: "4821" };

const { values } = parseArgs({ options: { url: { type: "string" }, key: { type: "string" } } });
const { url, key, stop } = await findServer();
const client = createPartnerClient({ baseUrl: url, apiKey: key });
try {
	await walk();
} finally {
	await stop();
}

async function walk(): Promise<void> {
	const { dni, email, serialNumber, pin } = HOLDER;
	const bulk = await client.POST("/api/partner/v1/pcode/bulk", {
		body: { productCode: "FV01", quantity: 1 },
	});
	const pCode = dataOf(bulk).pcodes[0]!;
	say("purchase code", pCode);
	say("status", await status(pCode));

	const body = { pCode, referenceId: "demo-1", dni, email, pin, serialNumber };
	const { titular } = dataOf(await client.POST("/api/partners/v1/certificate_request", { body }));
	say("holder validated", `${titular.nombreCompleto}, ${titular.rut}`);
	say("status", await status(pCode));

	const claim = { body: { p_code: pCode, dni, pin } };
	const claimed = dataOf(await client.POST("/api/partners/v1/certificate_claim", claim));
	say("certificate", `${claimed.serialNumber}, until ${claimed.validTo}`);
	say("status", await status(pCode));

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

async function status(pCode: string): Promise<string> {
	const query = { p_code: pCode };
	return dataOf(await client.GET("/api/partners/v1/status", { query })).status;
}

async function findServer(): Promise<{ url: string; key: string; stop: () => Promise<void> }> {
	const running = values.url ?? localUrl(PORT);
	const known = values.key ?? (await savedDemoKeys(LOCAL_STATE))?.apiKey;
	const alive = await fetch(`${running}/healthz`).catch(() => null);
	if (alive?.ok && known) {
		say("server", running);
		return { url: running, key: known, stop: async () => undefined };
	}
	if (values.url) throw new Error(`${running} does not answer, or --key is missing`);
	say("server", `none on ${running}; starting one on port ${PORT + 1}`);
	const server = await startServer({ port: PORT + 1, state: ".wrangler/demo" });
	return { url: server.url, key: server.apiKey, stop: server.stop };
}

function say(what: string, value: string): void {
	console.log(`  ${what.padEnd(18)}${value}`);
}
