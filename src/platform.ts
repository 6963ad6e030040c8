import { type CloudflareAccess, createAccess } from "./api/ops/access.ts";
import type { Bindings } from "./bindings.ts";
import { clock } from "./clock.ts";
import { type DirectoryDb, openDb } from "./db/query.ts";
import { connect, type ObjectNamespace } from "./deadlines.ts";
import type { Database } from "./directory.ts";
import { createCivilRegistryClient } from "./identity/civil-registry-client.ts";
import type { CivilRegistry, SingleSignOn } from "./identity/ports.ts";
import { createSingleSignOnClient } from "./identity/single-sign-on-client.ts";
import { createAuditKey } from "./secrets/audit-key.ts";
import { createKeyedHash, type KeyedHash } from "./secrets/keyed-hash.ts";
import { createSealer, type Sealer } from "./secrets/sealing.ts";
import type { Brand } from "./settings/brand.ts";
import { ConfigError } from "./settings/config-error.ts";
import type { RetiredSettings } from "./settings/retired-settings.ts";
import { isFrozen, readSettings, type Settings } from "./settings/settings.ts";
import type { OcspFiles } from "./settings/signer-settings.ts";
import { createSignerClient, type SignerClient } from "./signer/signer-client.ts";
import { signElsewhere } from "./x509/authority-signer.ts";
import { type IssuingAuthority, loadIssuingAuthority } from "./x509/issuing-authority.ts";
import { loadOcspResponder, type OcspResponder } from "./x509/ocsp-responder.ts";
import { loadRetiredAuthority, type RetiredAuthority } from "./x509/retired-authority.ts";
import { loadRootCrl, type RootCrl } from "./x509/root-crl.ts";
import { createPartnerSerials, type PartnerSerials } from "./x509/serial.ts";

/** Message of the queue; the row in the outbox has the rest. */
export interface DeliveryMessage {
	partnerId: string;
	/** Id of the outbox row. */
	id: string;
}

export interface PublishedAuthority extends RetiredAuthority {
	/** The responder of the settings; `pki/renewed-responder.ts` finds the one that is in force. */
	responder: OcspResponder | null;
	/** Its responder renews itself through its signer. If not, and without one in the settings, it answers no OCSP. */
	renewsResponder: boolean;
}

/** Checked settings and everything made from them, once per isolate, for use cases, objects and jobs. */
export interface Platform {
	settings: Settings;
	brand: Brand;
	/** The only clock of the service, epoch milliseconds. */
	clock: () => number;
	/** `DB`, as the directory and for what belongs to no partner. `directory.ts` finds a partner's database. */
	directory: DirectoryDb;
	/** Every bound database, `DB` the first of them. */
	databases: readonly Database[];
	/** Pictures of ID cards, sealed. */
	evidence: R2Bucket;
	/** Published CRLs. */
	pki: R2Bucket;
	/** Digests of the audit, which are only ever added. */
	auditLog: R2Bucket;
	deliveries: Pick<Queue<DeliveryMessage>, "sendBatch">;
	email: Pick<SendEmail, "send">;
	/** Durable Objects: `objects/stubs.ts` calls them. */
	codes: ObjectNamespace;
	partners: ObjectNamespace;
	sealer: Sealer;
	/** Blind indexes and fingerprints. */
	index: KeyedHash;
	pinPepper: KeyedHash;
	serials: PartnerSerials;
	registry: CivilRegistry;
	singleSignOn: SingleSignOn;
	/** Null where ops are not behind Cloudflare Access. */
	access: CloudflareAccess | null;
	/** Signs the leaves. */
	authority: IssuingAuthority;
	/** The signer that has the issuing key; null: the key is here. */
	signer: SignerClient | null;
	/** Authorities whose CRL and OCSP answers are served here, the oldest first; the last one signs the leaves. */
	authorities: readonly PublishedAuthority[];
	rootCrl: RootCrl | null;
	/** Undefined where it is not bound; `count` accepts that. */
	metrics: AnalyticsEngineDataset | undefined;
}

/** Registered with the single sign-on: `widget/sign-on.ts` answers there. */
const SIGN_ON_CALLBACK = "/widget/sign_on/callback";

const platforms = new WeakMap<object, Promise<Platform>>();

/**
 * The platform of this isolate; made on the first call. @throws {ConfigError} when a setting is invalid, on every call
 * until it is corrected.
 */
export function platformOf(env: Bindings): Promise<Platform> {
	const known = platforms.get(env);
	if (known) return known;
	const made = createPlatform(env);
	platforms.set(env, made);
	return made;
}

