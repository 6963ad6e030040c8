import { insertDeliveries } from "../db/outbox.ts";
import type { PartnerRow } from "../db/partners.ts";
import type { Statement } from "../db/query.ts";
import { noticeDelivery } from "../delivery/notice.ts";
import { enqueue } from "../delivery/queue.ts";
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
	#due: string[] = [];

	constructor(caller: Caller) {
		this.#caller = caller;
	}

	/** @param partner - as it was before. @returns the statements for the commit, of this try alone. */
	async of(partner: PartnerRow, changes: readonly Noticed[], action: AuditAction): Promise<Statement[]> {
		const { platform } = this.#caller;
		const keyId = actingKey(this.#caller);
		const { now: at } = onBehalfOf(this.#caller, partner.id, partner);
		if (keyId === null) return [];
		const rows = await Promise.all(
			changes.flatMap((changed) => {
				const channel = noticeChannel(changed, partner);
				if (channel === null) return [];
				const address = (channel === "email" ? partner.deliveryEmail : partner.webhookUrl)!;
				const notice = { partner: partner.name, changed, action, keyId, at };
				return [noticeDelivery(platform.sealer, notice, { partnerId: partner.id, channel, address })];
			}),
		);
		this.#due = rows.map(({ id }) => id);
		return rows.length > 0 ? [insertDeliveries(platform.db, rows)] : [];
	}

	/** Queues the notices; to be called after the commit. */
	send(): Promise<void> {
		return enqueue(this.#caller.platform, this.#due);
	}
}
