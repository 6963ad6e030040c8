import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { readAuthority } from "./authority.ts";
import { type Config, readConfig } from "./config.ts";
import { same } from "./der.ts";
import { type Approval, approve, openStops } from "./orders.ts";
import { Pkcs11Token } from "./pkcs11-token.ts";
import { Register } from "./register.ts";
import { createSigner } from "./server.ts";
import { verifySigner } from "./verify.ts";

const USAGE = `node signer/src/main.ts --config signer.json COMMAND

serve                                             answer Workers on 127.0.0.1
stop --reason TEXT [--all]                        end certificates and responders at once; --all: CRLs too
lift --person NAME --key FILE                     end the stops, once two people have said so
leave-out --serial HEX --person NAME --key FILE   let the next CRL lack an entry, once two people have said so
allow-responder --reason TEXT                     sign the next responder before its time: one was lost
verify [--export FILE] [--head N:HASH]...         compare log, register, kept heads and D1's certificates
backup --to FILE                                  copy register and log, while the signer runs`;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		...{ config: { type: "string" }, help: { type: "boolean" }, all: { type: "boolean" } },
		...{ reason: { type: "string" }, person: { type: "string" }, key: { type: "string" } },
		...{ serial: { type: "string" }, export: { type: "string" }, to: { type: "string" } },
		head: { type: "string", multiple: true },
	},
});

const COMMANDS: Record<string, (config: Config, register: Register) => unknown> = {
	serve,
	stop: (_, register) => order(register, values.all ? "stop-all" : "stop"),
	"allow-responder": (_, register) => order(register, "allow-responder"),
	lift: (config, register) =>
		approveAs(config, register, "lift", null, openStops(register, config.people)[0]),
	"leave-out": (config, register) => {
		const serial = need("serial").toUpperCase();
		const about = register.listed(serial);
		approveAs(config, register, "leave-out", serial, about);
	},
	verify: (config, register) => {
		const exported = values.export ? readExport(values.export) : null;
		const heads = (values.head ?? []).map((head) => head.split(":"));
		const found = verifySigner({ config, authority: readAuthority(config), register, exported, heads });
		console.log(found.length === 0 ? "All agree." : found.join("\n"));
		process.exitCode = found.length === 0 ? 0 : 1;
	},
	backup: (_, register) => register.all("VACUUM INTO ?", need("to")),
};

function need(name: "reason" | "person" | "key" | "serial" | "to"): string {
	const value = values[name];
	if (!value) throw new Error(`--${name} is needed.`);
	return value;
}

function order(register: Register, kind: string): void {
	register.append({ at: Date.now(), kind, caller: userInfo().username, note: need("reason") });
}

function approveAs(
	{ people }: Config,
	register: Register,
	kind: Approval["kind"],
	serial: string | null,
	about: Approval["about"] | undefined,
): void {
	if (!about) throw new Error("Nothing is stopped, or no CRL lists the serial.");
	const person = { name: need("person"), key: createPrivateKey(readFileSync(need("key"))) };
	const isEnough = approve({ register, people, at: Date.now() }, { kind, serial, about }, person);
	console.log(
		isEnough ? "Two people have said so: it is done." : "Entered. Another person has to say so too.",
	);
}

/** Rows, or what `wrangler d1 execute --json` prints. */
function readExport(file: string) {
	const json = JSON.parse(readFileSync(file, "utf8"));
	return json[0]?.results ?? json;
}

async function serve(config: Config, register: Register): Promise<void> {
	// Held until the process ends: two that write would sign one serial twice.
	const lock = new DatabaseSync(join(config.folder, "writer.db"));
	lock.exec("BEGIN EXCLUSIVE");
	const pin = config.pin_file ? readFileSync(config.pin_file, "utf8").trim() : (process.env.SIGNER_PIN ?? "");
	const token = new Pkcs11Token({ module: config.module, slot: config.token, pin });
	const authority = readAuthority(config);
	const isRight = async (label: string, key: KeyObject) =>
		same(await token.publicKey(label), key.export({ format: "der", type: "spki" }));
	const areRight =
		(await isRight(config.key, authority.publicKey)) &&
		(await isRight(config.log_key, config.log_public_key));
	if (!areRight) throw new Error("The token's keys are not those of signer.json.");
	const server = createSigner({ config, authority, register, token, clock: Date.now });
	const port = Number(process.env.SIGNER_PORT ?? config.port);
	server.listen(port, "127.0.0.1", () => console.log(`Signer: http://127.0.0.1:${port}`));
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.on(signal, () => server.close(() => lock.close()).closeIdleConnections());
}

const run = COMMANDS[positionals[0] ?? ""];
try {
	if (values.help || !run) console.log(USAGE);
	else {
		const config = readConfig(values.config ?? "signer.json");
		await run(config, new Register(config.folder));
	}
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
