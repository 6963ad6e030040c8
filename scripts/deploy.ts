import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkEnvironment, type Environment, readEnvironment } from "./deploy/check-environment.ts";
import { keepsForGood } from "./deploy/check-lock.ts";
import { migrateAll } from "./deploy/migrate-all.ts";
import { requireThawed } from "./deploy/require-thawed.ts";
import { shareOut } from "./deploy/share-out.ts";
import { wait } from "./deploy/smoke-test.ts";
import { askWrangler, reachCloudflare, run, runWrangler } from "./deploy/wrangler.ts";
import { lintMigrations, readReleased } from "./lint-migrations.ts";

/* Promotes the checked-out commit. docs/operators/deploy.md, "Promotion", is the runbook. */

const USAGE = `npm run deploy -- dev|prod [options]

  --dry-run             try all that needs no account; nothing is sent
  --skip-tests          leave \`npm run check\` and \`npm run test:service\` out (CI has run them on this commit)
  --shares 10,50        percentages on the way to 100 (prod: 10,50; dev: none)
  --pause 300           seconds between two shares
  --at-once             all calls at once: needed when a Durable Object class is added
  --first               never deployed before: all calls at once, also where Cloudflare does not say which version runs
  --secrets-file FILE   KEY=value lines, sent with the version: the first deployment, or a rotation
  --tag TEXT            shown next to the version
  --freeze              stop partners' writes, for a restore of D1: all calls and objects at once, what is checked out
  --only DB_2,DB_3      with --freeze: stop the partners of these databases alone
  --thaw                the same without the stop
  --back [VERSION]      give all calls back to the version before, or to the one named (--thaw: also while frozen)
`;

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		"dry-run": { type: "boolean", default: false },
		"skip-tests": { type: "boolean", default: false },
		"at-once": { type: "boolean", default: false },
		first: { type: "boolean", default: false },
		freeze: { type: "boolean", default: false },
		only: { type: "string" },
		thaw: { type: "boolean", default: false },
		back: { type: "boolean", default: false },
		help: { type: "boolean", default: false },
		shares: { type: "string" },
		pause: { type: "string", default: "300" },
		"secrets-file": { type: "string" },
		tag: { type: "string" },
	},
});
const [environment, backTo] = positionals;
if (values.help) console.log(USAGE);
else if (environment !== "dev" && environment !== "prod") fail(USAGE);
else await (values.back ? goBack : promote)(environment).catch((error: Error) => fail(error.message));

async function goBack(environment: Environment): Promise<void> {
	if (!values.thaw) await requireThawed(urlOf(readEnvironment(environment)), async () => true);
	await runWrangler(["rollback", ...(backTo ? [backTo] : []), "--env", environment, "--yes"]);
}

async function promote(environment: Environment): Promise<void> {
	const dryRun = values["dry-run"];
	const { freeze, thaw } = values;
	const config = await checkAll(environment, dryRun);
	if (!values["skip-tests"] && !freeze && !thaw) {
		step("checks and tests");
		await run("npm", ["run", "check"]);
		await run("npm", ["run", "test:service"]);
	}
	step("bundle");
	await run("wrangler", ["deploy", "--dry-run", "--env", environment]);
	if (dryRun) return console.log(`\n${environment}: nothing was sent.`);

	const cloudflare = reachCloudflare({
		environment,
		worker: config.name,
		url: urlOf(config),
		pkiUrl: String(config.vars.PKI_URL),
		secretsFile: values["secrets-file"],
		tag: values.tag,
		frozen: freeze ? (values.only ?? "1") : null,
		objectsAtOnce: freeze || thaw,
	});
	if (!freeze && !thaw)
		await requireThawed(
			urlOf(config),
			async () => !values.first && (await cloudflare.currentVersion()) !== null,
		);
	if (environment === "prod" && !freeze) {
		step("lock rule of the audit's bucket");
		const bucket = config.r2_buckets.find(({ binding }) => binding === "AUDIT")?.bucket_name ?? "";
		if (!keepsForGood(await askWrangler(["r2", "bucket", "lock", "list", bucket]))) {
			const add = `wrangler r2 bucket lock add ${bucket} keep --retention-indefinite --force`;
			throw new Error(`${bucket} has no lock rule that keeps every object for good: npx ${add}`);
		}
	}
	// A freeze sends what runs already, and D1 may not answer.
	if (!freeze) {
		const migrate = (verb: "list" | "apply", binding: string) => {
			step(`migrations of ${binding}: ${verb}`);
			return runWrangler(["d1", "migrations", verb, binding, "--remote", "--env", environment], {
				CI: "true",
			});
		};
		await migrateAll(
			config.d1_databases.map(({ binding }) => binding),
			migrate,
		);
	}
	step("versions");
	const plan = {
		shares: freeze || thaw ? [] : sharesOf(environment),
		pauseMs: Number(values.pause) * 1_000,
		atOnce: values["at-once"],
		first: values.first,
	};
	const version = await shareOut(cloudflare, plan, (line) => console.log(`  ${line}`), wait);
	console.log(`\n${environment}: ${version} has all calls. Back: npm run deploy -- ${environment} --back`);
}

/** Checks all that needs no account and no tests. @throws when something must not be sent. */
async function checkAll(environment: Environment, dryRun: boolean) {
	step("migrations expand only");
	const refusals = await lintMigrations(join(root, "migrations"), readReleased());
	for (const { file, line, why } of refusals) console.error(`  ✗ ${file}:${line} ${why}`);
	step(`settings of ${environment} in wrangler.toml`);
	const config = readEnvironment(environment);
	const findings = checkEnvironment(environment, config, readEnvironment("local"));
	for (const { severity, setting, problem } of findings)
		console.error(`  ${severity === "broken" ? "✗" : "–"} ${setting} ${problem}`);
	const refused = findings.filter(({ severity }) => severity === "broken" || !dryRun);
	if (refusals.length + refused.length > 0) throw new Error(`\n${environment}: not fit to be deployed.`);
	if (!config.name) throw new Error("the Worker has no name");
	return { ...config, name: config.name };
}

/** Reads PUBLIC_URL, without a slash at its end. */
function urlOf({ vars }: ReturnType<typeof readEnvironment>): string {
	return String(vars.PUBLIC_URL).replace(/\/+$/, "");
}

function sharesOf(environment: Environment): number[] {
	const text = values.shares ?? (environment === "prod" ? "10,50" : "");
	const shares = text.split(",").filter(Boolean).map(Number);
	if (shares.some((share, i) => !(share > (shares[i - 1] ?? 0) && share < 100)))
		throw new Error("--shares takes growing percentages below 100");
	return shares;
}

function step(name: string): void {
	console.log(`— ${name}`);
}

function fail(message: string): void {
	console.error(message);
	process.exitCode = 1;
}
