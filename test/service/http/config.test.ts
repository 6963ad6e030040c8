import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { Bindings } from "../../../src/bindings.ts";
import { platformOf } from "../../../src/platform.ts";
import { ConfigError } from "../../../src/settings/config-error.ts";
import { readSettings } from "../../../src/settings/settings.ts";
import { createProd, PROD, randomKey, TOKEN } from "../../support/prod.ts";

type Retired = `RETIRED_1_ISSUING_${"KEY" | "CERTIFICATE"}`;
type Change = Partial<Record<keyof Bindings | Retired, unknown>>;

const SECRET = randomKey();
const LOCAL = { ENVIRONMENT: "local" };
const DEV = { ENVIRONMENT: "dev" };
const SIGNER = { SIGNER_CALLER: "worker", SIGNER_CALLER_KEY: "a-key" };
const SIGNER_URL = { SIGNER_URL: "https://signer.example" };
const KEY_ELSEWHERE = { ...SIGNER_URL, ISSUING_KEY: "" };

describe("sound settings are read", () => {
	test("local, as wrangler.toml and .dev.vars have it", () => {
		const settings = readSettings(env);
		expect(settings).toMatchObject({ environment: "local", registry: { token: null } });
		expect(settings.authority.pkiUrl).toBe(`${settings.publicUrl}/pki`);
	});

	test("prod, with upstreams over https, a registry token and no sandbox", () => {
		expect(readSettings(PROD as unknown as Bindings)).toMatchObject({
			environment: "prod",
			publicUrl: "https://certificates.example",
			outbound: { ownHost: "certificates.example", allowLoopback: false },
			ops: { access: null, tokens: [{ name: "ana@example.cl" }] },
			pkiUrl: "http://pki.certificates.example/pki",
			registry: { baseUrl: "https://civil-registry.example/api", token: "registry-token-value" },
			singleSignOn: { serverUrl: "https://accounts.example", clientSecret: "a-secret-of-the-sign-on" },
		});
	});

	test("URLs lose a slash at their end, values the blanks around them", () => {
		const settings = read({ PUBLIC_URL: " https://certificates.example/ ", CIVIL_REGISTRY_TOKEN: " token " });
		expect([settings.publicUrl, settings.registry.token]).toEqual(["https://certificates.example", "token"]);
	});

	test("several sealing keys: each under its id, in the order given", () => {
		const [first, second] = [randomKey(), randomKey()];
		const { sealingKeys } = read({ SEALING_KEYS: `k2:${first}, k1:${second}` });
		expect([...sealingKeys].map(([id, key]) => [id, key.toBase64()])).toEqual([
			["k2", first],
			["k1", second],
		]);
	});

	test("several audit keys, in the order given", () => {
		const [first, second] = [randomKey(), randomKey()];
		expect(read({ AUDIT_KEY: `${first}, ${second}` }).auditKeys.map((key) => key.toBase64())).toEqual([
			first,
			second,
		]);
	});

	test.for([undefined, ""])("without a token (%j) or Cloudflare Access ops have no way in", (none) => {
		const { ops } = read({ OPS_TOKENS: none, ACCESS_TEAM: none, ACCESS_AUDIENCE: none });
		expect([ops.tokens, ops.access]).toEqual([[], null]);
	});

	test("ops: the team of Cloudflare Access and its application", () => {
		const access = { ACCESS_TEAM: "https://team.cloudflareaccess.com/", ACCESS_AUDIENCE: "audience" };
		const { ops } = read(access);
		expect(ops.access).toEqual({ team: "https://team.cloudflareaccess.com", audience: "audience" });
	});

	test("a signer has the issuing key: its address or its binding suffices, and an empty key counts as absent", () => {
		const elsewhere = { ...SIGNER, ISSUING_KEY: "", OCSP_KEY: "", OCSP_CERTIFICATE: undefined };
		const signer = { url: "https://signer.example", caller: "worker", callerKey: "a-key" };
		const settings = read({ ...elsewhere, SIGNER_URL: "https://signer.example/" });
		expect([settings.issuingKey, settings.ocsp]).toEqual([{ signer }, null]);
		const SIGNER_BOUND = { SIGNER: env.ASSETS };
		expect(read({ ...elsewhere, ...SIGNER_BOUND }).issuingKey).toEqual({
			signer: { ...signer, url: "http://signer" },
		});
		expect(read({ ...elsewhere, OCSP_KEY: "key", OCSP_CERTIFICATE: "der", ...SIGNER_BOUND }).ocsp).toEqual({
			key: "key",
			certificate: "der",
		});
	});

	test("local: OPS_TOKEN opens every call of ops, and is stored as its SHA-256 alone", () => {
		const { ops } = readSettings({ ...env, OPS_TOKEN: TOKEN } as unknown as Bindings);
		expect(ops.tokens.map(({ name }) => name)).toEqual(["token"]);
		expect([...ops.roles.get("token")!]).toEqual(["read", "operate", "evidence"]);
		expect(
			JSON.stringify(ops, (_, value) => (value instanceof Uint8Array ? [...value] : value)),
		).not.toContain(TOKEN);
	});
});

