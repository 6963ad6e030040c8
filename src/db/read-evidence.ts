import { and, asc, eq } from "drizzle-orm";
import { ask, type Db } from "./query.ts";
import { evidence } from "./schema.ts";

export type EvidenceRow = typeof evidence.$inferSelect;

/** Every picture kept of a code, oldest first. */
export async function listEvidence(
	db: Db,
	{ partnerId, code }: { partnerId: string; code: string },
): Promise<EvidenceRow[]> {
	return ask(
		db
			.select()
			.from(evidence)
			.where(and(eq(evidence.partnerId, partnerId), eq(evidence.code, code)))
			.orderBy(asc(evidence.createdAt), asc(evidence.objectKey)),
	);
}

/** Id of the validation a picture belongs to: the middle of `<partner>/<validation>/<side>`. */
export function validationOf({ objectKey }: Pick<EvidenceRow, "objectKey">): string {
	return objectKey.split("/")[1] ?? "";
}
