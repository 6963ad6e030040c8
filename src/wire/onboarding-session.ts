import { z } from "@hono/zod-openapi";
import { endOf, type OnboardingSession, SESSION_ENDS } from "../domain/onboarding-session.ts";
import { dateTime } from "../http/responses.ts";
import { timestamp } from "../http/timestamp.ts";
import { mark } from "../texts/language.ts";
import { ONBOARDING_REFERENCE } from "../texts/onboarding-reference.ts";

/* A session as its partner sees it; `session.ts` is what the frame sees. */

export const sessionSchema = z
	.strictObject({
		session_id: z.string(),
		p_code: z.string(),
		referenceId: z.string(),
		status: z
			.enum(["created", "open", "validated", "completed", "ended"])
			.openapi({ description: mark(ONBOARDING_REFERENCE.sessionStatus) }),
		end_reason: z
			.enum(SESSION_ENDS)
			.nullable()
			.openapi({ description: mark(ONBOARDING_REFERENCE.sessionEndReason) }),
		created_at: dateTime,
		started_at: dateTime.nullable(),
		validated_at: dateTime.nullable(),
		ended_at: dateTime.nullable(),
		expires_at: dateTime,
	})
	.openapi("OnboardingSession");

export const SESSION_EXAMPLE: z.input<typeof sessionSchema> = {
	session_id: "os_5f2b8a526a0e4e0b9f5e0d6f0c1b7a11",
	p_code: "7K3M-9QXT-2B4C-H8WD",
	referenceId: "order-1001",
	status: "open",
	end_reason: null,
	created_at: "2026-11-21T12:00:00.000Z",
	started_at: "2026-11-21T12:01:00.000Z",
	validated_at: null,
	ended_at: null,
	expires_at: "2026-11-21T12:33:00.000Z",
};

export function presentSession(row: OnboardingSession, now: number): z.input<typeof sessionSchema> {
	const { startedAt, validatedAt, completedAt, createdAt, until } = row;
	const ended = endOf(row, now);
	const going = completedAt !== null ? "completed" : validatedAt !== null ? "validated" : "open";
	return {
		session_id: row.id,
		p_code: row.code,
		referenceId: row.reference,
		status: ended ? "ended" : startedAt === null ? "created" : going,
		end_reason: ended?.reason ?? null,
		created_at: timestamp(createdAt),
		started_at: timestamp(startedAt),
		validated_at: timestamp(validatedAt),
		ended_at: timestamp(ended?.at ?? null),
		expires_at: timestamp(until),
	};
}
