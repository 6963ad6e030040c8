import { enterAbandonedSerial } from "../db/certificate-register.ts";
import { ownEmail } from "../db/change-code.ts";
import { sealHolder, storeHolder } from "../db/holder-record.ts";
import type { Statement } from "../db/query.ts";
import type { CodeRow } from "../db/read-code.ts";
import { evidence } from "../db/schema.ts";
import { deliverAtOnce } from "../delivery/deliver.ts";
import { fullName } from "../identity/compare-names.ts";
import type { RegisteredPerson } from "../identity/ports.ts";
import { type StoredPicture, storeEvidence } from "../secrets/evidence.ts";
import { hashPin } from "../secrets/pin.ts";
import { type Emission, emitCertificate } from "./emit-certificate.ts";
import { commitOrGiveUp, commitStep, giveUpStep } from "./end-step.ts";
import type { Lease } from "./lease.ts";
import { type RequestAnswer, type RequestSuccess, rejected } from "./rpc.ts";
import { explainConflict, type HolderIndexes, type RequestContext, type Surveyed } from "./survey-request.ts";

/** Third round trip on the way of success: evidence and certificate first, then the commit that tells of them. */
export async function acceptRequest(
	context: RequestContext,
	lease: Lease,
	{ row, settings, endpoint }: Surveyed & { row: CodeRow },
	indexes: HolderIndexes,
	person: RegisteredPerson,
): Promise<RequestAnswer> {
	const { call, clock } = context;
	const holder = { rut: call.holder.rut, fullName: fullName(person), email: call.holder.email };
	const pictures = await keepPictures(context, lease);
	const emission =
		settings.mode === "B2B"
			? await emitCertificate(context, lease, {
					row,
					settings,
					holder,
					pin: call.holder.pin,
					reference: call.reference,
					partnerCopy: call.partnerCopy ?? null,
				})
			: null;
	const now = clock();
	const answer: RequestSuccess = {
		kind: emission ? "emitted" : "validated",
		code: call.code,
		reference: call.reference,
		holder,
		certificate: emission?.certificate ?? null,
	};
	const change = {
		row,
		set: {
			validatedAt: now,
			boundRut: indexes.rutIndex,
			externalReferenceId: call.reference,
			validationFailures: 0,
			claimFailures: 0,
			lockedUntil: null,
			...emission?.set,
		},
		action: answer.kind,
		outcome: "ok",
		now,
		alongside: await validatedRows(context, indexes, holder, pictures, emission),
	};
	const result = await commitStep(context, lease, change, answer);
	if (typeof result !== "string") {
		if (emission && result.kind === "emitted")
			await deliverAtOnce(context.platform, emission.deliveries, endpoint, context.later);
		return result;
	}
	if (result === "email_in_use") return refuseEmail(context, lease, row);
	await giveUpStep(context, lease);
	return rejected(await explainConflict(context, indexes));
}

/** The e-mail became another RUT's while the registry was asked: a final answer; what was signed is void. */
async function refuseEmail(context: RequestContext, lease: Lease, row: CodeRow): Promise<RequestAnswer> {
	const { db, clock } = context;
	const now = clock();
	const { partnerId, code } = row.facts;
	const { serial } = lease;
	const alongside = serial === null ? [] : [enterAbandonedSerial(db, { serial, partnerId, code, now })];
	const change = { row, set: {}, action: "validation_refused", outcome: "email_in_use", now, alongside };
	return commitOrGiveUp(context, lease, change, rejected({ reason: "email_in_use" }));
}

/** Before anything is signed: a bucket that fails must not leave signed serials behind. */
function keepPictures({ call, platform }: RequestContext, lease: Lease): Promise<StoredPicture[]> {
	const owner = { partnerId: call.partnerId, validation: lease.step };
	return storeEvidence(platform.evidence, platform.sealer, owner, call.pictures);
}

async function validatedRows(
	{ call, db, platform, clock }: RequestContext,
	{ rutIndex, emailIndex }: HolderIndexes,
	holder: { rut: string; fullName: string; email: string },
	pictures: readonly StoredPicture[],
	emission: Emission | null,
): Promise<Statement[]> {
	const { partnerId, code } = call;
	const now = clock();
	const pin = emission ? null : await hashPin(platform.pinPepper, code, call.holder.pin);
	const record = { ...holder, phone: call.holder.phone ?? null, partnerCopy: call.partnerCopy ?? null };
	const row = await sealHolder(platform.sealer, { partnerId, code, now }, record, { rutIndex, pin });
	const evidenceRows = pictures.map((picture) => ({ ...picture, partnerId, code, createdAt: now }));
	return [
		storeHolder(db, row),
		ownEmail(db, { partnerId, emailIndex, rutIndex, now }),
		...(evidenceRows.length > 0 ? [db.insert(evidence).values(evidenceRows)] : []),
		...(emission?.alongside ?? []),
	];
}
