import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { checkEnvironment, readEnvironment } from "../../../scripts/deploy/check-environment.ts";
import { migrateAll } from "../../../scripts/deploy/migrate-all.ts";
import { requireThawed } from "../../../scripts/deploy/require-thawed.ts";
import { type Cloudflare, type SharingPlan, shareOut, TakenBack } from "../../../scripts/deploy/share-out.ts";
import { smokeTest } from "../../../scripts/deploy/smoke-test.ts";

const PLAN: SharingPlan = { shares: [10, 50], pauseMs: 300_000, atOnce: false, first: false };

/** Cloudflare that writes down what it was asked, and fails the n-th smoke test. */
function account({ current = "v1" as string | Error | null, failing = 0 } = {}) {
	const done: string[] = [];
	const note = (what: string) => {
		done.push(what);
		return "v2";
	};
	let tests = 0;
	const cloudflare: Cloudflare = {
		currentVersion: async () => {
			if (current instanceof Error) throw current;
			return current;
		},
		upload: async () => note("upload"),
		deploy: async (shares) =>
			void done.push(shares.map(([version, share]) => `${version}@${share}`).join(" ")),
		deployTriggers: async () => void done.push("triggers"),
		deployAtOnce: async () => note("deploy"),
		smokeTest: async (version) => {
			done.push(`try ${version}`);
			return ++tests === failing ? ["/readyz: 503 instead of 200"] : [];
		},
	};
	const pause = async (milliseconds: number) => void done.push(`wait ${milliseconds / 1000} s`);
	return { done, run: (plan = PLAN) => shareOut(cloudflare, plan, () => undefined, pause) };
}

test("a version is tried with a share of nothing, then shared out, and triggers follow it", async () => {
	const { done, run } = account();
	expect(await run()).toBe("v2");
	expect(done).toEqual([
		"upload",
		...["v1@100 v2@0", "try v2"],
		...["v1@90 v2@10", "try v2", "wait 300 s"],
		...["v1@50 v2@50", "try v2", "wait 300 s"],
		...["v2@100", "try v2"],
		"triggers",
	]);
});

test.each([
	[1, "v1@100 v2@0"],
	[3, "v1@50 v2@50"],
	[4, "v2@100"],
])("where smoke test %i fails, all calls go back to the version before", async (failing, last) => {
	const { done, run } = account({ failing });
	await expect(run()).rejects.toThrow(TakenBack);
	expect(done.slice(-3)).toEqual([last, "try v2", "v1@100"]);
	expect(done).not.toContain("triggers");
});

test("the first deployment, and one that adds an object class, give all calls at once", async () => {
	const first = account({ current: null });
	await first.run();
	expect(first.done).toEqual(["deploy", "try v2"]);
	const unlucky = account({ current: null, failing: 1 });
	await expect(unlucky.run()).rejects.toThrow("none before it");
	const atOnce = account({ failing: 1 });
	await expect(atOnce.run({ ...PLAN, atOnce: true })).rejects.toThrow(TakenBack);
	expect(atOnce.done).toEqual(["deploy", "try v2", "v1@100"]);
});

test("where it is not known which version runs, nothing is sent unless ops say that none does", async () => {
	const unknown = account({ current: new Error("503") });
	await expect(unknown.run()).rejects.toThrow("503");
	await expect(unknown.run({ ...PLAN, atOnce: true })).rejects.toThrow("503");
	expect(unknown.done).toEqual([]);
	await unknown.run({ ...PLAN, first: true });
	expect(unknown.done).toEqual(["deploy", "try v2"]);
	const known = account();
	await known.run({ ...PLAN, first: true });
	expect(known.done.slice(0, 2)).toEqual(["upload", "v1@100 v2@0"]);
});

test.each([
	["list DB_2", ["list DB"]],
	["apply DB_2", ["list DB", "list DB_2", "list DB_3", "apply DB"]],
])(
	"where %s fails, no database behind it is changed, and the next try begins anew",
	async (failing, done) => {
		const bindings = ["DB", "DB_2", "DB_3"];
		const ran: string[] = [];
		const migrate = (broken: string) => async (verb: string, binding: string) => {
			if (`${verb} ${binding}` === broken) throw new Error(broken);
			ran.push(`${verb} ${binding}`);
		};
		await expect(migrateAll(bindings, migrate(failing))).rejects.toThrow(failing);
		expect(ran).toEqual(done);
		await migrateAll(bindings, migrate("nothing"));
		expect(ran.slice(done.length)).toEqual(
			["list", "apply"].flatMap((verb) => bindings.map((binding) => `${verb} ${binding}`)),
		);
	},
);

