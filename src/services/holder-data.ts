import { readKept } from "../db/holder-data.ts";
import { openHolder } from "../db/holders.ts";
import type { FoundCode } from "../db/schema-holder.ts";
import { askHomes, requireAll } from "../directory.ts";
import type { ErasureAnswer } from "../objects/rpc.ts";
import { callCode } from "../objects/stubs.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { presentKeptCode, type ShownData, type Viewer } from "../wire/holder-data.ts";
import type { Caller } from "./caller.ts";
import { openRequest } from "./holder-requests.ts";
import { openRow } from "./open-row.ts";

/** A hundred codes of a holder at most. */
export interface SomeCodes {
	codes: readonly FoundCode[];
	/** There are more. */
	more: boolean;
}

/**
 * Everything that is kept of the holder of these codes, in one trip to each database; never a picture or a secret. What does
 * not open is null, and the rest is shown.
 * @throws {Unavailable} when a database does not answer: it would not be everything
 */
export async function showHolderData(
	platform: Platform,
	{ codes, more }: SomeCodes,
	viewer: Viewer,
): Promise<ShownData> {
	const { sealer, clock } = platform;
	const each = requireAll(await askHomes(platform, codes, ([partnerId]) => partnerId, readKept));
	const kept = {
		codes: each.flatMap(({ codes }) => codes).toSorted((a, b) => b.createdAt - a.createdAt),
		pictures: each.flatMap(({ pictures }) => pictures),
		deliveries: each.flatMap(({ deliveries }) => deliveries),
		requests: each.flatMap(({ requests }) => requests).toSorted((a, b) => b.askedAt - a.askedAt),
	};
	return {
		generated_at: new Date(clock()).toISOString(),
		codes: await Promise.all(
			kept.codes.map(async (code) => {
				const holder = await openRow("holders", code.code, openHolder(sealer, code.code, code));
				return presentKeptCode(code, holder, kept, viewer);
			}),
		),
		requests: await Promise.all(kept.requests.map((request) => openRequest(sealer, request))),
		more,
	};
}

/** `busy`: a step of the code runs, or its object did not answer. */
export type Erasure = "erased" | "kept" | "busy";

/** Erases the holder of each code as far as nothing obliges to keep it: each decides by its object, in its audit. */
export async function eraseHolderData(caller: Caller, codes: readonly FoundCode[]): Promise<Erasure[]> {
	const asked = caller.actor.startsWith("holder:") ? "holder" : "ops";
	const done: Erasure[] = [];
	for (const [partnerId, code] of codes) {
		const answer = await eraseHolderOf(caller, { partnerId, code, asked });
		// A restore of D1 brings the holder back: ops find here whom to erase again.
		if (answer?.kind === "erased") log("info", "holder_erased", { partner_id: partnerId, p_code: code });
		done.push(answer === null || answer.kind === "rejected" ? "busy" : answer.kind);
	}
	return done;
}

interface OneErasure {
	partnerId: string;
	code: string;
	/** Who asks for it; absent: its time is over. */
	asked?: "holder" | "ops";
}

/** Lets a code's object erase its holder. @returns null where it did not answer, which the log says */
export async function eraseHolderOf(
	{ platform, actor, requestId }: Pick<Caller, "platform" | "actor" | "requestId">,
	{ partnerId, code, asked }: OneErasure,
): Promise<ErasureAnswer | null> {
	const call = { partnerId, code, ...(asked && { asked }), actor, requestId, idempotency: null };
	try {
		return (await callCode(platform, call, (object) => object.eraseHolder(call))).answer;
	} catch (error) {
		log("error", "erasure_failed", { partner_id: partnerId, p_code: code, ...describeError(error) });
		return null;
	}
}
