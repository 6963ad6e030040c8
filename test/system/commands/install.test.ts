import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/* npm itself waits five minutes: the test's own limit is what tells them apart. */
test("without a registry that answers, npm start says so and ends", async () => {
	const folder = await mkdtemp(join(tmpdir(), "install-"));
	const mute = createServer().listen(0, "127.0.0.1");
	await once(mute, "listening");
	onTestFinished(async () => {
		mute.close();
		await rm(folder, { recursive: true });
	});
	await writeFile(join(folder, "package.json"), JSON.stringify({ dependencies: { hono: "4.13.19" } }));
	const { port } = mute.address() as { port: number };
	const env = {
		...process.env,
		npm_config_registry: `http://127.0.0.1:${port}/`,
		npm_config_cache: join(folder, "cache"),
	};
	const child = spawn(process.execPath, [join(process.cwd(), "scripts/install.js")], { cwd: folder, env });
	const [said] = (await once(child.stderr, "data")) as [Buffer];
	expect(said.toString()).toContain("The package registry does not answer.");
	const [code] = await once(child, "close");
	expect(code).not.toBe(0);
}, 60_000);
