import { selectRenewable } from "../db/certificates.ts";
import { type CodeRow, selectCode } from "../db/code-changes.ts";
import { selectEmailOwner } from "../db/holders.ts";
import { selectCaller, settingsOf } from "../db/partners.ts";
import { batch } from "../db/query.ts";
import { selectRutAttempts } from "../db/rut-attempts.ts";
import { selectWebhookSecrets } from "../db/webhook-secrets.ts";
import type { Endpoint } from "../delivery/deliver.ts";
import { admitRequest } from "../domain/admit-request.ts";
import { validityOf } from "../domain/certificate-dates.ts";
import type { PartnerSettings } from "../domain/partner-settings.ts";
import { type Refusal, refuse } from "../domain/rejection.ts";
import type { Platform } from "../platform.ts";
import { isMisused, openKey, selectKey } from "./idempotency.ts";
import type { Lease } from "./lease.ts";
import type { RequestCall } from "./rpc.ts";
import type { ReadContext, StepContext } from "./use-case.ts";

/* Reads and decides whether a certificate_request may ask the registry. */

/** The partner's settings now, the code, the e-mail's owner, the RUT's lock, the renewed certificate. */
export async function readRequest({ call, db, platform }: StepContext<RequestCall>, lease: Lease | null) {
	const { clock } = platform;
	const { partnerId, code, renews: serial } = call;
	const indexes = await indexHolder(call, platform);
	const { rutIndex, emailIndex } = indexes;
	const rows = await batch(db, {
		opened: lease && openKey(db, call, clock()),
		partner: selectCaller(db, { partnerId }),
		code: selectCode(db, { partnerId, code }),
		emailOwner: selectEmailOwner(db, partnerId, emailIndex),
		rutAttempts: selectRutAttempts(db, { partnerId, rutIndex }),
		renewable: serial === undefined ? null : selectRenewable(db, { partnerId, serial, rutIndex }),
		secrets: selectWebhookSecrets(db, partnerId, clock()),
		key: selectKey(db, call, clock()),
	});
	return { ...rows, indexes };
}

export type RequestRead = Awaited<ReturnType<typeof readRequest>>;

/** Keyed indexes of the holder, by which D1 knows equality without knowing the holder. */
export interface HolderIndexes {
	rutIndex: string;
	emailIndex: string;
}

async function indexHolder({ partnerId, holder }: RequestCall, { index }: Platform): Promise<HolderIndexes> {
	const [rutIndex, emailIndex] = await Promise.all([
		index.of("rut", partnerId, holder.rut),
		index.of("email", partnerId, holder.email.toLowerCase()),
	]);
	return { rutIndex, emailIndex };
}

type Admission = { kind: "admitted"; row: CodeRow; settings: PartnerSettings; endpoint: Endpoint } | Refusal;

export function admit(
	{ call, db, platform, now }: ReadContext<RequestCall>,
	read: RequestRead,
	busy: boolean,
): Admission {
	const { rutIndex } = read.indexes;
	const [partner] = read.partner;
	if (!partner || partner.suspendedAt !== null) return refuse({ reason: "unauthorized" });
	if (isMisused(call, read.key)) return refuse({ reason: "idempotency_mismatch" });
	const [row] = read.code;
	const settings = settingsOf(partner, platform.clock());
	const emailOwner = read.emailOwner[0]?.rutIndex ?? null;
	const rutLockedUntil = read.rutAttempts[0]?.lockedUntil ?? null;
	const renewable = read.renewable === null || read.renewable.length > 0;
	const issuable =
		row !== undefined && validityOf(row.facts.product, platform.clock(), platform.authority) !== null;
	const admission = admitRequest(
		row?.facts ?? null,
		partner,
		{ ...call.holder, rutIndex },
		{ busy, emailOwner, renewable, rutLockedUntil, issuable, now: now() },
	);
	if (admission.kind === "rejected") return admission;
	return { kind: "admitted", row: row!, settings, endpoint: { db, partner, secrets: read.secrets, now } };
}
