import type { z } from "@hono/zod-openapi";
import { type OwnCertificate, pageCertificates, selectCertificatesOfHolder } from "../db/own-codes.ts";
import { batch } from "../db/query.ts";
import { PAGE_SIZE_DEFAULT } from "../domain/limits.ts";
import { pageOf } from "../http/cursor.ts";
import type { certificateQuery } from "../wire/certificate.ts";
import type { PartnerCaller } from "./caller.ts";

/** `next`: the cursor of the page that follows, null at the end. */
interface CertificatePage {
	page: OwnCertificate[];
	next: string | null;
}

/** A page of the caller's certificates, by their end. */
export async function listCertificates(
	{ db, partnerId, now }: PartnerCaller,
	{ validity, expiring_before, limit = PAGE_SIZE_DEFAULT, cursor }: z.output<typeof certificateQuery>,
): Promise<CertificatePage> {
	const found = await pageCertificates(db, {
		partnerId,
		now,
		...(validity && { validity }),
		...(expiring_before && { endingBefore: expiring_before.first }),
		after: cursor ?? null,
		limit: limit + 1,
	});
	return pageOf(found, limit, ({ notAfter, serial }) => ({ notAfter, serial }));
}

interface HolderQuery {
	/** Canonical form. */
	dni: string;
	limit?: number | undefined;
	cursor?: string | null | undefined;
}

/** A page of the certificates that the caller had issued for a RUT. */
export async function searchCertificates(
	{ platform, db, partnerId }: PartnerCaller,
	{ dni, limit = PAGE_SIZE_DEFAULT, cursor }: HolderQuery,
): Promise<CertificatePage> {
	const rutIndex = await platform.index.of("rut", partnerId, dni);
	const asked = { partnerId, rutIndex, after: cursor ?? "", limit: limit + 1 };
	const { found } = await batch(db, { found: selectCertificatesOfHolder(asked) });
	return pageOf(found, limit, ({ code }) => code);
}