let server: Server | undefined;
afterEach(() => server?.close());

async function serve(
	answers: Record<string, [number, string, string?]>,
): Promise<{ url: string; overrides: Set<unknown> }> {
	const overrides = new Set<unknown>();
	server = createServer((request, response) => {
		overrides.add(request.headers["cloudflare-workers-version-overrides"]);
		const [status, body, type = "application/json"] = answers[request.url ?? ""] ?? [
			404,
			'{"error":"NOT_FOUND"}',
		];
		response.writeHead(status, { "content-type": type }).end(body);
	});
	await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, overrides };
}

const WELL: Record<string, [number, string, string?]> = {
	"/healthz": [200, "{}"],
	"/readyz": [200, '{"data":{"status":"ready","version":"v2"}}'],
	"/openapi.json": [200, '{"paths":{"/api/partners/v1/certificate_request":{}}}'],
	"/pki-host/root.cer": [200, "DER", "application/pkix-cert"],
	"/api/partner/v1/pcodes": [401, '{"error":"UNAUTHORIZED"}'],
};

/** Finds what is wrong with a version that is not frozen, at this address. */
function smoke(url: string, more: Partial<Parameters<typeof smokeTest>[0]> = {}): Promise<string[]> {
	const target = { url, pkiUrl: `${url}/pki-host`, frozen: false, version: null, ...more };
	return smokeTest(target, async () => undefined);
}

test("the smoke test asks for its version by name, and knows when another one answered", async () => {
	const { url, overrides } = await serve(WELL);
	expect(await smoke(url, { version: { worker: "w", id: "v2" } })).toEqual([]);
	expect([...overrides]).toEqual(['w="v2"']);
	expect(await smoke(url, { version: { worker: "w", id: "v3" } })).toEqual([
		"/readyz: not the answer of this version",
	]);
});

const alive = (frozen: boolean): [number, string] => [
	200,
	`{"success":true,"data":{"status":"alive"${frozen ? ',"frozen":true' : ""}}}`,
];

test("the smoke test knows a frozen version from one that is not, and asks it for nothing that needs D1", async () => {
	for (const [is, wanted] of [
		[true, true],
		[false, true],
		[true, false],
	] as const) {
		const { url } = await serve({ ...(wanted ? {} : WELL), "/healthz": alive(is) });
		const target = { version: { worker: "w", id: "v2" }, frozen: wanted };
		const failures = await smoke(url, { ...target, apiKey: "k", opsToken: "t" });
		expect(failures.filter((failure) => failure.startsWith("/healthz"))).toEqual(
			is === wanted ? [] : ["/healthz: not the answer of this version"],
		);
		if (wanted) expect(failures.length).toBe(is ? 0 : 1);
		server!.close();
	}
});

test("nothing replaces a frozen version, also while its D1 does not answer", async () => {
	const { url } = await serve({ "/healthz": alive(true), "/readyz": [503, "{}"] });
	await expect(requireThawed(url, async () => true)).rejects.toThrow("is frozen");
});

test("a running version that does not say whether it is frozen is not replaced", async () => {
	const thawed = await serve({ "/healthz": alive(false), "/readyz": [503, "{}"] });
	await requireThawed(thawed.url, async () => true);
	server!.close();
	for (const answer of [
		[503, '{"status":"alive"}'],
		[200, "<html>"],
	] as [number, string][]) {
		const { url } = await serve({ "/healthz": answer });
		await expect(requireThawed(url, async () => true)).rejects.toThrow("does not say");
		server!.close();
	}
	await expect(requireThawed("http://127.0.0.1:1", async () => true)).rejects.toThrow("does not say");
	await requireThawed("http://127.0.0.1:1", async () => false);
});

test("the smoke test does not follow PKI_URL's redirect to https, where no program would check a revocation", async () => {
	const { url } = await serve({ ...WELL, "/pki-host/root.cer": [301, ""] });
	expect(await smoke(url)).toEqual(["/root.cer: 301 instead of 200"]);
});

