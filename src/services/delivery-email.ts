import { changePartner, type PartnerRow, selectPartner } from "../db/partners.ts";
import { type PartnerDb, query } from "../db/query.ts";
import { envelopeOf } from "../delivery/compose-email.ts";
import { isRecipient, sendEmail } from "../delivery/email.ts";
import { composeConfirmationEmail } from "../delivery/emails.ts";
import { labelOf } from "../delivery/outcome.ts";
import { findHome } from "../directory.ts";
import type { Actor } from "../domain/actor.ts";
import { DELIVERY_EMAIL_PENDING_MS, DELIVERY_EMAILS_PER_HOUR } from "../domain/limits.ts";
import type { Platform } from "../platform.ts";
import { describeError } from "../telemetry/describe-error.ts";
import { log } from "../telemetry/log.ts";
import { originOf, type PartnerCaller } from "./caller.ts";
import { waitForNext } from "./hourly-limit.ts";
import { changeSettings } from "./settings.ts";
import { actingKey } from "./tell-partner.ts";

/*
 * A delivery e-mail that a partner sets is in force once its owner has confirmed it by the link that is sent to it
 * (decisions, "Delivery"). The link is a keyed hash of partner, key, end and address, so that no secret is stored.
 */

/** Milliseconds. */
const SEND_TIMEOUT = 20_000;

const TOKEN = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.([0-9]{1,15})\.([A-Za-z0-9_-]{43})$/;

type Asked =
	| { kind: "done"; partner: PartnerRow }
	| { kind: "refused"; reason: "too_many_delivery_emails"; retryAfterMs: number };

/**
 * Lets an address wait, and sends its owner the link. One that is asked for again gets another link.
 * @returns null for one that is in force already, or that counts at once.
 */
export async function askOwner(caller: PartnerCaller, address: string): Promise<Asked | null> {
	const { platform, db, partnerId, at } = caller;
	if (countsAtOnce(platform, address)) return null;
	const until = at + DELIVERY_EMAIL_PENDING_MS;
	const asked = await changePartner<"in_force" | "asked" | number>(
		db,
		partnerId,
		async (row) => {
			if (row.deliveryEmail === address) return { answer: "in_force" };
			const wait = await waitForNext(caller, ["delivery_email_asked"], DELIVERY_EMAILS_PER_HOUR);
			if (wait !== null) return { answer: wait };
			return {
				answer: "asked",
				change: {
					action: "delivery_email_asked",
					outcome: "delivery_email",
					set: { deliveryEmailPending: address, deliveryEmailPendingUntil: until },
				},
			};
		},
		originOf(caller),
	);
	if (asked === null) throw new Error("the partner that calls is gone");
	const { answer, partner } = asked;
	if (answer === "in_force") return null;
	if (answer !== "asked")
		return { kind: "refused", reason: "too_many_delivery_emails", retryAfterMs: answer };
	const sent = sendLink(caller, { partner, address, until });
	caller.later(
		sent.catch((error: unknown) => log("error", "delivery_email_not_asked", describeError(error))),
	);
	return { kind: "done", partner };
}

/** Whether an address needs no link: in local, and in dev one that no e-mail is sent to. The demo partner is in local. */
function countsAtOnce({ settings }: Platform, address: string): boolean {
	return settings.environment === "local" || !isRecipient(settings, address);
}

interface Wanted {
	partner: PartnerRow;
	address: string;
	/** Epoch milliseconds. */
	until: number;
}

async function sendLink(caller: PartnerCaller, { partner, address, until }: Wanted): Promise<void> {
	const { platform, partnerId } = caller;
	const { publicUrl } = platform.settings;
	const said = [partnerId, actingKey(caller)!, String(until)] as const;
	const token = [...said, await platform.index.of(USE, ...said, address)].join(".");
	const id = `de_${crypto.randomUUID().replaceAll("-", "")}`;
	const envelope = { ...envelopeOf(platform, { id, to: address }), partner };
	const asks = { link: `${publicUrl}/correo/${token}?lang=${partner.language}`, until };
	const outcome = await sendEmail(platform, composeConfirmationEmail(asks, envelope), SEND_TIMEOUT);
	if (outcome.kind !== "delivered") log("error", "delivery_email_not_asked", { outcome: labelOf(outcome) });
}

const USE = "delivery-email";

/** The address that a link is about. */
export interface LinkedEmail {
	db: PartnerDb;
	partner: PartnerRow;
	address: string;
	/** The key that set it. */
	actor: Actor;
	inForce: boolean;
}

/** @returns null for a link that ended, whose address was replaced, or that is none of ours. */
export async function readLink(platform: Platform, token: string): Promise<LinkedEmail | null> {
	const { index, clock } = platform;
	const [, partnerId = "", keyId = "", until = "", mac = ""] = TOKEN.exec(token) ?? [];
	const home = mac === "" ? null : await findHome(platform, partnerId);
	if (home === null) return null;
	const { db } = home;
	const [partner] = await query(selectPartner(db, partnerId));
	if (!partner) return null;
	const isAbout = async (address: string | null) =>
		address !== null && (await index.matches(mac, USE, partnerId, keyId, until, address));
	const { deliveryEmail, deliveryEmailPending } = partner;
	const actor = `partner:${keyId}` as const;
	if (Number(until) > clock() && (await isAbout(deliveryEmailPending)))
		return { db, partner, address: deliveryEmailPending!, actor, inForce: false };
	if (await isAbout(deliveryEmail)) return { db, partner, address: deliveryEmail!, actor, inForce: true };
	return null;
}

/**
 * Puts the address of a link in force, if it still waits. @param caller - by the name of the key that set it
 * @returns whether it is in force; what is already in force stays as it is.
 */
export async function confirmDeliveryEmail(
	caller: PartnerCaller,
	{ address, inForce }: LinkedEmail,
): Promise<boolean> {
	if (inForce) return true;
	const changed = await changeSettings(caller, {
		settings: { deliveryEmail: address },
		fields: ["delivery_email"],
		still: (row) => row.deliveryEmailPending === address,
	});
	return changed.kind === "done" && changed.partner.deliveryEmail === address;
}
