import type { PartnerRow } from "../db/partners.ts";
import type { Statement } from "../db/query.ts";
import { tellOfChange } from "../delivery/notice.ts";
import { enqueueLater } from "../delivery/queue.ts";
import type { AuditAction } from "../domain/audit-actions.ts";
import { type Noticed, noticeChannel } from "../domain/notices.ts";
import { type Caller, onBehalfOf } from "./caller.ts";

const BY_PARTNER = "partner:";

/** Id of the key with which the partner itself makes the change; null where ops do. */
export function actingKey({ actor }: Pick<Caller, "actor">): string | null {
	return actor.startsWith(BY_PARTNER) ? actor.slice(BY_PARTNER.length) : null;
}

/** The notices of one change, which are part of its commit. */
export class Notices {
	readonly #caller: Caller;
	#due: { id: string; inMs: number }[] = [];

	constructor(caller: Caller) {
		this.#caller = caller;
	}

	/** @param partner - as it was before. @returns the statements for the commit, of this try alone. */
	async of(partner: PartnerRow, changes: readonly Noticed[], action: AuditAction): Promise<Statement[]> {
		const { platform } = this.#caller;
		const keyId = actingKey(this.#caller);
		const { now: at } = onBehalfOf(this.#caller, partner.id, partner);
		if (keyId === null) return [];
		const told = await Promise.all(
			changes.flatMap((changed) => {
				const channel = noticeChannel(changed, partner);
				if (channel === null) return [];
				const address = (channel === "email" ? partner.deliveryEmail : partner.webhookUrl)!;
				const change = { changed, action, keyId, at };
				return [tellOfChange(platform, change, { partnerId: partner.id, channel, address })];
			}),
		);
		this.#due = told.flatMap(({ queued }) => queued);
		return told.map(({ statement }) => statement);
	}

	/** Queues the notices; to be called after the commit. */
	send(): Promise<void> {
		return enqueueLater(this.#caller.platform, this.#due);
	}
}
