import { env } from "cloudflare:workers";
import type { CertificateRow, CodeRow, Seen, Stored } from "../invariants.ts";
import type { Fixture } from "./fixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: rows of any table, read by name.
export type Snapshot = Record<string, Record<string, any>[]>;

/** The tables, as the checks that all runs share read them. */
export function storedOf(db: Snapshot, pictures: ReadonlyMap<string, string>): Stored {
	const rows = <Row>(table: string) => db[table] as unknown as Row[];
	return {
		codes: new Map(rows<CodeRow>("purchase_codes").map((row) => [row.code, row])),
		certificates: rows<CertificateRow & { leaf_id: number | null }>("certificates").map((row) => ({
			...row,
			has_leaf: row.leaf_id !== null,
		})),
		evidence: rows<Stored["evidence"][number]>("evidence"),
		pictures: new Set(pictures.keys()),
	};
}

export function seenBy({ seen, left, signed }: Fixture): Seen {
	const change = /^POST \/(?:pcodes|certificates)\/[^/]+\/(\w+)$/;
	return {
		left: left.map(({ pCode, serial }) => ({ code: pCode, serial })),
		signed: signed.keys(),
		revokedByOps: new Set(
			seen.flatMap(({ what }) => /\/certificates\/(\w+)\/revoke$/.exec(what)?.[1]?.toUpperCase() ?? []),
		),
		answers: seen
			.filter(({ answer }) => !answer.headers.has("Idempotency-Replayed"))
			.map(({ verb, what, pCode, partnerId, answer: { status, body } }) => ({
				code: pCode,
				partnerId,
				status,
				body,
				kind: verb === "ops" || verb === "desk" ? (change.exec(what)?.[1] ?? verb) : verb,
			})),
	};
}

/** Contents by key, bytes as Latin-1. */
export async function readPictures(): Promise<Map<string, string>> {
	const { objects } = await env.EVIDENCE.list();
	const contents = await Promise.all(
		objects.map(async ({ key }) => {
			const bytes = (await (await env.EVIDENCE.get(key))?.arrayBuffer()) ?? new ArrayBuffer();
			return [key, Buffer.from(bytes).toString("latin1")] as const;
		}),
	);
	return new Map(contents);
}
