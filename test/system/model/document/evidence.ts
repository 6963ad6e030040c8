import type { CallOf, CodeName } from "./calls.ts";
import { error, made, type Outcome, success, time } from "./expected.ts";
import { type Ledger, record } from "./ledger.ts";
import { pictureOf } from "./pictures.ts";

/* Pictures of the card as ops see them. Every look at what is there is recorded in a chain of its own. */

export function applyListEvidence(ledger: Ledger, call: CallOf<"list evidence">, now: number): Outcome {
	const { code: name } = call.code;
	const code = ledger.codes[name];
	if (!code) return { ledger, expected: error("list evidence", "NOT_FOUND") };
	const evidence = code.pictures.map(({ side, encoded, at }) => ({
		validation: made("validation", `${name} ${at}`),
		side,
		media_type: pictureOf(encoded)!.mediaType,
		created_at: time(at),
	}));
	const expected = success("list evidence", 200, { p_code: made("code", name), evidence });
	const outcome = evidence.length === 0 ? expected.outcome : "list evidence of pictures 200";
	return { ledger: looked(ledger, call.code, "evidence_listed", now), expected: { ...expected, outcome } };
}

/** The latest of its side. */
export function applyShowPicture(ledger: Ledger, call: CallOf<"show picture">, now: number): Outcome {
	const { pictures = [] } = ledger.codes[call.code.code] ?? {};
	const found = call.validation ? undefined : pictures.findLast(({ side }) => side === call.side);
	if (!found) return { ledger, expected: error("show picture", "NOT_FOUND") };
	const { mediaType, extension, text } = pictureOf(found.encoded)!;
	const headers = {
		"Content-Type": mediaType,
		"Content-Disposition": { $: "containing", text: `-${call.side}.${extension}"` } as const,
	};
	return {
		ledger: looked(ledger, call.code, "evidence_read", now),
		expected: { outcome: "show picture 200", status: 200, body: null, headers, text },
	};
}

function looked(ledger: Ledger, { code }: CodeName, action: string, now: number): Ledger {
	return record(ledger, `evidence ${code}`, { at: now, by: "ops", action });
}