test("the smoke test reports every answer that is not this service's", async () => {
	const { url } = await serve({
		...WELL,
		"/readyz": [503, "{}"],
		"/api/partner/v1/pcodes": [200, "{}"],
		"/no-such-route": [200, "<html>"],
	});
	expect(await smoke(url, { opsToken: "t", apiKey: "k" })).toEqual([
		"/readyz: 503 instead of 200",
		"/api/partner/v1/pcodes: 200 instead of 401",
		"/no-such-route: 200 instead of 404",
		"/api/partner/v1/pcodes?limit=1: 404 instead of 200",
		"/ops/v1/upkeep: 404 instead of 200",
	]);
	server!.close();
	expect(await smoke("http://127.0.0.1:1")).toHaveLength(6);
});

test("wrangler.toml: dev and prod lack nothing but an account's own values", () => {
	for (const environment of ["dev", "prod"] as const) {
		const findings = checkEnvironment(environment, readEnvironment(environment), readEnvironment("local"));
		expect(findings.filter(({ severity }) => severity === "broken")).toEqual([]);
		expect(findings.map(({ setting }) => setting)).toEqual(
			expect.arrayContaining([
				"DB",
				"PUBLIC_URL",
				"AUTHORITY_RUT",
				"SERVICE_NAME",
				"SUPPORT_EMAIL",
				"SUPPORT_PHONE",
			]),
		);
		const hasSampleClient = findings.some(({ setting }) => setting === "SINGLE_SIGN_ON_CLIENT_ID");
		expect(hasSampleClient).toBe(environment === "prod");
	}
});

test("an environment that would answer from the sandbox, log headers or run no cron is refused", () => {
	const [prod, dev, local] = [readEnvironment("prod"), readEnvironment("dev"), readEnvironment("local")];
	const broken = (environment: "dev" | "prod", config: typeof prod) =>
		checkEnvironment(environment, config, local).flatMap(({ severity, setting }) =>
			severity === "broken" ? [setting] : [],
		);
	expect(broken("prod", { ...prod, services: dev.services! })).toEqual(["services, main"]);
	expect(broken("prod", { ...prod, main: "src/dev.ts" })).toEqual(["services, main"]);
	expect(broken("prod", { ...prod, observability: {} })).toEqual(["observability.logs.invocation_logs"]);
	expect(broken("prod", { ...prod, triggers: {} })).toEqual(["triggers.crons"]);
	expect(broken("prod", { ...prod, durable_objects: { bindings: [] } })).toEqual([
		"PURCHASE_CODES",
		"PARTNERS",
	]);
	const routed = { ...prod, routes: [{ pattern: "certificates.example" }] };
	expect(broken("prod", routed)).toEqual(["routes"]);
	expect(broken("prod", { ...prod, routes: [...routed.routes, "pki.certificates.example/*"] })).toEqual([]);
	expect(broken("prod", dev)).toEqual(["ENVIRONMENT", "services, main"]);
	expect(broken("dev", { ...dev, services: local.services! })).toEqual(["services"]);
	expect(broken("dev", { ...dev, migrations: [], d1_databases: [] })).toEqual(["migrations", "DB"]);
	const signed = (more: object, vars: object) => ({ ...prod, ...more, vars: { ...prod.vars, ...vars } });
	const bound = { vpc_services: [{ binding: "SIGNER" }] };
	const url = { SIGNER_URL: "https://signer.your-zone.cl" };
	const caller = { SIGNER_CALLER: "worker" };
	expect(broken("prod", signed(bound, caller))).toEqual([]);
	expect(broken("prod", signed({}, { ...url, ...caller }))).toEqual([]);
	expect(broken("prod", signed(bound, {}))).toEqual(["SIGNER_CALLER"]);
	expect(broken("prod", signed({}, url))).toEqual(["SIGNER_CALLER"]);
	expect(broken("prod", signed({}, caller))).toEqual(["SIGNER_URL"]);
	expect(broken("prod", signed({}, { SIGNER_URL: "http://10.0.0.1", ...caller }))).toEqual(["SIGNER_URL"]);
	const database = (binding: string, database_id: string, migrations_dir = "migrations") => ({
		binding,
		database_id,
		migrations_dir,
	});
	expect(broken("dev", { ...dev, d1_databases: [database("DB", "a"), database("DB_2", "b")] })).toEqual([]);
	const unfit = [
		database("DB", "a"),
		database("DB_2", "a"),
		database("DB_33", "c"),
		database("DB_4", "d", "elsewhere"),
	];
	expect(broken("dev", { ...dev, d1_databases: unfit })).toEqual(["DB_2", "DB_33", "DB_4"]);
});
