import type { PartnerRow } from "../db/partners.ts";
import type { Statement } from "../db/query.ts";
import { tellOfChange } from "../delivery/notice.ts";
import { enqueueLater } from "../delivery/queue.ts";
import type { AuditAction } from "../domain/audit-actions.ts";
import { type Noticed, noticeChannel } from "../domain/notices.ts";
import { type Caller, nowFor, type PartnerCaller } from "./caller.ts";

const BY_PARTNER = "partner:";

/** Id of the key with which the partner itself makes the change; null where ops do. */
export function actingKey({ actor }: Pick<Caller, "actor">): string | null {
	return actor.startsWith(BY_PARTNER) ? actor.slice(BY_PARTNER.length) : null;
}

/** The notices of one change, which are part of its commit. */
export class Notices {
	readonly #caller: PartnerCaller;
	#due: { partnerId: string; id: string; inMs: number }[] = [];

	constructor(caller: PartnerCaller) {
		this.#caller = caller;
	}

	/** @param partner - as it was before. @returns the statements for the commit, of this try alone. */
	async of(partner: PartnerRow, changes: readonly Noticed[], action: AuditAction): Promise<Statement[]> {
		const { platform, db } = this.#caller;
		const keyId = actingKey(this.#caller);
		const at = nowFor(this.#caller, partner);
		if (keyId === null) return [];
		const told = await Promise.all(
			changes.flatMap((changed) => {
				const channel = noticeChannel(changed, partner);
				if (channel === null) return [];
				const address = (channel === "email" ? partner.deliveryEmail : partner.webhookUrl)!;
				const change = { changed, action, keyId, at };
				return [tellOfChange({ ...platform, db }, change, { partnerId: partner.id, channel, address })];
			}),
		);
		this.#due = told.flatMap(({ queued }) => queued.map((due) => ({ ...due, partnerId: partner.id })));
		return told.map(({ statement }) => statement);
	}

	/** Queues the notices; to be called after the commit. */
	send(): Promise<void> {
		return enqueueLater(this.#caller.platform, this.#due);
	}
}
