import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { FOLDER } from "../../scripts/guide/pages.ts";
import { freePort } from "../support/free-port.ts";
import { service } from "./partner-service.ts";
import { openWithOpenssl, python, type Tool } from "./pfx-openers.ts";
import { testsWith } from "./tool-test.ts";

/* The programs of docs/partners/examples, as the guide shows them, against the service behind a real URL. */

const run = promisify(execFile);
const example = (name: string) => join(FOLDER, "examples", name);
let folder: string;

describe.for<[extension: string, program: string, needs: readonly Tool[]]>([
	["sh", "bash", ["curl", "jq", "openssl"]],
	["mjs", process.execPath, ["openssl"]],
	["php", "php", ["php", "openssl"]],
	["py", python, ["python3", "openssl"]],
])("%s", ([extension, program, needs]) => {
	const test = testsWith(needs);
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), "examples-"));
		onTestFinished(() => rm(folder, { recursive: true }));
	});
	const runExample = async (name: string, key: string, ...args: string[]) => {
		const env = { ...process.env, URL: service.url, KEY: key };
		const { stdout } = await run(program, [example(`${name}.${extension}`), ...args], { cwd: folder, env });
		return stdout.trim();
	};

	test("first-pfx leaves a certificate that its PIN opens; status says what became of the code", async () => {
		const { key } = await createPartner({});
		const code = await runExample("first-pfx", key);
		expect(openWithOpenssl(await readFile(join(folder, "juana.pfx")), "4821").keyOpened).toBe(true);
		expect(await runExample("status", key, code)).toBe("EMITTED");
		expect(await runExample("status", key, "0000-0000-0000-0000")).toBe("NOT_FOUND");
	});

	test("a refusal ends them with its error", async () => {
		for (const name of ["first-pfx", "status"])
			await expect(runExample(name, "gw_dev_unknown", "x")).rejects.toThrow("UNAUTHORIZED");
	});

	test("webhook keeps the PFX of a B2B partner, and takes nothing that the service did not sign just now", async () => {
		const port = await freePort();
		const { id, key, secret } = await createPartner({
			mode: "B2B",
			webhook_url: `http://127.0.0.1:${port}/`,
			webhook_events: ["*"],
		});
		await receive(extension, program, port, secret);
		const post = (path: string, body: object) => service.post(path, body, { "x-gw": key });
		const made = await post("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 });
		const code = made.body.data.pcodes[0];
		const issued = await post("/api/partners/v1/certificate_request", {
			pCode: code,
			referenceId: "orden-1",
			dni: "11111111-1",
			email: `${id}@example.cl`,
			pin: "4821",
			serialNumber: "111111111",
		});
		expect(issued.body.data.status).toBe("EMITTED");
		expect(openWithOpenssl(await readFile(join(folder, `${code}.pfx`)), "4821").keyOpened).toBe(true);

		const body = JSON.stringify({
			type: "ping",
			timestamp: new Date().toISOString(),
			data: { name: "Muñoz" },
		});
		const sign = (id: string, at = new Date()) => ({
			"webhook-id": id,
			"webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
			"webhook-signature": new Webhook(secret).sign(id, at, body),
		});
		const send = async (changed: Record<string, string>, sent = body) => {
			const headers = { ...sign(randomUUID()), ...changed };
			return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: sent })).status;
		};
		const other = "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=";
		const signed = sign("two");
		const two = { ...signed, "webhook-signature": `${other} ${signed["webhook-signature"]}` };
		expect([await send({}), await send(two)]).toEqual([204, 204]);
		expect({
			otherSignature: await send({ "webhook-signature": other }),
			otherBody: await send({}, body.replace("Muñoz", "Munoz")),
			otherId: await send({ "webhook-id": "other" }),
			old: await send(sign("old", new Date(Date.now() - 600_000))),
			noTime: await send({ "webhook-timestamp": "x" }),
		}).toEqual({ otherSignature: 400, otherBody: 400, otherId: 400, old: 400, noTime: 400 });
	});
});

/** Starts the example that receives; the one for bash, which is called once for each delivery, behind a server of ours. */
async function receive(extension: string, program: string, port: number, secret: string): Promise<void> {
	const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
	const options = { cwd: folder, env };
	const file = example(`webhook.${extension}`);
	if (extension === "sh") {
		const server = createServer(async (request, response) => {
			const child = spawn(program, [file, ...threeHeaders(request)], options);
			child.stdin.end(await buffer(request));
			const [code] = await once(child, "exit");
			response.writeHead(code === 0 ? 204 : 400).end();
		});
		onTestFinished(() => void server.close());
		return void (await once(server.listen(port, "127.0.0.1"), "listening"));
	}
	const args = extension === "php" ? ["-S", `127.0.0.1:${port}`, file] : [file];
	const child: ChildProcess = spawn(program, args, { ...options, stdio: "ignore" });
	onTestFinished(() => void child.kill());
	await expect
		.poll(() => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" }).catch(() => null))
		.not.toBeNull();
}

function threeHeaders({ headers }: IncomingMessage): string[] {
	return ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`]));
}

async function createPartner(settings: object): Promise<{ id: string; key: string; secret: string }> {
	const made = await service.createPartner({ name: "Tienda Andes", ...settings });
	return { id: made.partner.id, key: made.api_key, secret: made.webhook_secret };
}
