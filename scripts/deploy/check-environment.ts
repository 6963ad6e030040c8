import { unstable_readConfig as readConfig } from "wrangler";

/* Checks an environment's settings in wrangler.toml before anything is sent. Needs no account. */

export type Environment = "dev" | "prod";

/** `broken`: never deployed. `placeholder`: the sample value is still there, fit to be tried and not to be served. */
export interface Finding {
	severity: "broken" | "placeholder";
	setting: string;
	problem: string;
}

/** The part of wrangler's reading that is looked at. */
export interface EnvironmentConfig {
	name?: string;
	main?: string;
	vars: Record<string, unknown>;
	d1_databases: { binding: string; database_id?: string; migrations_dir?: string }[];
	services?: { binding: string; service: string }[];
	routes?: (string | { pattern: string })[];
	triggers: { crons?: string[] };
	durable_objects: { bindings: { name: string }[] };
	migrations: unknown[];
	observability?: { logs?: { invocation_logs?: boolean } };
	r2_buckets: { binding: string; bucket_name?: string }[];
	queues: { producers?: { binding: string }[]; consumers?: { dead_letter_queue?: string }[] };
	send_email: { name: string }[];
	ratelimits: { name: string }[];
	version_metadata?: { binding: string };
	vpc_services?: { binding: string }[];
	mtls_certificates?: { binding: string }[];
	analytics_engine_datasets: { binding: string }[];
}

const SAMPLE_DOMAIN = /(^|[./@])([\w-]+\.)*example$/i;
/** Settings whose value at the top level is a sample. */
const SAMPLED = ["AUTHORITY_RUT", "POLICY_OID", "SERVICE_NAME", "SUPPORT_PHONE"];
const DATABASE = /^DB(_([2-9]|[12][0-9]|3[0-2]))?$/;
const EMPTY_ID = /^[0-]*$/;
const SANDBOX = ["CIVIL_REGISTRY", "SINGLE_SIGN_ON"];

export function readEnvironment(environment: Environment | "local"): EnvironmentConfig {
	return readConfig(environment === "local" ? {} : { env: environment }, {
		hideWarnings: true,
	}) as EnvironmentConfig;
}

/** @param local - the top level of wrangler.toml: every environment must have its bindings, since none is inherited. */
export function checkEnvironment(
	environment: Environment,
	config: EnvironmentConfig,
	local: EnvironmentConfig,
): Finding[] {
	const findings: Finding[] = [];
	const broken = (setting: string, problem: string) =>
		findings.push({ severity: "broken", setting, problem });
	const placeholder = (setting: string, problem: string) =>
		findings.push({ severity: "placeholder", setting, problem });

	if (config.vars.ENVIRONMENT !== environment) broken("ENVIRONMENT", `must be ${environment}`);
	if (!config.triggers.crons?.length)
		broken("triggers.crons", "is empty: nothing is retried, renewed or erased");
	for (const { name } of local.durable_objects.bindings)
		if (!config.durable_objects.bindings.some((binding) => binding.name === name))
			broken(name, "is not bound");
	for (const name of boundNames(local)) if (!boundNames(config).includes(name)) broken(name, "is not bound");
	if (!config.version_metadata) broken("VERSION", "is not bound");
	if (!config.analytics_engine_datasets.some(({ binding }) => binding === "METRICS"))
		broken("METRICS", "is not bound");
	if (!config.queues.consumers?.some(({ dead_letter_queue }) => dead_letter_queue))
		broken("queues.consumers", "lack a dead letter queue");
	if (config.migrations.length !== local.migrations.length)
		broken("migrations", "differ from the top level's");
	if (config.observability?.logs?.invocation_logs !== false)
		broken(
			"observability.logs.invocation_logs",
			"must be false: the platform's lines hold URLs and the x-gw header",
		);

	const pkiHost = URL.parse(String(config.vars.PKI_URL))?.hostname;
	const patterns = (config.routes ?? []).map((route) => (typeof route === "string" ? route : route.pattern));
	if (patterns.length > 0 && !patterns.some((pattern) => pattern.split("/")[0] === pkiHost))
		broken("routes", "lack the host of PKI_URL: revocation could not be checked");

	const sandbox = (config.services ?? []).filter(({ binding }) => SANDBOX.includes(binding));
	if (environment === "prod" && (sandbox.length > 0 || /dev\.ts$/.test(config.main ?? "")))
		broken("services, main", "bring the sandbox, which prod must not answer from");
	if (environment === "dev" && sandbox.some(({ service }) => service !== config.name))
		broken("services", "point at another Worker's sandbox");

	const { SIGNER_URL = "", SIGNER_CALLER = "" } = config.vars;
	const isBound = [...(config.vpc_services ?? []), ...(config.mtls_certificates ?? [])].some(
		({ binding }) => binding === "SIGNER",
	);
	if ((isBound || SIGNER_URL !== "") && SIGNER_CALLER === "")
		broken("SIGNER_CALLER", "is empty: the signer has registered this service under a name");
	if (!isBound && SIGNER_URL === "" && SIGNER_CALLER !== "")
		broken("SIGNER_URL", "is empty, and SIGNER is not bound: the issuing key would be asked for in a secret");
	if (!isBound && SIGNER_URL !== "" && !String(SIGNER_URL).startsWith("https:"))
		broken("SIGNER_URL", "must be https: what is signed names holders");

	const databases = config.d1_databases;
	if (!databases.some(({ binding }) => binding === "DB")) broken("DB", "is not bound");
	for (const { binding, database_id: id = "", migrations_dir } of databases) {
		if (!DATABASE.test(binding)) broken(binding, "is none of DB, DB_2 … DB_32");
		if (migrations_dir !== "migrations") broken(binding, "has another migrations_dir than migrations");
		if (EMPTY_ID.test(id)) placeholder(binding, "has no database_id: `wrangler d1 create` prints it");
		else if (databases.some((other) => other.binding < binding && other.database_id === id))
			broken(binding, "has the database_id of another binding");
	}
	for (const [name, value] of Object.entries(config.vars)) {
		if (typeof value !== "string") continue;
		const host = URL.parse(value)?.hostname ?? value;
		if (SAMPLE_DOMAIN.test(host)) placeholder(name, "is at a sample address");
		if (name === "SINGLE_SIGN_ON_CLIENT_ID" && EMPTY_ID.test(value)) placeholder(name, "is the sample's");
		if (SAMPLED.includes(name) && value === local.vars[name]) placeholder(name, "is the sample's");
	}
	return findings;
}

/** Buckets, queues, e-mail and rate limits by name. */
function boundNames({ r2_buckets, queues, send_email, ratelimits }: EnvironmentConfig): string[] {
	const bindings = [...r2_buckets, ...(queues.producers ?? [])].map(({ binding }) => binding);
	return [...bindings, ...[...send_email, ...ratelimits].map(({ name }) => name)];
}
