import {
	enterCertificate,
	enterWithLeaf,
	revokeCertificate,
	selectCertificatesOfCode,
} from "../db/certificates.ts";
import { selectCode } from "../db/code-changes.ts";
import { forgetPin } from "../db/holders.ts";
import { withdrawCertificate } from "../db/outbox.ts";
import { batch } from "../db/query.ts";
import { decideMend } from "../domain/decide-mend.ts";
import { Unavailable } from "../unavailable.ts";
import { type CommitContext, commitChange } from "./commit.ts";
import { isRunning, readLease } from "./lease.ts";
import { recoverStep } from "./recovery.ts";
import { readRemembered, rememberLonger } from "./remembered.ts";
import { type Call, type MendAnswer, rejected } from "./rpc.ts";

const TRIES = 3;
/** The audit action, and the reason that a partner is told of a cancellation that is made again. */
const MENDED = "mended_after_restore";

interface MendContext extends CommitContext {
	call: Call;
	storage: DurableObjectStorage;
}

/** For ops after a restore of D1: recovers a step that the freeze left behind, then mends. */
export async function mend(context: MendContext): Promise<MendAnswer> {
	const { storage, platform } = context;
	const lease = readLease(storage);
	if (lease && isRunning(lease, platform.clock()))
		return rejected({ reason: "other_validation_in_progress" });
	if (lease) await recoverStep(context, lease);
	const kind = await mendForgotten(context);
	if (kind === "unchanged") rememberLonger(storage, platform.clock());
	return { kind };
}

/**
 * Tells D1 again what it has forgotten of this code's certificates since it was restored to an earlier moment.
 * @throws {Unavailable}
 */
export async function mendForgotten(context: MendContext): Promise<"mended" | "unchanged" | "not_found"> {
	const { call, storage, platform } = context;
	const { db, clock } = platform;
	const { partnerId, code, actor, requestId } = call;
	const remembered = readRemembered(storage);
	if (remembered.length === 0) return "unchanged";
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const {
			row: [row],
			known,
		} = await batch(db, {
			row: selectCode(db, { partnerId, code }),
			known: selectCertificatesOfCode(db, { partnerId, code }),
		});
		if (!row) return "not_found";
		const now = clock();
		const forgotten = decideMend(row.facts, known, remembered, now);
		if (forgotten === null) return "unchanged";
		const { set, enter, revoke } = forgotten;
		const named = set.certificateSerial ?? row.facts.certificateSerial;
		const revoked = revoke.some(({ serial }) => serial === named) ? "revoked" : null;
		const why = set.cancelledAt != null ? "cancelled" : revoked;
		const serials = new Set([...enter, ...revoke].map(({ serial }) => serial));
		const result = await commitChange(context, {
			row,
			set,
			action: MENDED,
			outcome: Array.from(serials).join(" ") || "code",
			actor,
			requestId,
			step: null,
			now,
			alongside: [
				...enter.flatMap(({ cancelledAt: _, forgetAt: __, leaf, ...row }) =>
					leaf ? enterWithLeaf(db, row, leaf) : [enterCertificate(db, row)],
				),
				...revoke.map(({ serial, reason, at }) =>
					revokeCertificate(db, { serial, partnerId, reason, now: at }),
				),
				...(set.issuedAt ? [forgetPin(db, partnerId, code)] : []),
				// The restore brought its delivery back too.
				...(why ? [withdrawCertificate(db, { partnerId, code, now, why })] : []),
			],
			opsReason: MENDED,
		});
		if (result !== "committed") continue;
		rememberLonger(storage, now);
		return "mended";
	}
	throw new Unavailable("db", "every try was overtaken");
}