async function createPlatform(env: Bindings): Promise<Platform> {
	const settings = readSettings(env);
	const signer = await connectSigner(settings.issuingKey, env.SIGNER);
	const [sealer, index, pinPepper, auditKey, authority] = await Promise.all([
		createSealer(settings.sealingKeys),
		createKeyedHash(settings.indexKey),
		createKeyedHash(settings.pinPepper),
		createAuditKey(settings.auditKeys),
		loadAuthority(settings, signer),
	]);
	const responder = settings.ocsp && (await loadResponder(authority, settings.ocsp));
	const retired = await Promise.all(settings.retired.map((retired) => loadRetired(retired, settings)));
	const registry = createCivilRegistryClient({
		fetcher: env.CIVIL_REGISTRY ?? globalFetcher,
		...settings.registry,
	});
	const singleSignOn = createSingleSignOnClient({
		fetcher: env.SINGLE_SIGN_ON ?? globalFetcher,
		redirectUri: `${settings.publicUrl}${SIGN_ON_CALLBACK}`,
		...settings.singleSignOn,
	});
	const { access } = settings.ops;
	const { bound, ...connected } = connect(env);
	return {
		settings,
		brand: settings.brand,
		clock,
		...connected,
		directory: openDb(bound[0]!.database, auditKey),
		databases: bound.map(({ database, ...named }) => ({
			...named,
			db: openDb(database, auditKey),
			isFrozen: isFrozen(settings, named.number),
		})),
		email: env.EMAIL,
		sealer,
		index,
		pinPepper,
		serials: createPartnerSerials(settings.serialKey),
		registry,
		singleSignOn,
		access: access && createAccess(access, { fetcher: globalFetcher, clock }),
		authority,
		signer,
		authorities: [...retired, { ...authority, responder, renewsResponder: responder === null }],
		rootCrl: await loadRevocations(settings, authority.root),
		metrics: env.METRICS,
	};
}

/** Knows how to reach the signer; asks it nothing yet. */
async function connectSigner(
	place: Settings["issuingKey"],
	bound: Bindings["SIGNER"],
): Promise<SignerClient | null> {
	if ("key" in place) return null;
	const { url, caller, callerKey } = place.signer;
	try {
		const key = Uint8Array.fromBase64(callerKey);
		return await createSignerClient({ fetcher: bound ?? globalFetcher, url, caller, callerKey: key, clock });
	} catch {
		throw new ConfigError("SIGNER_CALLER_KEY", "is not an Ed25519 key in base64 PKCS#8");
	}
}

async function loadAuthority(settings: Settings, signer: SignerClient | null): Promise<IssuingAuthority> {
	const place = signer ? { signer: signElsewhere(signer.sign) } : (settings.issuingKey as { key: string });
	const authority = await loadIssuingAuthority({ ...settings.authority, ...place }).catch(
		(error: unknown) => {
			throw new ConfigError("ISSUING_KEY, ISSUING_CERTIFICATE or ROOT_CERTIFICATE", `is unusable: ${error}`);
		},
	);
	checkName("ISSUING_CERTIFICATE", authority, settings);
	return authority;
}

/** Keeps prod's signing authority out of local and dev, and the reverse. */
function checkName(setting: string, { commonName }: RetiredAuthority, { environment }: Settings): void {
	const isTest = /\bTEST\b/i.test(commonName);
	if (environment === "prod" && isTest)
		throw new ConfigError(setting, "names a TEST authority, which prod must not sign for");
	if (environment !== "prod" && !isTest)
		throw new ConfigError(setting, "names no TEST authority: local and dev sign for no other");
}

async function loadResponder(authority: IssuingAuthority, files: OcspFiles): Promise<OcspResponder> {
	return loadOcspResponder(authority, files).catch((error: unknown) => {
		throw new ConfigError("OCSP_KEY or OCSP_CERTIFICATE", `is unusable: ${error}`);
	});
}

async function loadRetired(
	{ prefix, ocsp, signer, ...retired }: RetiredSettings,
	settings: Settings,
): Promise<PublishedAuthority> {
	const client = await connectRetired(signer, settings);
	const unusable = (error: unknown) => {
		throw new ConfigError(`${prefix}…`, `is unusable: ${error}`);
	};
	const place = client ? { signer: signElsewhere(client.sign) } : {};
	const authority = await loadRetiredAuthority({ ...retired, ...place }).catch(unusable);
	checkName(`${prefix}ISSUING_CERTIFICATE`, authority, settings);
	const responder = ocsp && (await loadOcspResponder(authority, ocsp).catch(unusable));
	return { ...authority, responder, renewsResponder: client !== null && responder === null };
}

/** A replaced authority's own signer. @throws {ConfigError} unless the one of today's has a caller's key for both */
async function connectRetired(
	signer: RetiredSettings["signer"],
	{ issuingKey }: Settings,
): Promise<SignerClient | null> {
	if (signer === null) return null;
	if ("key" in issuingKey)
		throw new ConfigError("SIGNER_URL", "is missing: a replaced authority has a signer");
	const { url, ...caller } = issuingKey.signer;
	return connectSigner({ signer: { ...caller, url: signer.url ?? url } }, signer.bound ?? undefined);
}

async function loadRevocations({ rootCrl }: Settings, root: Uint8Array): Promise<RootCrl | null> {
	if (rootCrl === null) return null;
	return loadRootCrl(rootCrl, root).catch((error: unknown) => {
		throw new ConfigError("ROOT_CRL", `is unusable: ${error}`);
	});
}

const globalFetcher = { fetch: (request: Request) => fetch(request) };
