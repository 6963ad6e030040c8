import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { byTurns } from "../../support/run-size.ts";

/* The commands that partners and operators type: a sentence and an exit code for whatever goes wrong. */

const DEAD = "http://127.0.0.1:9";

/** @param reads - false: nobody reads its output. */
async function run(command: string, { reads = true, port = "" } = {}) {
	const [script, ...args] = command.split(" ");
	const env = {
		...process.env,
		PORT: port,
		OPS_TOKEN: "none",
		MANAGE_KEY: "gw_dev_none",
		NODE_NO_WARNINGS: "1",
	};
	const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], { env, stdio: "pipe" });
	const said = { out: "", err: "" };
	child.stdout.on("data", (chunk) => (said.out += chunk));
	child.stderr.on("data", (chunk) => (said.err += chunk));
	if (!reads) child.stdout.destroy();
	child.stdin.end();
	const [code] = await once(child, "close");
	return { code, ...said };
}

test.for([
	["listen", 2, /^--forward-to is missing.*Usage/s],
	["demo --nonsense", 2, /^Unknown option '--nonsense'.*Usage: npm run demo/s],
	["ops partners list --env moon", 2, /^--env takes local, dev or prod/],
	[`listen --forward-to http://localhost:3000 --url ${DEAD}`, 1, /^No service answers at http:\/\/127/],
	[`demo --url ${DEAD} --key gw_dev_none`, 1, /^No service answers at http:\/\/127/],
	[`ops partners list --url ${DEAD}`, 1, /^No service answers at http:\/\/127/],
] as const)("%s ends with %s and a sentence", async ([command, code, sentence]) => {
	const { out, err, ...ended } = await run(command);
	expect([ended.code, out + err]).toEqual([code, expect.stringMatching(sentence)]);
	expect(out + err).not.toMatch(/^ +at |node:internal/m);
});

test("PORT that is no port: a sentence, too", async () => {
	for (const command of byTurns(["listen --forward-to http://localhost:3000", "ops partners list"], 2, 0))
		expect(await run(command, { port: "80a" })).toMatchObject({
			code: 2,
			err: expect.stringMatching(/^PORT must be/),
		});
});

test.for(byTurns(["listen --help", "demo --help", "ops --help"], 3, 1))(
	"%s into a closed pipe: a sentence",
	async (command) => {
		const { code, err } = await run(command, { reads: false });
		expect([code, err]).toEqual([1, "Stopped: the program that read this output has ended.\n"]);
	},
);
