/* Calls that change nothing and show that a version answers as this service: settings, D1, authority, routes, keys. */

export interface SmokeTarget {
	/** Address without a slash at its end. */
	url: string;
	/** PKI_URL: asked over plain http, as relying parties do, and no redirect is followed. */
	pkiUrl: string;
	/** The Worker's name and the version to reach; null: whichever the deployment gives. */
	version: { worker: string; id: string } | null;
	/** Expects writes of partners to be refused, and tries nothing else then. */
	frozen: boolean;
	opsToken?: string | undefined;
	/** A partner's key of this environment. */
	apiKey?: string | undefined;
}

interface Probe {
	path: string;
	/** Left out: the service's own address. */
	base?: string;
	headers?: Record<string, string>;
	status: number;
	expect?: (body: string, response: Response) => boolean;
}

const TRIES = 5;
const PAUSE_MS = 3_000;

/** @returns what did not answer as it must; none when all is well. */
export async function smokeTest(target: SmokeTarget, pause = wait): Promise<string[]> {
	const failures: string[] = [];
	for (const probe of probesOf(target)) {
		let failure: string | null = null;
		for (let attempt = 1; attempt <= TRIES; attempt++) {
			failure = await tryProbe(target, probe);
			if (failure === null) break;
			// A new share needs a few seconds until it is known everywhere.
			if (attempt < TRIES) await pause(PAUSE_MS);
		}
		if (failure !== null) failures.push(failure);
	}
	return failures;
}

function probesOf({ pkiUrl, version, frozen, opsToken, apiKey }: SmokeTarget): Probe[] {
	const isError = (error: string) => (body: string) => body.includes(`"error":"${error}"`);
	const saysFrozen = (body: string) => body.includes('"frozen":true');
	// D1 may be broken when it is to be restored: nothing that needs it is asked.
	if (frozen) return [{ path: "/healthz", status: 200, expect: saysFrozen }];
	return [
		{ path: "/healthz", status: 200, expect: (body) => !saysFrozen(body) },
		{
			path: "/readyz",
			status: 200,
			expect: (body) => version === null || body.includes(`"version":"${version.id}"`),
		},
		{ path: "/openapi.json", status: 200, expect: (body) => body.includes("/certificate_request") },
		{
			base: pkiUrl,
			path: "/root.cer",
			status: 200,
			expect: (_, response) => response.headers.get("content-type") === "application/pkix-cert",
		},
		{ path: "/api/partner/v1/pcodes", status: 401, expect: isError("UNAUTHORIZED") },
		{ path: "/no-such-route", status: 404, expect: isError("NOT_FOUND") },
		...(apiKey ? [{ path: "/api/partner/v1/pcodes?limit=1", headers: { "x-gw": apiKey }, status: 200 }] : []),
		...(opsToken
			? [{ path: "/ops/v1/upkeep", headers: { authorization: `Bearer ${opsToken}` }, status: 200 }]
			: []),
	];
}

async function tryProbe({ url, version }: SmokeTarget, probe: Probe): Promise<string | null> {
	const headers = new Headers(probe.headers);
	if (version) headers.set("Cloudflare-Workers-Version-Overrides", `${version.worker}="${version.id}"`);
	try {
		const response = await fetch((probe.base ?? url) + probe.path, {
			headers,
			redirect: "manual",
			signal: AbortSignal.timeout(10_000),
		});
		const body = await response.text();
		if (response.status !== probe.status)
			return `${probe.path}: ${response.status} instead of ${probe.status}`;
		return probe.expect?.(body, response) === false ? `${probe.path}: not the answer of this version` : null;
	} catch (error) {
		return `${probe.path}: ${error instanceof Error ? error.message : error}`;
	}
}

export function wait(milliseconds: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
