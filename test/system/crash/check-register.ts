import type { Client } from "./client.ts";

interface AuditPage {
	faults: { entity: string; version: number; fault: string }[];
	next: string | null;
}

interface ReconcilePage {
	findings: { kind: string; subject: string }[];
	next: string | null;
}

/** What ops' own instruments say: the audit's chains verify, and the register agrees with itself. */
export async function checkByOps(client: Client): Promise<string[]> {
	const broken: string[] = [];
	let cursor: string | null = null;
	do {
		const page: AuditPage = await client.ops("POST", "/audit/verify", { cursor });
		for (const { entity, version, fault } of page.faults) broken.push(`audit: ${entity} ${version} ${fault}`);
		cursor = page.next;
	} while (cursor !== null);
	do {
		const page: ReconcilePage = await client.ops("POST", "/reconcile", { cursor });
		for (const { kind, subject } of page.findings) broken.push(`reconcile: ${kind} ${subject}`);
		cursor = page.next;
	} while (cursor !== null);
	return broken;
}
