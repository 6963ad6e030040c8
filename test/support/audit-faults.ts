import { ops } from "./service.ts";

/** Everything that ops find in the audit, page by page, as `entity@version fault`. */
export async function findFaults(): Promise<string[]> {
	const found: string[] = [];
	let cursor: string | null = null;
	do {
		const { status, body, text } = await ops("POST", "/audit/verify", { cursor });
		if (status !== 200) throw new Error(text);
		found.push(...body.data.faults.map(showFault));
		cursor = body.data.next;
	} while (cursor !== null);
	return found.sort();
}

/** Names a fault by the kind of its entity; a digest's by its day too. */
export function showFault({
	entity,
	version,
	fault,
}: {
	entity: string;
	version: number;
	fault: string;
}): string {
	return `${entity.replace(/^(?!digest)(\w+):.*/, "$1").replace(/pt_\w+/, "partner")}@${version} ${fault}`;
}
