import { checkKept, checkOnboarding, type KeptProgress, type SessionRow } from "../invariants.ts";
import { status } from "./calls.ts";
import type { Client } from "./client.ts";
import type { OwnedCode } from "./inspect.ts";
import type { Partner } from "./journal.ts";
import type { ServiceProcess } from "./service-process.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

/* No code is in onboarding beyond its session: not in the database, not by GET /status, not in its object. */

/** Checks the database and the objects of these codes while sessions last. @param now - the service's own. */
export async function checkOnboarded(
	service: ServiceProcess,
	{ codes, sessions }: Snapshot,
	owned: readonly OwnedCode[],
	now: number,
): Promise<string[]> {
	const kept = await service.ask<KeptProgress[]>("progress", owned);
	return [...checkOnboarding(codes.values(), sessions, now), ...checkKept(kept, sessions)];
}

/** When the time of every session has passed and the alarms have rung, nothing of them is left. */
export async function checkOver(
	service: ServiceProcess,
	client: Client,
	partners: readonly Partner[],
): Promise<string[]> {
	const { sessions, codes } = await takeSnapshot(service);
	const owned = ownersOf(sessions);
	await service.ask("ring", owned);
	const kept = await service.ask<KeptProgress[]>("progress", owned);
	const reading: string[] = [];
	for (const { code, partnerId } of owned) {
		const partner = partners.find(({ id }) => id === partnerId)!;
		const { body } = await status(client, partner, code);
		if (body?.data?.status === "IN_ONBOARDING") reading.push(code);
	}
	return [
		...sessions
			.filter(({ ended_at }) => ended_at === null)
			.map(({ id }) => `4: the session ${id} never ends`),
		...[...codes.values()]
			.filter(({ onboarding_until }) => onboarding_until !== null)
			.map(({ code }) => `4: ${code} stays in onboarding`),
		...reading.map((code) => `4: GET /status of ${code} stays IN_ONBOARDING`),
		...kept.map(({ code, session }) => `4: the object of ${code} still keeps ${session}`),
	];
}

function ownersOf(sessions: readonly SessionRow[]): OwnedCode[] {
	return [...new Map(sessions.map(({ code, partner_id }) => [code, partner_id]))].map(
		([code, partnerId]) => ({ code, partnerId }),
	);
}
