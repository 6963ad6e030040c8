import { HOLDERS, MARKER, PINS } from "./fixtures.ts";
import type { Target } from "./start-target.ts";
import type { WireClient } from "./wire-client.ts";
import { ask } from "./wire-client.ts";

const PAGES_MAX = 2_000;
const API_KEY = /gw_(?:dev|prod)_[0-9A-Z]{20,}/;
const WEBHOOK_SECRET = /whsec_/;
const RUT = /\b\d{7,8}-[\dkK]\b/;

/** Faults of the service once the calls are over: its health, its audit, its database, its log. */
export async function checkAfterwards(
	client: WireClient,
	target: Target,
): Promise<{ faults: string[]; "audit rows verified": number; "log lines looked through": number }> {
	const faults: string[] = [];
	let auditRows = 0;
	for (const path of ["/healthz", "/readyz"]) {
		const { status } = await ask(client, { path, credentials: "Accept: */*" });
		if (status !== 200) faults.push(`${path} answers ${status}`);
	}
	for (const path of ["/ops/v1/audit/verify", "/ops/v1/reconcile"]) {
		const { found, checked } = await walk(client, target, path);
		auditRows += checked;
		for (const one of found) faults.push(`${path}: ${JSON.stringify(one)}`);
	}
	const all = [...faults.slice(0, 20), ...logFaults(target.logs, target.secrets)];
	return { faults: all, "audit rows verified": auditRows, "log lines looked through": target.logs.length };
}

/** Every page of a walk that ops make: its findings, and the audit rows it checked. */
async function walk(
	client: WireClient,
	{ opsToken }: Target,
	path: string,
): Promise<{ found: unknown[]; checked: number }> {
	const found: unknown[] = [];
	let checked = 0;
	let cursor: string | null = null;
	for (let page = 0; page < PAGES_MAX; page++) {
		const credentials = `Authorization: Bearer ${opsToken}`;
		const { status, body } = await ask(client, { method: "POST", path, credentials, body: { cursor } });
		if (status !== 200) return { found: [...found, `answers ${status}`], checked };
		found.push(...(body.data.faults ?? body.data.findings));
		checked += body.data.checked ?? 0;
		cursor = body.data.next;
		if (cursor === null) return { found, checked };
	}
	return { found: [...found, "the walk does not end"], checked };
}

/** Lines that hold a secret, or anything that a caller or a holder sent. */
export function logFaults(lines: readonly string[], secrets: readonly string[]): string[] {
	const kinds: [string, (line: string) => boolean][] = [
		["a secret of the settings", (line) => secrets.some((secret) => line.includes(secret))],
		["an API key", (line) => API_KEY.test(line)],
		["a webhook secret", (line) => WEBHOOK_SECRET.test(line)],
		["a PIN", (line) => PINS.some((pin) => line.includes(`"${pin}"`) || line.includes(`${pin} `))],
		["a RUT", (line) => RUT.test(line)],
		["a holder's e-mail", (line) => line.includes(HOLDERS)],
		["a partner's marker", (line) => line.search(MARKER) >= 0],
		["a credential", (line) => line.includes("sso-")],
	];
	return kinds.flatMap(([what, holds]) => {
		const line = lines.find(holds);
		return line === undefined ? [] : [`the log holds ${what}: ${line.slice(0, 300)}`];
	});
}
