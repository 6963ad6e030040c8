import { createPartner, type PartnerRow } from "../db/partners.ts";
import { rotateWebhookSecret } from "../db/webhook-secrets.ts";
import { enterPartner } from "../directory.ts";
import { changeProblem, completeChange } from "../domain/change-settings.ts";
import { DEFAULT_SCOPES } from "../domain/key-scopes.ts";
import { DEFAULT_SETTINGS, type PartnerSettings } from "../domain/partner-settings.ts";
import { type Caller, originOf } from "./caller.ts";
import { chooseDatabase } from "./databases.ts";
import { mintKey, mintWebhookSecret, newId } from "./new-secrets.ts";
import { mayReceive, type SettingsRefusal } from "./settings.ts";

const FIRST_KEY = {
	label: "first key",
	scopes: DEFAULT_SCOPES,
	expiresAt: null,
	allowedCidrs: null,
};

/**
 * A new partner with its first key and webhook secret, which nobody can show again.
 * @param database - number of the one that it will live in; not given: the open one with most room
 */
export async function openPartner(
	caller: Caller,
	{ name = "", ...wanted }: Partial<PartnerSettings>,
	database?: number,
): Promise<
	| { kind: "done"; partner: PartnerRow; apiKey: string; webhookSecret: string }
	| { kind: "refused"; reason: SettingsRefusal }
> {
	const { platform, at } = caller;
	if (!mayReceive(platform, wanted.webhookUrl)) return { kind: "refused", reason: "webhook_refused" };
	const defaults = { ...DEFAULT_SETTINGS, name, webhookOffAt: null, webhookOffBy: null };
	const set = completeChange(defaults, wanted);
	const problem = changeProblem(defaults, set);
	if (problem) return { kind: "refused", reason: problem };
	const { apiKey, row } = await mintKey(caller, FIRST_KEY);
	const id = newId("pt");
	const { db, number } = await enterPartner(platform, {
		partnerId: id,
		keyHash: row.hash,
		database: await chooseDatabase(platform, database),
	});
	const webhook = await mintWebhookSecret(caller, id);
	const secret = rotateWebhookSecret(db, webhook.row, { now: at, overlapUntil: at });
	const partner = await createPartner(db, { ...defaults, ...set, id, number }, row, originOf(caller), secret);
	return { kind: "done", partner, apiKey, webhookSecret: webhook.secret };
}
