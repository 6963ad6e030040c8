import { bulk, type Redeemable } from "./calls.ts";
import type { Client } from "./client.ts";
import type { Answer, Journal, Partner } from "./journal.ts";
import { createHolder } from "./partners.ts";
import type { Random } from "./random.ts";
import type { Session } from "./widget-calls.ts";

const RATE_LIMITED = "RATE_LIMIT_EXCEEDED";
/** Wait of a client that was refused for the rate. Milliseconds. */
const WAIT_MS = 20;

/** Objects that the load may use; grows over a fixture. */
export interface Stock {
	partners: Partner[];
	/** The one that moves, if one does: half of the calls are about it. */
	moving: Partner | null;
	/** Unused codes of each partner. */
	fresh: Map<Partner, string[]>;
	/** Codes that a cancellation may hit. */
	cancellable: Redeemable[];
	/** Sessions of the widget that their holders have left, or the service died under: somebody may go on with them. */
	left: Session[];
}

export interface Load {
	client: Client;
	journal: Journal;
	random: Random;
	stock: Stock;
	/** No new calls are made. */
	isOver: () => boolean;
}

/** A fresh code of a partner of this mode, and a holder who has no other. */
export async function redeemable(load: Load, mode: "B2C" | "B2B"): Promise<Redeemable> {
	const { client, journal, random, stock } = load;
	const partner = pickPartner(load, mode);
	const codes = stock.fresh.get(partner) ?? [];
	if (codes.length === 0) keep(stock, partner, await bulk(client, partner, 10, maybeKey(random, 0.5)));
	const code = stock.fresh.get(partner)?.pop();
	if (code === undefined) {
		await waitForRate();
		return redeemable(load, mode);
	}
	const holder = createHolder(journal, random);
	journal.holders.set(code, holder);
	return { partner, code, holder };
}

/** One of the partners of this mode, if it is given. */
export function pickPartner({ random, stock }: Load, mode?: "B2C" | "B2B"): Partner {
	const fits = ({ settings }: Partner) => mode === undefined || settings.mode === mode;
	const { moving, partners } = stock;
	return moving && fits(moving) && random.chance(0.5) ? moving : random.pick(partners.filter(fits));
}

export function keep({ fresh }: Stock, partner: Partner, { status, body }: Answer): void {
	if (status === 201) fresh.set(partner, [...(fresh.get(partner) ?? []), ...body.data.pcodes]);
}

/** The emission limit is reached: the code is as fresh as before, and the client waits a little. */
export async function giveBack({ stock, journal }: Load, { partner, code }: Redeemable): Promise<void> {
	journal.unrecovered.delete(code);
	stock.fresh.get(partner)?.push(code);
	await waitForRate();
}

export function waitForRate(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

export function isRateLimited({ status, body }: Answer): boolean {
	return status === 429 && body.error === RATE_LIMITED;
}

export function maybeKey(random: Random, share: number): string | null {
	return random.chance(share) ? `idem-crash-${random.token()}` : null;
}
