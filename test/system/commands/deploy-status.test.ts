import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { reachCloudflare, run } from "../../../scripts/deploy/wrangler.ts";
import { byTurns } from "../../support/run-size.ts";

/* Tests wrangler's own reading of Cloudflare's answers about the running version. */

/** Next answer of the account: status and body. */
let answer: [status: number, body: object] = [200, {}];
let server: Server;
let caches: string;
const asked: string[] = [];

beforeAll(async () => {
	server = createServer((request, response) => {
		asked.push(request.url ?? "");
		response.writeHead(answer[0], { "content-type": "application/json" }).end(JSON.stringify(answer[1]));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	vi.stubEnv("CLOUDFLARE_API_BASE_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
	vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "acc");
	vi.stubEnv("WRANGLER_SEND_METRICS", "false");
	// Node keeps what it compiled of wrangler: each start after the first takes a quarter less.
	caches = await mkdtemp(join(tmpdir(), "wrangler-code-"));
	vi.stubEnv("NODE_COMPILE_CACHE", caches);
});
afterAll(async () => {
	server.close();
	vi.unstubAllEnvs();
	await rm(caches, { recursive: true });
});

const ACCOUNT = {
	environment: "prod" as const,
	worker: "partner-certificates-prod",
	url: "https://certificates.example",
	pkiUrl: "http://pki.certificates.example/pki",
	secretsFile: undefined,
	tag: undefined,
	frozen: null,
	objectsAtOnce: false,
};
const cloudflare = reachCloudflare(ACCOUNT);

function refusal(code: number, message: string): object {
	return { success: false, errors: [{ code, message }], messages: [], result: null };
}

test("the version with most calls is the current one", async () => {
	const versions = [
		{ version_id: "v1", percentage: 10 },
		{ version_id: "v2", percentage: 90 },
	];
	answer = [200, { success: true, errors: [], messages: [], result: { deployments: [{ versions }] } }];
	expect(await cloudflare.currentVersion()).toBe("v2");
	expect(asked).toContain("/accounts/acc/workers/scripts/partner-certificates-prod/deployments");
});

test("a Worker that does not exist has no version", async () => {
	answer = [404, refusal(10007, "This Worker does not exist on your account.")];
	expect(await cloudflare.currentVersion()).toBeNull();
});

const UNCLEAR: [string, number, object][] = [
	["answers another not-found", 404, refusal(7003, "Could not route to /accounts/acc")],
	["is down", 500, refusal(10013, "An unknown error has occurred.")],
	["says something else", 200, {}],
];

test.for(byTurns(UNCLEAR, 3, 0))(
	"where Cloudflare %s, nothing is known of the current version",
	async ([, status, body]) => {
		answer = [status, body];
		await expect(cloudflare.currentVersion()).rejects.toThrow("--first");
	},
);

test("a tool that needs no account gets none of its secrets", async () => {
	vi.stubEnv("SMOKE_OPS_TOKEN", "token");
	const found = "['CLOUDFLARE_API_TOKEN', 'SMOKE_OPS_TOKEN'].filter((name) => process.env[name]).length";
	await run("node", ["-e", `process.exit(${found})`]);
});

test("freezing: the version has FROZEN, and the objects take it at once", async () => {
	const folder = await mkdtemp(join(tmpdir(), "wrangler-"));
	const path = process.env.PATH;
	try {
		// Stands in for wrangler: notes what it is asked, and reports a version.
		await writeFile(
			join(folder, "wrangler"),
			`#!/bin/sh\necho "$@" >>"${folder}/asked"\n` +
				`[ -z "$WRANGLER_OUTPUT_FILE_PATH" ] || echo '{"type":"version-upload","version_id":"v9"}' >"$WRANGLER_OUTPUT_FILE_PATH"\n`,
		);
		await chmod(join(folder, "wrangler"), 0o755);
		process.env.PATH = `${folder}:${path}`;
		const freezing = reachCloudflare({ ...ACCOUNT, frozen: "DB_2", objectsAtOnce: true });
		expect(await freezing.upload()).toBe("v9");
		await freezing.deploy([["v9", 100]]);
		await cloudflare.upload();
		expect((await readFile(join(folder, "asked"), "utf8")).trim().split("\n")).toEqual([
			"versions upload --env prod --var FROZEN:DB_2",
			"versions deploy v9@100% --yes --durable-objects-code-update-mode immediate --env prod",
			"versions upload --env prod",
		]);
	} finally {
		process.env.PATH = path;
		await rm(folder, { recursive: true });
	}
});