describe("an unsafe mix refuses to start: the error names the setting, never its value", () => {
	test.for<[string, string, unknown, Change?]>([
		["the sandbox registry bound in prod", "CIVIL_REGISTRY", env.CIVIL_REGISTRY],
		["the sandbox single sign-on bound in prod", "SINGLE_SIGN_ON", env.SINGLE_SIGN_ON],
		["the sandbox's registry URL in prod", "CIVIL_REGISTRY_URL", "https://civil-registry.sandbox"],
		["the sandbox's URL in capitals", "CIVIL_REGISTRY_URL", "https://civil-registry.SANDBOX/x"],
		["the sandbox's single sign-on URL in prod", "SINGLE_SIGN_ON_URL", "https://sso.sandbox/"],
		["a list of e-mail recipients in prod", "EMAIL_RECIPIENTS", "a@example.cl"],
		["http to partners in prod", "PUBLIC_URL", "http://certificates.example"],
		["http to the registry in prod", "CIVIL_REGISTRY_URL", "http://civil-registry.example"],
		["http to the single sign-on in prod", "SINGLE_SIGN_ON_URL", "http://accounts.example"],
		["the sandbox's sign-in page in prod", "SINGLE_SIGN_ON_BROWSER_URL", "https://sso.sandbox"],
		["http to the sign-in page in dev", "SINGLE_SIGN_ON_BROWSER_URL", "http://dev.example/sandbox", DEV],
		["the sandbox's client secret in prod", "SINGLE_SIGN_ON_CLIENT_SECRET", "sandbox"],
		["no client secret", "SINGLE_SIGN_ON_CLIENT_SECRET", undefined],
		["an option that no provider has", "SINGLE_SIGN_ON_TAKES", "nonce,jwt"],
		["another scheme", "PUBLIC_URL", "ftp://certificates.example"],
		["http to partners in dev", "PUBLIC_URL", "http://dev.example", DEV],
		["https to relying parties", "PKI_URL", "https://pki.certificates.example/pki"],
		["another path than /pki", "PKI_URL", "http://pki.certificates.example"],
		["partners' host for relying parties", "PKI_URL", "http://certificates.example/pki"],
		["no registry token in prod", "CIVIL_REGISTRY_TOKEN", undefined],
		["an empty registry token in prod", "CIVIL_REGISTRY_TOKEN", " "],
		["an unknown environment", "ENVIRONMENT", "production"],
		["webhooks to loopback in prod", "ALLOW_LOOPBACK_WEBHOOKS", "1"],
		["webhooks to loopback in dev", "ALLOW_LOOPBACK_WEBHOOKS", "1", DEV],
		["no environment", "ENVIRONMENT", undefined],
		["a URL that is none", "PUBLIC_URL", "certificates.example"],
		["a short ops token", "OPS_TOKEN", "short-ops-token", LOCAL],
		["an ops token of 31 characters", "OPS_TOKEN", TOKEN.slice(1), LOCAL],
		["an ops token that no header can carry", "OPS_TOKEN", `${TOKEN} ${TOKEN}`, LOCAL],
		["an ops token of one letter", "OPS_TOKEN", "a".repeat(48), LOCAL],
		["one ops token for everybody in prod", "OPS_TOKEN", TOKEN],
		["one ops token for everybody in dev", "OPS_TOKEN", TOKEN, DEV],
		["an ops token in the clear", "OPS_TOKENS", `ana@example.cl:${TOKEN}`],
		["a token of somebody without a role", "OPS_TOKENS", `luis:${"a".repeat(64)}`],
		["a role that there is not", "OPS_ROLES", "ana@example.cl:admin"],
		["Access without its audience", "ACCESS_TEAM", "https://team.cloudflareaccess.com"],
		["Access over http", "ACCESS_TEAM", "http://team.example", { ACCESS_AUDIENCE: "x" }],
		["a phone that abroad cannot call", "SUPPORT_PHONE", "600 123 4567"],
		["an address that is no e-mail's", "SUPPORT_EMAIL", "soporte"],
		["hours in one language", "SUPPORT_HOURS", "lunes a viernes |"],
		["a signer and an issuing key", "ISSUING_KEY", PROD.ISSUING_KEY, { ...SIGNER, ...SIGNER_URL }],
		["a signer that knows no caller", "SIGNER_CALLER", undefined, { ...KEY_ELSEWHERE, ...SIGNER }],
		["a caller without a key", "SIGNER_CALLER_KEY", undefined, { ...KEY_ELSEWHERE, ...SIGNER }],
		["holders' names over http", "SIGNER_URL", "http://s.example", { ...SIGNER, ISSUING_KEY: "" }],
		["half a responder", "OCSP_KEY", PROD.OCSP_KEY, { ...KEY_ELSEWHERE, ...SIGNER, OCSP_CERTIFICATE: "" }],
		["no responder and no signer", "OCSP_KEY", ""],
		["a weak second audit key", "AUDIT_KEY", `${SECRET},c2hvcnQ=`],
		["a sealing key without an id", "SEALING_KEYS", SECRET],
		["two sealing keys of one id", "SEALING_KEYS", `k1:${SECRET},k1:${SECRET}`],
		["a weak second sealing key", "SEALING_KEYS", `k1:${SECRET},k2:c2hvcnQ=`],
		["a sealing key's id in capitals", "SEALING_KEYS", `K1:${SECRET}`],
	])("%s: %s", ([, setting, value, others]) => {
		expectRefusal(setting, { ...others, [setting]: value });
	});

	test.for(["INDEX_KEY", "PIN_PEPPER", "SERIAL_KEY", "AUDIT_KEY", "SEALING_KEYS"] as const)(
		"%s missing, not base64, short, or not random",
		(setting) => {
			const asValue = (key: string) => (setting === "SEALING_KEYS" ? `k1:${key}` : key);
			for (const key of [
				"not base64 at all!",
				new Uint8Array(31).map((_, i) => i).toBase64(),
				new Uint8Array(32).toBase64(),
				new Uint8Array(32).fill(65).toBase64(),
				new Uint8Array(64).map((_, i) => i % 15).toBase64(),
			])
				expectRefusal(setting, { [setting]: asValue(key) });
			for (const missing of [undefined, "", "  "]) expectRefusal(setting, { [setting]: missing });
		},
	);

	test.for([
		"PUBLIC_URL",
		"PKI_URL",
		"CIVIL_REGISTRY_URL",
		"SINGLE_SIGN_ON_URL",
		"SINGLE_SIGN_ON_BROWSER_URL",
		"SINGLE_SIGN_ON_CLIENT_ID",
		"AUTHORITY_RUT",
		"POLICY_OID",
		"CPS_URL",
		"TERMS_VERSION",
		"TERMS_URL",
		"PRIVACY_URL",
		"ISSUING_KEY",
		"ISSUING_CERTIFICATE",
		"ROOT_CERTIFICATE",
		"SERVICE_NAME",
		"SUPPORT_EMAIL",
		"SUPPORT_PHONE",
		"SUPPORT_HOURS",
	] as const)("%s missing", (setting) => {
		for (const missing of [undefined, "", " \n"]) expectRefusal(setting, { [setting]: missing });
	});

	test("prod with a TEST authority", async () => {
		expect((await refusalOf(PROD)).setting).toBe("ISSUING_CERTIFICATE");
	});

	test("a replaced authority is held to the same name: no TEST one in prod, no other in local", async () => {
		const prod = await createProd();
		const retire = ({ ISSUING_KEY, ISSUING_CERTIFICATE }: Change): Change => ({
			RETIRED_1_ISSUING_KEY: ISSUING_KEY,
			RETIRED_1_ISSUING_CERTIFICATE: ISSUING_CERTIFICATE,
		});
		const start = (bindings: Change) => platformOf(bindings as unknown as Bindings).then(() => "started");
		const refusal = { setting: "RETIRED_1_ISSUING_CERTIFICATE" };
		await expect(start({ ...prod, ...retire(env) })).rejects.toMatchObject(refusal);
		await expect(start({ ...env, ...retire(prod) })).rejects.toMatchObject(refusal);
		await expect(start({ ...prod, ...retire(prod) })).resolves.toBe("started");
		await expect(start({ ...env, ...retire(env) })).resolves.toBe("started");
	});

	test.for(["ISSUING_KEY", "ISSUING_CERTIFICATE", "ROOT_CERTIFICATE"] as const)(
		"%s that is no such thing: named, its value not shown",
		async (setting) => {
			const value = btoa("an unusable value of forty bytes or so");
			const { message } = await refusalOf({ ...env, [setting]: value });
			expect(message).toContain(setting);
			expect(message).not.toContain(value);
		},
	);

	test("a caller's key that is no Ed25519 key: named, its value not shown", async () => {
		const signer = { ...SIGNER, SIGNER_URL: "http://signer.example", ISSUING_KEY: "" };
		for (const key of ["not base64!", env.ISSUING_KEY]) {
			const error = await refusalOf({ ...env, ...signer, SIGNER_CALLER_KEY: key });
			expect(error.setting).toBe("SIGNER_CALLER_KEY");
			expect(error.message).not.toContain(key);
		}
	});

	test("the refusal holds on every call until it is corrected", async () => {
		const broken = { ...env, INDEX_KEY: "" };
		for (const _ of ["first", "second"]) await refusalOf(broken);
		await expect(platformOf({ ...broken, INDEX_KEY: SECRET })).resolves.toBeDefined();
	});
});

/** Leaves out undefined variables, as Cloudflare does. */
function read(change: Change) {
	const given = Object.entries({ ...PROD, ...change }).filter(([, value]) => value !== undefined);
	return readSettings(Object.fromEntries(given) as unknown as Bindings);
}

/** How the service refuses to start. */
async function refusalOf(change: Change): Promise<ConfigError> {
	const error = await platformOf(change as unknown as Bindings).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(ConfigError);
	return error as ConfigError;
}

function expectRefusal(setting: string, change: Change): void {
	const value = change[setting as keyof Bindings];
	try {
		read(change);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		expect(error.setting).toBe(setting);
		expect(error.message.startsWith(`${setting} `)).toBe(true);
		if (typeof value === "string" && value.trim() !== "") expect(error.message).not.toContain(value);
		return;
	}
	expect.fail(`${setting} = ${String(value)} was accepted`);
}
